import type { Command } from 'commander';
import { canonicalJson } from '../io/canonical.js';
import { readInput } from '../io/file.js';
import { fail, shown } from '../util/error.js';
import type { Witness, WitnessedDocument } from '../witness/witness.js';
import { collected } from './options.js';

/** What a call names that knew its documents before. */
export interface WitnessFlags {
  readonly token?: readonly string[];
  readonly tsaCa?: string;
  readonly commit?: readonly string[];
  readonly git?: string;
}

/** Adds the options that name witnesses of plans and seals; `of` says of what. */
export function witnessOptions(command: Command, of = 'plan'): Command {
  return command
    .option('--token <file>', `time-stamp token (RFC 3161) over the digest of the ${of}`, collected)
    .option('--tsa-ca <file>', 'certificates of the authority you trust, to check tokens against')
    .option('--commit <id>', `git commit that holds the ${of}`, collected)
    .option('--git <repository>', 'repository to look the commit up in');
}

/** Errors: USAGE for what checks nothing. */
function assertNamed({ token, tsaCa, commit, git }: WitnessFlags): void {
  if (tsaCa !== undefined && token === undefined)
    fail('USAGE', null, '--tsa-ca checks a token, and none is given', 'Give the token with --token.');
  if (git !== undefined && commit === undefined)
    fail('USAGE', null, '--git looks a commit up, and none is given', 'Give its full id with --commit.');
  const odd = commit?.find((id) => !/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id));
  if (odd !== undefined)
    fail(
      'USAGE',
      null,
      `--commit ${shown(odd)} is not the full id of a commit`,
      'Give what `git rev-parse HEAD` prints.',
    );
}

/** The token of a document as a file, to be kept beside it. */
export interface TokenFile {
  readonly file: string;
  readonly bytes: Uint8Array;
}

/** What there is for one document. */
export interface FoundWitnesses {
  readonly witnesses: readonly Witness[];
  readonly token: TokenFile | null;
}

/**
 * Reads a token, proves it where an authority is given, and finds the document whose digest it has. Errors: TOKEN_INVALID; TOKEN_REFUSED (exit 4).
 */
async function stamped(file: string, documents: readonly WitnessedDocument[], tsaCa: string | undefined) {
  const { provedTimeStamp, readAuthorities, readTimeStamp } = await import('../witness/time-stamp.js');
  const bytes = readInput(file);
  const { at, imprint, tokenSha256 } = readTimeStamp(bytes, file);
  const document = documents.find(({ document: { artifact_sha256 } }) => artifact_sha256 === imprint);
  if (document === undefined) {
    const own = documents.map((one) => `${one.document.artifact_sha256} (${one.file})`).join(', ');
    const [first] = documents;
    fail(
      'TOKEN_REFUSED',
      { file },
      `is over ${imprint}, not over ${own}`,
      `Stamp the digest that the document states: openssl ts -query -sha256 -cert -digest ${first!.document.artifact_sha256} -out query.tsq`,
      { exit: 4 },
    );
  }
  if (tsaCa !== undefined) {
    const { artifact_sha256: _, ...body } = document.document;
    const authorities = readAuthorities(readInput(tsaCa), tsaCa);
    await provedTimeStamp(bytes, file, { authorities, stamped: new TextEncoder().encode(canonicalJson(body)) });
  }
  const status = tsaCa === undefined ? ('unverified' as const) : ('verified' as const);
  const witness: Witness = { kind: 'rfc3161', status, at, token_sha256: tokenSha256 };
  return { document, witness, token: { file, bytes } };
}

/** Looks a commit up, where a repository is given. Errors: GIT_FAILED; COMMIT_REFUSED (exit 4). */
async function committed(commit: string, documents: readonly WitnessedDocument[], git: string | undefined) {
  if (git === undefined) {
    const witness: Witness = { kind: 'git', status: 'stated', at: null, commit };
    return documents.map((document) => ({ document, witness }));
  }
  const { lookInCommit } = await import('../witness/git-commit.js');
  const { at, holds } = lookInCommit({
    ...{ repository: git, commit, files: documents.map(({ bytes }) => bytes) },
    searchPath: process.env.PATH,
  });
  const held = documents.filter((_, i) => holds[i]);
  if (held.length === 0)
    fail(
      'COMMIT_REFUSED',
      { file: git },
      `commit ${commit} holds none of ${documents.map(({ file }) => file).join(', ')} byte for byte`,
      'Give the commit that the file was added in, with the bytes that it has now.',
      { exit: 4 },
    );
  return held.map((document) => ({ document, witness: { kind: 'git', status: 'found', at, commit } as const }));
}

/**
 * Finds the witnesses that a call names for each of its documents (collection 10.2), in their order. A commit that is not looked up stands as
 * stated for all of them. Errors: USAGE; TOKEN_INVALID; TOKEN_REFUSED and COMMIT_REFUSED (exit 4); GIT_FAILED.
 */
export async function findWitnesses(
  documents: readonly WitnessedDocument[],
  flags: WitnessFlags,
): Promise<FoundWitnesses[]> {
  assertNamed(flags);
  if (documents.length === 0 && (flags.token ?? flags.commit) !== undefined)
    fail('USAGE', null, '--token and --commit speak of a plan, and none is given', 'Give the plan with --plan.');
  const tokens: Awaited<ReturnType<typeof stamped>>[] = [];
  for (const file of flags.token ?? []) tokens.push(await stamped(file, documents, flags.tsaCa));
  const commits: Awaited<ReturnType<typeof committed>> = [];
  for (const commit of flags.commit ?? []) commits.push(...(await committed(commit, documents, flags.git)));
  return documents.map((document) => {
    const own = tokens.filter((one) => one.document === document);
    if (own.length > 1)
      fail('USAGE', null, `${own.length} tokens are over ${document.file}`, 'Give one: the earliest says the most.');
    const all = [...own, ...commits.filter((one) => one.document === document)];
    return { witnesses: all.map(({ witness }) => witness), token: own[0]?.token ?? null };
  });
}
