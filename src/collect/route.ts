import { canonicalDigest } from '../io/canonical.js';
import { slotName } from '../ledger/cell-key.js';
import { fail } from '../util/error.js';
import type { CollectionPlan, PlannedModel } from './collection-plan.js';
import type { Price } from './money.js';
import { type Protocol, type ProtocolName, protocolOf } from './protocol.js';

export type HeaderValue = string | { readonly env: string };

/** Decoding values as sent; null where the provider fixes them. */
export interface Decoding {
  readonly temperature: number | null;
  readonly top_p: number | null;
  readonly seed: number | null;
  readonly max_tokens: number | null;
  readonly max_completion_tokens: number | null;
}

export interface Simulation {
  readonly skill: number;
  readonly refusal_rate: number;
  readonly slip_rate: number;
}

/** One model's frozen way to its answers: a row of the manifest. */
export interface Route {
  readonly model_id: string;
  readonly name: string;
  readonly slot: string;
  readonly transport: 'openrouter' | 'openai' | 'anthropic' | 'simulated';
  readonly backend: string;
  readonly base_url: string | null;
  readonly api_key_env: string | null;
  readonly auth: 'bearer' | 'x-api-key';
  readonly requested_model: string;
  readonly expected_model: string | null;
  readonly expected_provider: string | null;
  readonly provider_tag: string | null;
  readonly revision: string | null;
  readonly zdr: boolean;
  readonly effort: string;
  readonly decoding: Decoding;
  readonly extra_body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, HeaderValue>>;
  readonly simulation: Simulation | null;
  readonly protocol: ProtocolName;
  readonly timeout_s: number;
  readonly concurrency: number;
  readonly price: Price;
  readonly permission: object | null;
  /** What governs behaviour: no price, no name, no timeout. */
  readonly endpoint_execution_sha256: string;
  /** Texts, effort and extra body. */
  readonly protocol_sha256: string;
  readonly rank_eligible: boolean;
  /** Why the route is not pinned; null when it is. Simulated routes are pinned and carry their own label. */
  readonly ineligible_reason: string | null;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** True for an address of this machine. */
function isLoopback(url: string): boolean {
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
  if (model.requires_permission && model.permission === undefined) {
    fail(
      'ROUTE_NOT_PERMITTED',
      null,
      `${model.id}: the route requires a permission and the plan binds none`,
      'Add permission {provider, grantee, scope, quote_sha256}, or leave the model out.',
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

export function protocolDigest(protocol: Protocol, effort: string, extraBody: object): string {
  return canonicalDigest({ protocol: protocol.sha256, effort, extra_body: extraBody });
}

/** Digest of what governs the behaviour of an endpoint. */
export function executionDigest(
  route: Pick<
    Route,
    | 'transport'
    | 'base_url'
    | 'requested_model'
    | 'expected_model'
    | 'expected_provider'
    | 'provider_tag'
    | 'revision'
    | 'zdr'
    | 'headers'
    | 'simulation'
  >,
): string {
  return canonicalDigest({
    transport: route.transport,
    base_url: route.base_url,
    requested_model: route.requested_model,
    expected_model: route.expected_model,
    expected_provider: route.expected_provider,
    provider_tag: route.provider_tag,
    revision: route.revision,
    zdr: route.zdr,
    headers: route.headers,
    simulation: route.simulation,
  });
}

/** Compiles one model of a plan into a route with the digests its cells are bound to. */
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
