import { sha256 } from '../io/digest.js';

/** Our own backoff never waits longer than this (collection 1.10). */
const MAX_BACKOFF_SECONDS = 30;

/** 0 to 0.999 s, fixed by the request: (first 8 hex digits of SHA-256(key) mod 1000) / 1000. */
export function jitterSeconds(key: string): number {
  return (Number.parseInt(sha256(key).slice(0, 8), 16) % 1000) / 1000;
}

/** Seconds before attempt `attempt + 1` of a request that named no waiting time: min(30, 0.4 x 2^attempt + jitter). */
export function backoffSeconds(options: { readonly key: string; readonly attempt: number }): number {
  return Math.min(MAX_BACKOFF_SECONDS, 0.4 * 2 ** options.attempt + jitterSeconds(options.key));
}

/**
 * Seconds asked for by a Retry-After header: a number of seconds or an HTTP date. Null when absent or meaningless.
 * `nowMs` is the clock, milliseconds since 1970.
 */
export function retryAfterSeconds(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  if (!/^[A-Za-z]{3},? /.test(text)) return null;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, (date - nowMs) / 1000);
}
