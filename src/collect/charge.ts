import { isObject, type JsonObject } from '../io/json.js';
import { accountingUrl } from './cell-request.js';
import type { Clock } from './clock.js';
import type { Send } from './http.js';
import { costMicros, usdToMicros } from './money.js';
import type { Reading } from './reading.js';
import { amountOf, countOf, parseObject, textOf } from './reply.js';
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
    reconciled: cost !== null && model !== null && provider !== null,
  };
}

/**
 * Asks for the accounting row of a generation, which appears some time after the reply: up to `attempts` times with delays of
 * delay_s x 2^k (collection 1.8). A lookup costs nothing, so its failures are not errors. Null when nothing was learnt.
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
    if (k > 0) await clock.sleep(delaySeconds * 1000 * 2 ** (k - 1));
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
  /** accounting, envelope, rate_card: known. not_charged: the provider took nothing. unknown: the reservation stays booked out. */
  readonly basis: 'accounting' | 'envelope' | 'rate_card' | 'not_charged' | 'unknown';
}

/** Books a request: the provider's own account first, then the cost in the reply, then usage at frozen prices. */
export function chargeOf(options: {
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
  };
  const micros = accounting?.costMicros ?? null;
  if (micros !== null) return { ...tokens, micros, basis: 'accounting' };
  if (reading.delivery === 'refused') return { ...tokens, micros: 0, basis: 'not_charged' };
  if (reading.costUsd !== null) {
    return { ...tokens, micros: usdToMicros(reading.costUsd), basis: 'envelope' };
  }
  if (usage !== null) {
    const { prompt: promptTokens, completion: completionTokens } = usage;
    return {
      ...tokens,
      micros: costMicros({ price: route.price, promptTokens, completionTokens }),
      basis: 'rate_card',
    };
  }
  return { ...tokens, micros: 0, basis: 'unknown' };
}

/** Tokens no tokeniser can exceed: every token covers at least one byte; a message adds its frame. */
const FRAME_TOKENS = 64;

/** Bounds the cost (micro-USD) and the tokens of one request from above, to be set aside before it is sent. */
export function reservationFor(options: {
  readonly route: Route;
  readonly promptBytes: number;
  readonly messages: number;
}): { readonly micros: number; readonly tokens: number } {
  const { route, promptBytes, messages } = options;
  const promptTokens = promptBytes + FRAME_TOKENS * messages;
  const completionTokens = route.decoding.max_tokens ?? route.decoding.max_completion_tokens ?? 0;
  return {
    micros: costMicros({ price: route.price, promptTokens, completionTokens }),
    tokens: promptTokens + completionTokens,
  };
}
