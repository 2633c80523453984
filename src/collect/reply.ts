import { isObject, type JsonObject } from '../io/json.js';
import type { HttpOutcome } from './http.js';
import { isDecimal } from './money.js';
import { type Claim, EMPTY_READING, type Reading, type ReplyKind } from './reading.js';
import { safeScalar } from './redact.js';

/** Reads a short text; half of a surrogate pair, also one that the cut leaves, becomes a replacement character. */
export function textOf(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return null;
  return value.slice(0, 256).replace(/\p{Surrogate}/gu, '\ufffd');
}

/** More tokens or milliseconds than any one reply has; what claims more is not believed. */
const MOST_COUNT = 1_000_000_000;

/** Reads a count, also one that is written as a text of digits; null for anything but a whole number from zero to a billion. */
export function countOf(value: unknown): number | null {
  if (typeof value === 'string') return /^\d{1,10}$/.test(value) ? countOf(Number(value)) : null;
  const counted = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
  return counted && value <= MOST_COUNT ? value : null;
}

/** Reads a claimed cost in USD as a decimal; null for anything that is no number from zero to a million. */
export function amountOf(value: unknown): string | null {
  if (typeof value === 'number' && value > 0 && value < 1e-9) return '0.000000001';
  if ((typeof value !== 'string' && typeof value !== 'number') || !isDecimal(value)) return null;
  return Number(value) <= 1_000_000 ? String(value) : null;
}

/** Lists the fields that say something which is no count or no amount; a field that is absent or null says nothing. */
export function claimsIn(
  object: JsonObject,
  fields: readonly { readonly of: Claim['of']; readonly field: string }[],
): readonly Claim[] {
  return fields.flatMap(({ of, field }) => {
    const value = object[field];
    if (value === undefined || value === null) return [];
    if ((of === 'cost' ? amountOf(value) : countOf(value)) !== null) return [];
    const said = typeof value === 'number' ? String(value) : typeof value === 'string' ? safeScalar(value) : null;
    return [{ of, field, said: said ?? 'no number' }];
  });
}

/** Reads the JSON object in a body, a byte order mark before it or not; null for anything else. */
export function parseObject(body: Buffer): JsonObject | null {
  try {
    const value: unknown = JSON.parse(body.toString('utf8').replace(/^\ufeff/, ''));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Tells what kind of document a 200 reply is (collection 1.8). An error member decides before anything else. */
export function replyKind(body: JsonObject): ReplyKind {
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

/** Reads the safe part of an error member: code, type, provider. The message is never kept, it may quote the prompt. */
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

/** Tells whether an error says that a content policy stopped the request, not its form. */
function isModeration(body: JsonObject): boolean {
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

type Reply = Extract<HttpOutcome, { kind: 'reply' }>;

/** Codes of an error in a 200 reply that say the provider took nothing (collection 1.10). */
const TRANSIENT = new Set(['408', '429', '502', '503']);

/** Error types and codes that mean an exhausted account, whatever the status. */
const QUOTA = /quota|credit|billing|balance|payment|spend_limit/i;

function labelled(status: number, body: JsonObject | null): string {
  const { code, type, provider } = body === null ? { code: null, type: null, provider: null } : errorScalars(body);
  const words = [
    `HTTP ${status}`,
    code === null ? '' : `code ${code}`,
    type === null ? '' : `type ${type}`,
    provider === null ? '' : `provider ${provider}`,
  ];
  return words.filter((word) => word !== '').join(', ');
}

/**
 * Reads a reply whose status is not 2xx. 408 and 5xx leave open whether the work was done, so they are never asked again; 429, a
 * refused credential, an empty account and an unknown model are certain rejections (collection 1.10).
 */
export function readRefusal(reply: Reply, body: JsonObject | null): Reading {
  const { status } = reply;
  const base = {
    ...EMPTY_READING,
    status,
    replyKind: body === null ? ('not_json' as const) : ('error_envelope' as const),
    message: labelled(status, body),
    retryAfter: reply.headers['retry-after'] ?? null,
  };
  if (status === 408 || status >= 500) {
    return { ...base, delivery: 'ambiguous', failure: 'uncertain_status' };
  }
  if (status < 400) return { ...base, delivery: 'rejected', failure: 'redirected', suspend: true };
  if (body !== null && isModeration(body)) {
    return {
      ...base,
      delivery: 'refused',
      failure: 'content_filter',
      finishClass: 'content_filter',
    };
  }
  const scalars = body === null ? null : errorScalars(body);
  const quota = QUOTA.test(`${scalars?.code ?? ''} ${scalars?.type ?? ''}`);
  if (status === 402 || quota) {
    return { ...base, delivery: 'rejected', failure: 'quota', suspend: true };
  }
  if (status === 429) {
    return { ...base, delivery: 'rejected', failure: 'rate_limited', retryable: true };
  }
  if (status === 401 || status === 403) {
    return { ...base, delivery: 'rejected', failure: 'credential', suspend: true };
  }
  if (status === 404) {
    return { ...base, delivery: 'rejected', failure: 'route_not_found', suspend: true };
  }
  return { ...base, delivery: 'refused', failure: 'request_rejected' };
}

/** Reads an error that came with a 2xx status. A cached one is no evidence of anything and is not retried. */
export function readErrorReply(reply: Reply, body: JsonObject, cached: boolean): Reading {
  const { code, type } = errorScalars(body);
  const base = {
    ...EMPTY_READING,
    status: reply.status,
    replyKind: 'error_envelope' as const,
    message: labelled(reply.status, body),
    retryAfter: reply.headers['retry-after'] ?? null,
  };
  if (!cached && code !== null && TRANSIENT.has(code)) {
    return { ...base, delivery: 'rejected', failure: 'transient_envelope', retryable: true };
  }
  if (isModeration(body)) {
    return {
      ...base,
      delivery: 'accepted',
      failure: 'content_filter',
      finishClass: 'content_filter',
    };
  }
  if (code === '402' || QUOTA.test(`${code ?? ''} ${type ?? ''}`)) {
    return { ...base, delivery: 'rejected', failure: 'quota', suspend: true };
  }
  return { ...base, delivery: 'accepted', failure: 'error_envelope', finishClass: 'error' };
}
