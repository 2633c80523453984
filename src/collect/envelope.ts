import { isObject, type JsonObject } from '../io/json.js';
import { isDecimal } from './money.js';
import type { EnvelopeClass } from './reading.js';
import { safeScalar } from './redact.js';

/** A short text; half of a surrogate pair, also one that the cut leaves, becomes a replacement character. */
export function textOf(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return null;
  return value.slice(0, 256).replace(/\p{Surrogate}/gu, '\ufffd');
}

/** More tokens or milliseconds than any one reply has; what claims more is not believed. */
const MOST_COUNT = 1_000_000_000;

export function countOf(value: unknown): number | null {
  const counted = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
  return counted && value <= MOST_COUNT ? value : null;
}

/** A claimed cost in USD as a decimal; null for anything that is no number from zero to a million. */
export function amountOf(value: unknown): string | null {
  if ((typeof value !== 'string' && typeof value !== 'number') || !isDecimal(value)) return null;
  return Number(value) <= 1_000_000 ? String(value) : null;
}

/** The JSON object in a body, a byte order mark before it or not; null for anything else. */
export function parseObject(body: Buffer): JsonObject | null {
  try {
    const value: unknown = JSON.parse(body.toString('utf8').replace(/^\ufeff/, ''));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** What kind of document a 200 reply is (collection 1.8). An error member decides before anything else. */
export function envelopeClass(body: JsonObject): EnvelopeClass {
  if (body.error !== undefined && body.error !== null) return 'error_envelope';
  if (body.type === 'error') return 'error_envelope';
  if ('success' in body && ('result' in body || 'errors' in body)) return 'gateway_api_envelope';
  if ('output' in body || (typeof body.object === 'string' && body.object.startsWith('response'))) {
    return 'responses_api_schema_mismatch';
  }
  if (Array.isArray(body.choices) && body.choices.length > 0) return 'chat_completions';
  if (body.type === 'message' && Array.isArray(body.content)) return 'messages';
  return 'unknown_envelope';
}

/** The safe part of an error member: code, type, provider. The message is never kept, it may quote the prompt. */
export function errorScalars(body: JsonObject): {
  readonly code: string | null;
  readonly type: string | null;
  readonly provider: string | null;
} {
  const error = isObject(body.error) ? body.error : {};
  const metadata = isObject(error.metadata) ? error.metadata : {};
  return {
    code: safeScalar(error.code),
    type: safeScalar(error.type ?? metadata.error_type),
    provider: safeScalar(metadata.provider_name),
  };
}

/** True when an error says that a content policy stopped the request, not its form. */
export function isModeration(body: JsonObject): boolean {
  const { code, type } = errorScalars(body);
  const error = isObject(body.error) ? body.error : {};
  const metadata = isObject(error.metadata) ? error.metadata : {};
  return (
    code === 'content_filter' ||
    code === 'content_policy_violation' ||
    type === 'content_filter' ||
    Array.isArray(metadata.reasons) ||
    metadata.flagged_input !== undefined
  );
}
