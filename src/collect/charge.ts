import { isObject, type JsonObject } from '../io/json.js';
import type { BillingBasis } from '../ledger/record.js';
import type { Reservation } from './budget.js';
import { accountingUrl } from './cell-request.js';
import type { Clock } from './clock.js';
import type { Send } from './http.js';
import { costMicros, microsToUsd, usdToMicros } from './money.js';
import type { Claim, Reading } from './reading.js';
import { amountOf, claimsIn, countOf, parseObject, textOf } from './reply.js';
import type { Route } from './route.js';

/** OpenRouter's own account of one generation. */
export interface Accounting {
  readonly generationId: string;
  readonly costMicros: number | null;
  readonly model: string | null;
  readonly provider: string | null;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly reasoningTokens: number | null;
  readonly latencyMs: number | null;
  /** Amounts and counts in the row that are none. */
  readonly claims: readonly Claim[];
  /** Cost, model and provider are all there. */
  readonly reconciled: boolean;
}

function readAccounting(generationId: string, body: JsonObject): Accounting {
  const data = isObject(body.data) ? body.data : body;
  const cost = amountOf(data.total_cost);
  const model = textOf(data.model);
  const provider = textOf(data.provider_name);
  return {
    generationId,
    costMicros: cost === null ? null : usdToMicros(cost),
    model,
    provider,
    promptTokens: countOf(data.tokens_prompt) ?? countOf(data.native_tokens_prompt),
    completionTokens: countOf(data.tokens_completion) ?? countOf(data.native_tokens_completion),
    reasoningTokens: countOf(data.native_tokens_reasoning),
    latencyMs: countOf(data.generation_time),
    claims: claimsIn(data, [
      { of: 'cost', field: 'total_cost' },
      { of: 'tokens', field: 'tokens_prompt' },
      { of: 'tokens', field: 'tokens_completion' },
    ]),
    reconciled: cost !== null && model !== null && provider !== null,
  };
}

/** A plan may ask for twenty lookups, each after twice the time of the one before. */
const LONGEST_DELAY_MS = 60_000;

/**
 * Asks for the accounting row of a generation, which appears some time after the reply: up to `attempts` times with delays of
 * delay_s x 2^k, at most a minute (collection 1.8). A lookup costs nothing, so its failures are not errors. Null when nothing was learnt.
 */
export async function fetchAccounting(options: {
  readonly route: Route;
  readonly generationId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly send: Send;
  readonly clock: Clock;
  readonly attempts: number;
  readonly delaySeconds: number;
}): Promise<Accounting | null> {
  const { route, generationId, headers, send, clock, attempts, delaySeconds } = options;
  let last: Accounting | null = null;
  for (let k = 0; k < attempts; k += 1) {
    if (k > 0) await clock.sleep(Math.min(LONGEST_DELAY_MS, delaySeconds * 1000 * 2 ** (k - 1)));
    const outcome = await send({
      method: 'GET',
      url: accountingUrl(route, generationId),
      headers,
      body: null,
      timeoutMs: 30_000,
      maxBodyBytes: 65_536,
    });
    if (outcome.kind !== 'reply' || outcome.status !== 200 || outcome.oversized) continue;
    const body = parseObject(outcome.body);
    if (body === null) continue;
    last = readAccounting(generationId, body);
    if (last.reconciled) return last;
  }
  return last;
}

/** What one request is booked at, and how that is known. */
export interface Charge {
  readonly micros: number;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly reasoningTokens: number | null;
  /**
   * accounting, envelope, rate_card: known. not_charged: the provider took nothing. unknown: the reservation stays booked out. implausible: what
   * was claimed cannot be, and the reservation is booked in its place.
   */
  readonly basis: Exclude<BillingBasis, 'imported'>;
  /** What was claimed and is not believed. */
  readonly claims: readonly Claim[];
}

/** A claim of more than this many times the reservation, which no reply can exceed, is not believed. */
const FAR_PAST = 10;
/** What it may exceed it by in any case: a route whose plan says that it is free may have got a price. */
const FAR_MICROS = 10_000;
const FAR_TOKENS = 1_000;

