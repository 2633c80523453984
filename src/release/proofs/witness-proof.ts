import { canonicalJson } from '../../io/canonical.js';
import { sha256 } from '../../io/digest.js';
import type { Trust, Witness, WitnessedDocument } from '../../witness/witness.js';
import type { ReleaseFile } from '../release-files.js';
import type { Findings } from './findings.js';

export interface WitnessProofOptions {
  readonly document: WitnessedDocument;
  /** What the release states of it. */
  readonly witnesses: readonly Witness[];
  /** Files among which its token is. */
  readonly tokens: readonly ReleaseFile[];
  readonly trust: Trust;
  readonly findings: Findings;
}

type Token = Extract<Witness, { readonly kind: 'rfc3161' }>;
type Commit = Extract<Witness, { readonly kind: 'git' }>;

/**
 * Proves the witnesses of a plan (collection 10.2): a token is over its digest and states the time; signature and commit as far as an
 * authority and a repository are given, else a note says that they are stated.
 */
export async function proveWitnesses(options: WitnessProofOptions): Promise<void> {
  for (const witness of options.witnesses)
    if (witness.kind === 'rfc3161') await proveToken(witness, options);
    else proveCommit(witness, options);
}

async function proveToken(witness: Token, { document: plan, tokens, trust, findings }: WitnessProofOptions) {
  const { file } = plan;
  const token = tokens.find(({ bytes }) => sha256(bytes) === witness.token_sha256);
  if (token === undefined) {
    findings.add({ file, at: 'its token', expected: `a file of digest ${witness.token_sha256}`, found: 'none' });
    return;
  }
  await findings.attemptAsync(token.name, async () => {
    const { provedTimeStamp, readAuthorities, readTimeStamp } = await import('../../witness/time-stamp.js');
    const stamp = readTimeStamp(token.bytes, token.name);
    findings.same(token.name, 'what it is over', plan.document.artifact_sha256, stamp.imprint);
    findings.same(token.name, 'its time', stamp.at, witness.at);
    if (trust.authorities === undefined) {
      findings.left(`${token.name}: the token of ${stamp.at} over ${file}`, 1, 'unverified; --tsa-ca FILE checks it');
      return;
    }
    const { artifact_sha256: _, ...body } = plan.document;
    const authorities = readAuthorities(trust.authorities.bytes, trust.authorities.file);
    await provedTimeStamp(token.bytes, token.name, {
      authorities,
      stamped: new TextEncoder().encode(canonicalJson(body)),
    });
    findings.done('time-stamp tokens up to an authority you trust', 1);
  });
}

function proveCommit(witness: Commit, { document: { file, bytes }, trust, findings }: WitnessProofOptions): void {
  const { commit } = witness;
  if (trust.lookInCommit === undefined) {
    findings.left(`${file}: commit ${commit}`, 1, 'it is stated; --git REPOSITORY looks it up');
    return;
  }
  findings.attempt(file, () => {
    const { at, holds } = trust.lookInCommit!(commit, bytes);
    findings.same(file, `held by commit ${commit}`, true, holds);
    if (witness.at !== null) findings.same(file, `date of commit ${commit}`, at, witness.at);
    if (holds) findings.done('plans in the commits that are stated', 1);
  });
}
