import { z } from 'zod';
import { canonicalDigest } from '../io/canonical.js';
import { EXECUTION_FIELDS, slotName } from '../ledger/cell-key.js';
import { fail } from '../util/error.js';
import { count, nonEmptyText, positiveCount, sha256Text } from '../util/schema.js';
import type { CollectionPlan, PlannedModel } from './collection-plan.js';
import { PROTOCOLS, type Protocol, protocolOf } from './protocol.js';

/** Text of a header, or the name of the environment variable that holds it. */
const headerValue = z.union([z.string(), z.object({ env: z.string() })]);
export type HeaderValue = Readonly<z.infer<typeof headerValue>>;

/** Decoding values as sent; null where the provider fixes them. */
const decodingSchema = z.object({
  temperature: z.number().nullable(),
  top_p: z.number().nullable(),
  seed: count.nullable(),
  max_tokens: positiveCount.nullable(),
  max_completion_tokens: positiveCount.nullable(),
});

/** USD per million prompt tokens, completion tokens and requests, as decimals. */
const priceSchema = z.object({ prompt: nonEmptyText, completion: nonEmptyText, request: nonEmptyText });

/** One model's frozen way to its answers: a row of a frozen plan. */
export const routeSchema = z.object({
  model_id: nonEmptyText,
  name: nonEmptyText,
  slot: nonEmptyText.describe('Folder of the model in a ledger.'),
  transport: z.enum(['openrouter', 'openai', 'anthropic', 'simulated']),
  backend: nonEmptyText.describe('Routes of one backend share a ceiling and a pace.'),
  base_url: nonEmptyText.nullable(),
  api_key_env: nonEmptyText.nullable(),
  auth: z.enum(['bearer', 'x-api-key']),
  requested_model: nonEmptyText,
  expected_model: nonEmptyText.nullable(),
  expected_provider: nonEmptyText.nullable(),
  provider_tag: nonEmptyText.nullable(),
  revision: nonEmptyText.nullable(),
  zdr: z.boolean(),
  effort: nonEmptyText,
  decoding: decodingSchema.readonly(),
  extra_body: z.record(z.string(), z.unknown()).readonly(),
  headers: z.record(z.string(), headerValue).readonly(),
  simulation: z.object({ skill: z.number(), refusal_rate: z.number(), slip_rate: z.number() }).nullable(),
  protocol: z.enum(PROTOCOLS),
  timeout_s: z.number(),
  concurrency: positiveCount,
  price: priceSchema,
  permission: z.looseObject({}).nullable(),
  endpoint_execution_sha256: sha256Text.describe('What governs behaviour: no price, no name, no timeout.'),
  protocol_sha256: sha256Text.describe('Texts, effort and extra body.'),
  rank_eligible: z.boolean(),
  ineligible_reason: nonEmptyText
    .nullable()
    .describe('Why the route is not pinned; null when it is. Simulated routes are pinned and carry their own label.'),
});
export type Route = Readonly<z.infer<typeof routeSchema>>;

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** True for an address of this machine. */
export function isLoopback(url: string): boolean {
  return LOOPBACK.test(new URL(url).hostname);
}

/** The reason why a route is not pinned, or null. A mutable name may change what it serves between two cells. */
function unpinnedReason(model: PlannedModel): string | null {
  if (model.transport === 'simulated') return null;
  const expected = model.expected_model;
  if (expected === undefined) return 'expected_model is missing';
  if (expected.startsWith('~') || /(?:^|[-/:@])latest$/.test(expected)) {
    return `expected_model ${expected} is a moving alias`;
  }
  if (model.transport === 'openrouter') {
    if (model.provider_tag === undefined) return 'provider_tag is missing';
    if (model.expected_provider === undefined) return 'expected_provider is missing';
  }
  if (model.transport === 'openai' && isLoopback(model.base_url) && model.revision === undefined) {
    return 'a local server needs the revision of its weights';
  }
  return null;
}

