import type { JsonObject } from '../io/json.js';
import { errorScalars, isModeration } from './envelope.js';
import type { WireOutcome } from './http.js';
import { EMPTY_READING, type Reading } from './reading.js';

type Reply = Extract<WireOutcome, { kind: 'reply' }>;

/** Codes of an error envelope in a 200 reply that say the provider took nothing (collection 1.10). */
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
    envelope: body === null ? ('not_json' as const) : ('error_envelope' as const),
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

/** Reads an error envelope that came with a 2xx status. A cached one is no evidence of anything and is not retried. */
export function readErrorEnvelope(reply: Reply, body: JsonObject, cached: boolean): Reading {
  const { code, type } = errorScalars(body);
  const base = {
    ...EMPTY_READING,
    status: reply.status,
    envelope: 'error_envelope' as const,
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