/** The claims that decide a charge and cannot be: what is no number, and what is far past the reservation. */
function implausible(options: {
  readonly charge: Charge;
  readonly reservation: Reservation;
  readonly reading: Reading;
  readonly accounting: Accounting | null;
}): readonly Claim[] {
  const { charge, reservation, reading, accounting } = options;
  const own = accounting?.claims ?? [];
  // The reply counts only where the account says nothing.
  const rest = reading.claims.filter(({ of }) =>
    of === 'cost'
      ? accounting?.costMicros == null
      : accounting?.promptTokens == null || accounting.completionTokens === null,
  );
  const tokens = (charge.promptTokens ?? 0) + (charge.completionTokens ?? 0);
  const far: Claim[] = [];
  if (charge.micros > FAR_PAST * reservation.micros + FAR_MICROS)
    far.push({ of: 'cost', field: 'cost', said: `${microsToUsd(charge.micros)} USD` });
  if (tokens > FAR_PAST * reservation.tokens + FAR_TOKENS)
    far.push({ of: 'tokens', field: 'tokens', said: String(tokens) });
  return [...own, ...rest, ...far];
}

function statedCharge(options: {
  readonly route: Route;
  readonly reading: Reading;
  readonly accounting: Accounting | null;
}): Charge {
  const { route, reading, accounting } = options;
  const { usage } = reading;
  const tokens = {
    promptTokens: accounting?.promptTokens ?? usage?.prompt ?? null,
    completionTokens: accounting?.completionTokens ?? usage?.completion ?? null,
    reasoningTokens: accounting?.reasoningTokens ?? usage?.reasoning ?? null,
    claims: [],
  };
  const micros = accounting?.costMicros ?? null;
  if (micros !== null) return { ...tokens, micros, basis: 'accounting' };
  if (reading.delivery === 'refused') return { ...tokens, micros: 0, basis: 'not_charged' };
  if (reading.costUsd !== null) return { ...tokens, micros: usdToMicros(reading.costUsd), basis: 'envelope' };
  const { promptTokens, completionTokens } = tokens;
  if (promptTokens !== null && completionTokens !== null)
    return {
      ...tokens,
      micros: costMicros({ price: route.price, promptTokens, completionTokens }),
      basis: 'rate_card',
    };
  return { ...tokens, micros: 0, basis: 'unknown' };
}

/**
 * Books a request: the provider's own account first, then the cost in the reply, then usage at frozen prices. A claim that cannot be, or that is
 * far past the reservation, is booked at the reservation, cost and tokens both (collection 1.13).
 */
export function chargeOf(options: {
  readonly route: Route;
  readonly reservation: Reservation;
  readonly reading: Reading;
  readonly accounting: Accounting | null;
}): Charge {
  const { route, reservation } = options;
  const charge = statedCharge(options);
  if (charge.basis === 'not_charged') return charge;
  const claims = implausible({ charge, ...options });
  if (claims.length === 0) return charge;
  const completionTokens = outputCeiling(route);
  return {
    micros: reservation.micros,
    promptTokens: Math.max(0, reservation.tokens - completionTokens),
    completionTokens,
    reasoningTokens: null,
    basis: 'implausible',
    claims,
  };
}

/** Says in words what was claimed. */
export function claimWords(claims: readonly Claim[]): string {
  return claims.map(({ field, said }) => `${field} ${said}`).join(', ');
}

function outputCeiling({ decoding }: Pick<Route, 'decoding'>): number {
  return decoding.max_tokens ?? decoding.max_completion_tokens ?? 0;
}

/** Tokens no tokeniser can exceed: every token covers at least one byte; a message adds its frame. */
const FRAME_TOKENS = 64;

/** Bounds the cost (micro-USD) and the tokens of one request from above, to be set aside before it is sent. */
export function reservationFor(options: {
  readonly route: Route;
  readonly promptBytes: number;
  readonly messages: number;
}): Reservation {
  const { route, promptBytes, messages } = options;
  const promptTokens = promptBytes + FRAME_TOKENS * messages;
  const completionTokens = outputCeiling(route);
  return {
    micros: costMicros({ price: route.price, promptTokens, completionTokens }),
    tokens: promptTokens + completionTokens,
  };
}
