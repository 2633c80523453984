import { z } from 'zod';
import { CHECK_PLAN_SCHEMA, type CheckPlan, checkStanding, readCheckPlan } from '../../analyses/check-plan.js';
import { analysisOfSchema } from '../../analyses/list.js';
import type { ScoreMatrix } from '../../core/matrix.js';
import { canonicalJson } from '../../io/canonical.js';
import { sha256 } from '../../io/digest.js';
import type { JsonObject } from '../../io/json.js';
import { FlavourError } from '../../util/error.js';
import { sha256Text } from '../../util/schema.js';
import { knownSince, type TimeSpan } from '../../witness/span.js';
import { type Witness, witnessesField } from '../../witness/witness.js';
import type { Difference } from '../proofs/differences.js';
import type { ReleaseFile } from '../release-files.js';

/** What the document of a check says of its plan and of the call that made it. */
const statedSchema = z.object({
  plan: z.record(z.string(), z.unknown()),
  seed: z.string().nullable(),
  inputs: z.array(z.object({ role: z.string(), sha256: z.string() })),
  run: z.looseObject({ response_parser: z.string().optional() }),
  standing: z.discriminatedUnion('kind', [
    z.looseObject({ kind: z.literal('planned'), plan_sha256: sha256Text, witnesses: witnessesField.optional() }),
    z.looseObject({ kind: z.literal('exploratory') }),
  ]),
});

/** A check of a release that was planned. */
export interface PlannedCheck {
  readonly file: string;
  readonly plan: CheckPlan;
  readonly witnesses: readonly Witness[];
  /** Since when the plan is known. */
  readonly since: TimeSpan;
}

/**
 * Works out again how the checks of a release stand to their plans (collection 10.1), which lie among the analyses. Gives the planned ones, and
 * where a document says something else: no such plan in the release, or other deviations.
 */
export function plannedChecks(
  documents: ReadonlyMap<string, JsonObject>,
  matrix: Pick<ScoreMatrix, 'models' | 'tasks'>,
): { readonly checks: PlannedCheck[]; readonly faults: Difference[] } {
  const checks: PlannedCheck[] = [];
  const faults: Difference[] = [];
  const plans = new Map<unknown, readonly [string, JsonObject]>();
  for (const [file, document] of documents)
    if (document.schema === CHECK_PLAN_SCHEMA) plans.set(document.artifact_sha256, [file, document]);
  for (const [file, document] of documents) {
    const analysis = analysisOfSchema(document.schema);
    if (!analysis?.planned || document.standing === undefined) continue;
    const stated = statedSchema.safeParse(document);
    const bad = (at: string, expected: string, found: string) => faults.push({ file, at, expected, found });
    if (!stated.success) {
      bad('standing', 'how the check stands to a plan', 'another form');
      continue;
    }
    const { plan: used, seed, inputs, run, standing } = stated.data;
    if (standing.kind === 'exploratory') continue;
    const found = plans.get(standing.plan_sha256);
    if (found === undefined) {
      bad('standing.plan_sha256', 'a plan among the analyses', standing.plan_sha256);
      continue;
    }
    try {
      const plan = readCheckPlan(canonicalJson(found[1]), found[0]);
      const { witnesses = [] } = standing;
      const about = analysis.needs.inputs.includes('matrix') ? matrix : null;
      const call = { analysis, plan: used, seed, inputs, parser: run.response_parser, matrix: about };
      const own = checkStanding(plan, call, witnesses);
      const [expected, is] = [canonicalJson(own), canonicalJson(standing)];
      if (expected !== is) bad('standing', expected, is);
      checks.push({ file: found[0], plan, witnesses, since: knownSince(plan.frozen_at, witnesses) });
    } catch (error) {
      if (!(error instanceof FlavourError)) throw error;
      bad('standing', 'its plan', error.message);
    }
  }
  return { checks, faults };
}

/** Token of a plan or seal of an analysis, beside it. */
export const TOKEN_END = '.tsr';

const planSchema = z.looseObject({
  standing: z.looseObject({ plan_sha256: sha256Text, witnesses: witnessesField }),
});
const sealSchema = z.looseObject({
  standing: z.looseObject({ seal: z.looseObject({ sha256: sha256Text, witnesses: witnessesField }) }),
});

/** Who knew the plan of a document, or the seal that it stands on. */
export interface StatedWitnesses {
  /** The document that states them. */
  readonly file: string;
  readonly what: 'plan' | 'seal';
  /** Digest of the plan or seal. */
  readonly sha256: string;
  readonly witnesses: readonly Witness[];
}

/** Lists who knew the plans of documents and the seals that they stand on, as these state it. */
export function statedWitnesses(documents: ReadonlyMap<string, JsonObject>): StatedWitnesses[] {
  return [...documents].flatMap(([file, document]) => {
    const plan = planSchema.safeParse(document).data?.standing;
    const seal = sealSchema.safeParse(document).data?.standing.seal;
    return [
      ...(plan === undefined
        ? []
        : [{ file, what: 'plan' as const, sha256: plan.plan_sha256, witnesses: plan.witnesses }]),
      ...(seal === undefined ? [] : [{ file, what: 'seal' as const, sha256: seal.sha256, witnesses: seal.witnesses }]),
    ].filter(({ witnesses }) => witnesses.length > 0);
  });
}

/** Picks the tokens among the files of analyses that a document names as a witness of its plan or its seal. */
export function namedTokens(files: readonly ReleaseFile[], documents: ReadonlyMap<string, JsonObject>): ReleaseFile[] {
  const named = new Set(
    statedWitnesses(documents).flatMap(({ witnesses }) =>
      witnesses.flatMap((witness) => (witness.kind === 'rfc3161' ? [witness.token_sha256] : [])),
    ),
  );
  return files.filter(({ name, bytes }) => name.endsWith(TOKEN_END) && named.has(sha256(bytes)));
}
