import type { Accounting } from './accounting.js';
import { costMicros, usdToMicros } from './money.js';
import type { Reading } from './reading.js';
import type { Route } from './route.js';

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

/** Upper bounds of one request, set aside before it is sent. */
export function reservation(options: {
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
