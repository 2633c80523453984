import { basename } from 'node:path';
import { z } from 'zod';
import { readText } from '../io/file.js';
import { parseJson } from '../io/json.js';
import { type PyValue, parsePyJson, pyDigest } from '../io/pyjson.js';
import { fail } from '../util/error.js';
import { checked, sha256Text as digest } from '../util/schema.js';

export const PUBLISHED_MANIFEST_SCHEMA = 'flavourbench-routed-candidate-manifest-v1';

/** One route of a released manifest (collection 1.3): what a roster row needs of it. */
export interface ManifestRoute {
  readonly slot_id: string;
  readonly model_id: string;
  readonly canonical_model_slug: string;
  readonly backend: string;
  readonly provider_tag: string;
  readonly provider_name: string;
  readonly supported_parameters: readonly string[];
  /** USD per token, as the provider listed it. */
  readonly price: { readonly prompt: string; readonly completion: string };
  /** Digest of the part of the endpoint that governs behaviour. */
  readonly endpoint_execution_sha256: string;
}

export interface RouteManifest {
  readonly sha256: string;
  readonly role: string;
  readonly cap_usd: string;
  readonly routes: readonly ManifestRoute[];
}

const text = z.string().min(1);
const entry = z.looseObject({
  slot: z.looseObject({ slot_id: text, model_id: text }),
  model: z.looseObject({
    id: text,
    canonical_slug: text.refine((slug) => !slug.startsWith('~'), { error: 'is a moving alias' }),
  }),
  endpoint: z.looseObject({
    model_id: text,
    provider_name: text,
    tag: text,
    quantization: z.string().nullish(),
    context_length: z.int().nullish(),
    max_completion_tokens: z.int().nullish(),
    supported_parameters: z.array(z.string()),
    pricing: z.looseObject({ prompt: text, completion: text }),
  }),
  request_policy: z.looseObject({
    policy_scope: z.literal('request_enforced'),
    provider: z.looseObject({
      only: z.array(text).length(1),
      allow_fallbacks: z.literal(false),
      require_parameters: z.literal(true),
      data_collection: z.literal('deny'),
    }),
  }),
  execution_route: z.looseObject({
    selected_backend: z.enum(['openrouter', 'zai_coding_direct']),
    fallback_used: z.literal(false),
    generation_time_automatic_fallback: z.literal(false),
    selection_frozen_before_generation: z.literal(true),
  }),
  backend_contract: z.looseObject({}),
  backend_contract_sha256: z.union([z.literal('unfrozen'), digest]),
  cost_accounting_policy: z.enum([
    'provider_generation_metadata',
    'provider_usage_times_frozen_rate_card',
    'provider_subscription_quota_no_marginal_price',
  ]),
  endpoint_execution_sha256: digest.optional(),
});

const shape = z.looseObject({
  schema_version: z.literal(PUBLISHED_MANIFEST_SCHEMA),
  status: z.literal('unranked_candidate'),
  manifest_role: text,
  official_results_authorised: z.literal(false),
  generation_calls_made: z.literal(0),
  generation_spend_usd: z.literal('0'),
  budget: z.looseObject({ within_cap: z.literal(true), cap_usd: text }),
  models: z.array(entry).min(1),
  content_address: z.strictObject({ algorithm: z.literal('sha256'), digest, uri: text }),
});

type Entry = z.infer<typeof entry>;

const HINT = 'Give the published route manifest unchanged, or the manifest that `plan compile` wrote.';