function checkAddress(model: Exclude<PlannedModel, { transport: 'simulated' }>): void {
  const secretHeader = Object.values(model.headers).some((value) => typeof value !== 'string');
  const credential = model.api_key_env !== undefined || secretHeader;
  if (credential && model.base_url.startsWith('http:') && !isLoopback(model.base_url)) {
    fail(
      'SCHEMA_INVALID',
      null,
      `${model.id}: a credential would cross plain http to ${new URL(model.base_url).host}`,
      'Use https, or a loopback address.',
    );
  }
  if (model.requires_permission && !model.permission) {
    fail(
      'ROUTE_NOT_PERMITTED',
      null,
      `${model.id}: the route requires a permission of its provider in writing, and the plan binds none`,
      'Fill in `permission: {provider, grantee, scope, quote_sha256}` with your own (quote_sha256: SHA-256 of its text), or leave the model out.',
    );
  }
}

function simulated(model: Extract<PlannedModel, { transport: 'simulated' }>) {
  const { skill, refusal_rate, slip_rate } = model;
  return {
    backend: model.backend ?? 'simulated',
    base_url: null,
    api_key_env: null,
    auth: 'bearer' as const,
    requested_model: model.id,
    expected_model: model.id,
    expected_provider: null,
    provider_tag: null,
    revision: null,
    zdr: false,
    effort: 'provider_fixed',
    decoding: {
      temperature: null,
      top_p: null,
      seed: null,
      max_tokens: 64,
      max_completion_tokens: null,
    },
    extra_body: {},
    headers: {},
    simulation: { skill, refusal_rate, slip_rate },
    price: { prompt: '0', completion: '0', request: '0' },
    permission: null,
  };
}

function networked(model: Exclude<PlannedModel, { transport: 'simulated' }>) {
  checkAddress(model);
  const { decoding } = model;
  return {
    backend: model.backend ?? (model.transport === 'openrouter' ? 'openrouter' : new URL(model.base_url).host),
    base_url: model.base_url.replace(/\/+$/, ''),
    api_key_env: model.api_key_env ?? null,
    auth: model.transport === 'anthropic' ? model.auth : ('bearer' as const),
    requested_model: model.requested_model ?? model.id,
    expected_model: model.expected_model ?? null,
    expected_provider: model.transport === 'openrouter' ? (model.expected_provider ?? null) : null,
    provider_tag: model.transport === 'openrouter' ? (model.provider_tag ?? null) : null,
    revision: model.transport === 'openai' ? (model.revision ?? null) : null,
    zdr: model.transport === 'openrouter' ? model.zdr : false,
    effort: model.effort,
    decoding: {
      temperature: decoding.temperature ?? null,
      top_p: decoding.top_p ?? null,
      seed: decoding.seed ?? null,
      max_tokens: decoding.max_tokens ?? null,
      max_completion_tokens: decoding.max_completion_tokens ?? null,
    },
    extra_body: model.extra_body,
    headers: model.headers,
    simulation: null,
    price: model.price,
    permission: model.permission ?? null,
  };
}

/** Digest of what is said to a model besides its task: texts, effort and extra body. */
export function protocolDigest(protocol: Protocol, effort: string, extraBody: object): string {
  return canonicalDigest({ protocol: protocol.sha256, effort, extra_body: extraBody });
}

/** Digest of the fields of a route that govern the behaviour of its endpoint. */
export function executionDigest(route: Pick<Route, (typeof EXECUTION_FIELDS)[number]>): string {
  return canonicalDigest(Object.fromEntries(EXECUTION_FIELDS.map((field) => [field, route[field]])));
}

/**
 * Compiles one model of a plan into a route with the digests its cells are bound to. Errors: SCHEMA_INVALID where a credential would
 * cross plain http to another machine; ROUTE_NOT_PERMITTED where a permission is required and none is bound.
 */
export function compileRoute(model: PlannedModel, plan: Pick<CollectionPlan, 'protocol'>): Route {
  const parts = model.transport === 'simulated' ? simulated(model) : networked(model);
  const protocol = model.protocol ?? plan.protocol;
  const reason = unpinnedReason(model);
  return {
    model_id: model.id,
    name: model.name ?? model.id,
    slot: slotName(model.id),
    transport: model.transport,
    ...parts,
    protocol,
    timeout_s: model.timeout_s,
    concurrency: model.concurrency,
    endpoint_execution_sha256: executionDigest({ transport: model.transport, ...parts }),
    protocol_sha256: protocolDigest(protocolOf(protocol), parts.effort, parts.extra_body),
    rank_eligible: reason === null,
    ineligible_reason: reason,
  };
}
