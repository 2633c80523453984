import { basename } from 'node:path';
import { z } from 'zod';
import { canonicalDigest } from '../io/canonical.js';
import { readJson } from '../io/json.js';
import { type FlavourError, failure } from '../util/error.js';
import { checked, sha256Text as digest } from '../util/schema.js';
import { FROZEN_PLAN_SCHEMA, type FrozenPlan } from './compile-plan.js';
import type { Protocol } from './protocol.js';
import { executionDigest, protocolDigest, type Route } from './route.js';

const text = z.string().min(1);
const object = z.looseObject({});

const route = z.looseObject({
  model_id: text,
  transport: z.enum(['openrouter', 'openai', 'anthropic', 'simulated']),
  base_url: text.nullable(),
  requested_model: text,
  expected_model: text.nullable(),
  expected_provider: text.nullable(),
  provider_tag: text.nullable(),
  revision: text.nullable(),
  zdr: z.boolean(),
  effort: text,
  extra_body: object,
  headers: object,
  simulation: object.nullable(),
  protocol: text,
  endpoint_execution_sha256: digest,
  protocol_sha256: digest,
  rank_eligible: z.boolean(),
  ineligible_reason: text.nullable(),
});

const shape = z.looseObject({
  schema: z.literal(FROZEN_PLAN_SCHEMA),
  name: text,
  budget: z.looseObject({ usd: text }),
  protocols: z.array(z.looseObject({ name: text, sha256: digest })),
  simulated: z.boolean(),
  rank_eligible: z.boolean(),
  routes: z.array(route).min(1),
  artifact_sha256: digest,
});

const HINT = 'Give the manifest as `plan compile` wrote it.';

function wrong(file: string, path: string, what: string): FlavourError {
  return failure('SCHEMA_INVALID', { file, path }, what, HINT);
}

function mismatch(file: string, message: string): FlavourError {
  return failure(
    'DIGEST_MISMATCH',
    { file },
    message,
    'The manifest was changed after it was frozen, or it is another one.',
    { exit: 4 },
  );
}

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
  checked(shape, document, { file }, HINT);
  const manifest = document as FrozenPlan;
  const { artifact_sha256: stated, ...body } = manifest;
  const found = canonicalDigest(body);
  if (stated !== found) throw mismatch(file, `content has ${found}, artifact_sha256 is ${stated}`);
  if (expected !== undefined && expected !== found)
    throw mismatch(file, `content has ${found}, the digest asked for is ${expected}`);
  if (!basename(file).includes(found)) throw mismatch(file, `the name does not carry the digest ${found}`);
  const { routes, rank_eligible, simulated, protocols } = manifest;
  for (const [i, { sha256, ...texts }] of protocols.entries())
    if (canonicalDigest(texts) !== sha256)
      throw wrong(file, `protocols[${i}].sha256`, `its fields give ${canonicalDigest(texts)}`);
  const ids = new Set<string>();
  for (const [i, own] of routes.entries()) {
    const problem = ids.has(own.model_id) ? `${own.model_id} stands twice` : problemOf(own, protocols);
    if (problem !== undefined) throw wrong(file, `routes[${i}]`, problem);
    ids.add(own.model_id);
  }
  if (rank_eligible !== routes.every((own) => own.rank_eligible))
    throw wrong(file, 'rank_eligible', `${rank_eligible}, its routes say otherwise`);
  if (simulated !== routes.some(({ transport }) => transport === 'simulated'))
    throw wrong(file, 'simulated', `${simulated}, its routes say otherwise`);
  return manifest;
}