function proveDigest(file: string, tree: PyValue, stated: string, expected?: string): void {
  const { content_address: _, ...body } = tree as { [key: string]: PyValue };
  const found = pyDigest(body);
  const against = [
    ['its content_address', stated],
    ...(expected === undefined ? [] : [['the digest asked for', expected]]),
  ] as const;
  for (const [what, value] of against) {
    if (value === found) continue;
    fail(
      'DIGEST_MISMATCH',
      { file },
      `content has ${found}, ${what} is ${value}`,
      'The manifest was changed after it was frozen, or it is another one.',
      { exit: 4 },
    );
  }
  if (basename(file).includes(found)) return;
  fail(
    'DIGEST_MISMATCH',
    { file },
    `the name does not carry the digest ${found}`,
    'A frozen manifest is known by its name; give it back the one it was released under.',
    { exit: 4 },
  );
}

function executionDigest({ endpoint }: Entry): string {
  return pyDigest({
    model_id: endpoint.model_id,
    provider_name: endpoint.provider_name,
    tag: endpoint.tag,
    quantization: endpoint.quantization ?? null,
    context_length: endpoint.context_length ?? null,
    max_completion_tokens: endpoint.max_completion_tokens ?? null,
    supported_parameters: [...endpoint.supported_parameters].sort(),
  });
}

/** What is wrong with an entry whose shape is right: two parts of it disagree. */
function problemOf(model: Entry, exact: { [key: string]: PyValue }): string | undefined {
  const { slot, endpoint, request_policy, backend_contract_sha256 } = model;
  const [only] = request_policy.provider.only;
  if (slot.model_id !== model.model.id) return `slot names ${slot.model_id}, model ${model.model.id}`;
  if (endpoint.model_id !== model.model.id) return `endpoint serves ${endpoint.model_id}, model is ${model.model.id}`;
  if (only !== endpoint.tag) return `provider.only is ${only}, the endpoint's tag ${endpoint.tag}`;
  const contract = pyDigest(exact.backend_contract as PyValue);
  if (backend_contract_sha256 !== 'unfrozen' && backend_contract_sha256 !== contract)
    return `backend_contract has ${contract}, backend_contract_sha256 says ${backend_contract_sha256}`;
  const execution = executionDigest(model);
  if ((model.endpoint_execution_sha256 ?? execution) !== execution)
    return `the endpoint has execution digest ${execution}, the entry says ${model.endpoint_execution_sha256}`;
  return undefined;
}

/**
 * Reads and proves a released route manifest (collection 1.3): its digest, in content and name, the zero-generation flags, and of
 * every route the pinning policy and the digests it carries. Errors: SCHEMA_INVALID with the path; DIGEST_MISMATCH (exit 4).
 */
export function readRouteManifest(file: string, expected?: string): RouteManifest {
  const source = readText(file);
  const value = parseJson(source, { file });
  const manifest = checked(shape, value, { file }, HINT);
  const tree = parsePyJson(source, { file }) as { [key: string]: PyValue };
  proveDigest(file, tree, manifest.content_address.digest, expected);
  const ids = new Set<string>();
  const routes = manifest.models.map((model, i): ManifestRoute => {
    const path = `models[${i}]`;
    const problem = problemOf(model, (tree.models as { [key: string]: PyValue }[])[i] ?? {});
    if (problem !== undefined) fail('SCHEMA_INVALID', { file, path }, problem, HINT);
    const { slot, endpoint, execution_route } = model;
    for (const name of [slot.slot_id, slot.model_id]) {
      if (ids.has(name)) fail('SCHEMA_INVALID', { file, path }, `${name} stands twice`, HINT);
      ids.add(name);
    }
    return {
      slot_id: slot.slot_id,
      model_id: slot.model_id,
      canonical_model_slug: model.model.canonical_slug,
      backend: execution_route.selected_backend,
      provider_tag: endpoint.tag,
      provider_name: endpoint.provider_name,
      supported_parameters: endpoint.supported_parameters,
      price: { prompt: endpoint.pricing.prompt, completion: endpoint.pricing.completion },
      endpoint_execution_sha256: executionDigest(model),
    };
  });
  return {
    sha256: manifest.content_address.digest,
    role: manifest.manifest_role,
    cap_usd: manifest.budget.cap_usd,
    routes,
  };
}
