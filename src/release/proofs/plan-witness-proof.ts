import type { JsonObject } from '../../io/json.js';
import { asStated, type Trust, type Witness, type WitnessedDocument } from '../../witness/witness.js';
import { type StatedWitnesses, statedWitnesses, TOKEN_END } from '../plans/check-plans.js';
import type { ReleaseFile } from '../release-files.js';
import { refuse } from '../subject.js';
import { Findings } from './findings.js';
import { proveWitnesses } from './witness-proof.js';

type Documents = ReadonlyMap<string, JsonObject>;

/** The plans and seals of analyses that somebody else knew, each with its bytes; one that is not there is named by its digest. */
function witnessedPlans(documents: Documents, files: readonly ReleaseFile[]) {
  const found = new Map<string, { readonly document: WitnessedDocument; readonly witnesses: Witness[] }>();
  const missing: StatedWitnesses[] = [];
  for (const stated of statedWitnesses(documents)) {
    const plan = [...documents].find(([, { artifact_sha256 }]) => artifact_sha256 === stated.sha256);
    const file = plan && files.find(({ name }) => name === plan[0]);
    if (plan === undefined || file === undefined) {
      missing.push(stated);
      continue;
    }
    const own = { ...plan[1], artifact_sha256: stated.sha256 };
    const known = found.get(plan[0]) ?? {
      document: { file: plan[0], bytes: file.bytes, document: own },
      witnesses: [],
    };
    const ids = new Set(known.witnesses.map(idOf));
    known.witnesses.push(...asStated(stated.witnesses).filter((witness) => !ids.has(idOf(witness))));
    found.set(plan[0], known);
  }
  return { found: [...found.values()], missing };
}

const idOf = (witness: Witness) => (witness.kind === 'rfc3161' ? witness.token_sha256 : witness.commit);

/**
 * Proves the witnesses that documents of analyses state of their plans and seals (collection 10.2): each token lies beside and is over it, signatures
 * and commits as far as an authority and a repository are given.
 */
export async function provePlanWitnesses(
  documents: Documents,
  files: readonly ReleaseFile[],
  trust: Trust,
  findings: Findings,
): Promise<void> {
  const { found, missing } = witnessedPlans(documents, files);
  const tokens = files.filter(({ name }) => name.endsWith(TOKEN_END));
  for (const { document, witnesses } of found) await proveWitnesses({ document, witnesses, tokens, trust, findings });
  for (const { file, what, sha256, witnesses } of missing)
    findings.left(`${file}: who knew its ${what}`, witnesses.length, `${what} ${sha256} is not among the analyses`);
}

/** Errors: ANALYSIS_FOREIGN (exit 4) where the token of a plan is not there, or is over another document or of another time. */
export async function assertPlanWitnesses(documents: Documents, files: readonly ReleaseFile[]): Promise<void> {
  const findings = new Findings();
  await provePlanWitnesses(documents, files, {}, findings);
  refuse(findings.differences);
}
