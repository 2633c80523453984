import { basename } from 'node:path';
import { z } from 'zod';
import { canonicalDigest, sealed } from '../io/canonical.js';
import { readJson } from '../io/read-file.js';
import { statedParser } from '../responses/parser-contract.js';
import { fail } from '../util/error.js';
import { checked, count, nonEmptyText, positiveCount, sha256Text } from '../util/schema.js';
import { type Protocol, protocolSchema } from './protocol.js';
import { executionDigest, protocolDigest, type Route, routeSchema } from './route.js';

export const FROZEN_PLAN_SCHEMA = 'flavourbench-collection-manifest/1';

/**
 * A plan frozen before the first request, as `manifest-<digest>.json` holds it: routes, tasks, texts and budget by value or digest.
 * No path, no clock, no secret.
 */
const frozenPlanSchema = z.object({
  schema: z.literal(FROZEN_PLAN_SCHEMA),
  name: nonEmptyText,
  plan_sha256: sha256Text,
  seed: z.string(),
  task_sets: z
    .array(
      z.object({
        panel: z.string(),
        physical_sha256: sha256Text.describe('Of the bytes of the task file.'),
        artifact_sha256: z.string().nullable(),
        task_set_sha256: z.string().nullable(),
        tasks: count,
        prompts_sha256: sha256Text,
      }),
    )
    .readonly(),
  protocols: z.array(protocolSchema).readonly(),
  phases: z.object({
    pilot: z.object({ per_family: positiveCount }).optional(),
    primary: z.object({ samples: positiveCount }).optional(),
    repeat: z.object({ per_family: positiveCount }).optional(),
  }),
  budget: z.object({ usd: nonEmptyText, tokens: count.optional() }),
  max_attempts: positiveCount,
  simulated: z.boolean(),
  rank_eligible: z.boolean(),
  parser: z
    .string()
    .optional()
    .describe('Parser that the records state the syntax of answers by; absent in manifests of version 0.1.0.'),
  parser_sha256: sha256Text.optional().describe('Digest of its contract.'),
  routes: z.array(routeSchema).min(1).readonly(),
  artifact_sha256: sha256Text,
});
export type FrozenPlan = Readonly<z.infer<typeof frozenPlanSchema>>;

const HINT = 'Give the manifest as `plan compile` wrote it.';
const CHANGED = 'The manifest was changed after it was frozen, or it is another one.';

/** What a route says of itself against what follows from its fields. */
function problemOf(own: Route, protocols: readonly Protocol[]): string | undefined {
  const { effort, extra_body, rank_eligible, ineligible_reason } = own;
  const execution = executionDigest(own);
  if (own.endpoint_execution_sha256 !== execution)
    return `endpoint_execution_sha256 is ${own.endpoint_execution_sha256}, its fields give ${execution}`;
  const protocol = protocols.find(({ name }) => name === own.protocol);
  if (!protocol) return `protocol ${own.protocol} is not among the protocols`;
  const texts = protocolDigest(protocol, effort, extra_body);
  if (own.protocol_sha256 !== texts) return `protocol_sha256 is ${own.protocol_sha256}, its fields give ${texts}`;
  if (rank_eligible !== (ineligible_reason === null))
    return `rank_eligible is ${rank_eligible}, ineligible_reason ${ineligible_reason}`;
  return undefined;
}

/**
 * Reads and proves a manifest that `plan compile` or `collect` wrote: its digest, in content and name, and of every route the digests
 * it carries and whether it is pinned. Errors: SCHEMA_INVALID with the path; DIGEST_MISMATCH (exit 4).
 */
export function readFrozenPlan(file: string, expected?: string): FrozenPlan {
  const document = readJson(file);
  checked(frozenPlanSchema, document, { file }, HINT);
  // The document itself: keys that a later version added count in its digest.
  const frozenPlan = document as FrozenPlan;
  const { artifact_sha256: stated } = frozenPlan;
  const found = sealed(frozenPlan).artifact_sha256;
  const mismatch =
    stated !== found
      ? `artifact_sha256 is ${stated}, its content has ${found}`
      : expected !== undefined && expected !== found
        ? `the digest asked for is ${expected}, the content has ${found}`
        : !basename(file).includes(found)
          ? `the name does not carry the digest ${found}`
          : undefined;
  if (mismatch !== undefined) fail('DIGEST_MISMATCH', { file }, mismatch, CHANGED, { exit: 4 });
  if (frozenPlan.parser !== undefined) statedParser(frozenPlan, { file, path: 'parser' });
  const contradiction = contradictionIn(frozenPlan);
  if (contradiction !== undefined) fail('SCHEMA_INVALID', { file, path: contradiction.path }, contradiction.what, HINT);
  return frozenPlan;
}

/** The first place where a frozen plan says something else than what follows from its fields; undefined where none does. */
function contradictionIn({ routes, rank_eligible, simulated, protocols }: FrozenPlan) {
  for (const [i, { sha256, ...texts }] of protocols.entries()) {
    const own = canonicalDigest(texts);
    if (own !== sha256)
      return { path: `protocols[${i}].sha256`, what: `${sha256} stands here, its fields give ${own}` };
  }
  const ids = new Set<string>();
  for (const [i, route] of routes.entries()) {
    const what = ids.has(route.model_id) ? `${route.model_id} stands twice` : problemOf(route, protocols);
    if (what !== undefined) return { path: `routes[${i}]`, what };
    ids.add(route.model_id);
  }
  const eligible = routes.every((route) => route.rank_eligible);
  if (rank_eligible !== eligible)
    return { path: 'rank_eligible', what: `${rank_eligible} stands here, its routes give ${eligible}` };
  const computed = routes.some(({ transport }) => transport === 'simulated');
  if (simulated !== computed)
    return { path: 'simulated', what: `${simulated} stands here, its routes give ${computed}` };
  return undefined;
}
