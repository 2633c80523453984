import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { backoffSeconds, jitterSeconds, retryAfterSeconds } from '../../src/collect/throttle.js';
import { noShared, shared } from '../support/shared.js';

describe('the time before a request is repeated', () => {
  it('has the published jitter', () => {
    expect(jitterSeconds('d649caf4:final')).toBe(0.677);
  });

  it.skipIf(noShared)('has the jitter of the hash vectors', () => {
    const { retry_jitter: vector } = JSON.parse(readFileSync(shared('golden/lab/hash-vectors.json'), 'utf8'));
    expect(jitterSeconds(vector.idempotency_key)).toBe(vector.jitter_s);
  });

  it('doubles from 0.4 s up to 30 s', () => {
    const jitter = jitterSeconds('k');
    expect(backoffSeconds({ key: 'k', attempt: 0 })).toBeCloseTo(0.4 + jitter, 12);
    expect(backoffSeconds({ key: 'k', attempt: 3 })).toBeCloseTo(3.2 + jitter, 12);
    expect(backoffSeconds({ key: 'k', attempt: 20 })).toBe(30);
  });

  it('is the same every time and differs between cells', () => {
    const all = Array.from({ length: 50 }, (_, i) => jitterSeconds(`cell-${i}`));
    expect(all).toEqual(Array.from({ length: 50 }, (_, i) => jitterSeconds(`cell-${i}`)));
    expect(new Set(all).size).toBeGreaterThan(40);
    expect(all.every((s) => s >= 0 && s < 1)).toBe(true);
  });

  it('follows Retry-After in seconds and as a date', () => {
    const now = Date.parse('2026-08-20T10:00:00Z');
    expect(retryAfterSeconds('89', now)).toBe(89);
    expect(retryAfterSeconds(' 0.5 ', now)).toBe(0.5);
    expect(retryAfterSeconds('9999999999', now)).toBe(9999999999);
    expect(retryAfterSeconds('9'.repeat(400), now)).toBe(Number.MAX_SAFE_INTEGER);
    expect(retryAfterSeconds('Thu, 20 Aug 2026 10:01:30 GMT', now)).toBe(90);
    expect(retryAfterSeconds('Thu, 20 Aug 2026 09:00:00 GMT', now)).toBe(0);
    expect(retryAfterSeconds('Thursday, 20-Aug-26 10:01:30 GMT', now)).toBe(90);
    expect(retryAfterSeconds('Thu Aug 20 10:01:30 2026', now)).toBe(90);
    // Two digits of a year mean at most 50 years ahead, else the last year with them.
    expect(retryAfterSeconds('Saturday, 20-Aug-50 10:00:00 GMT', now)).toBe((Date.UTC(2050, 7, 20, 10) - now) / 1000);
    expect(retryAfterSeconds('Thursday, 20-Aug-76 10:00:00 GMT', now)).toBe((Date.UTC(2076, 7, 20, 10) - now) / 1000);
    expect(retryAfterSeconds('Sunday, 06-Nov-94 08:49:37 GMT', now)).toBe(0);
    expect(retryAfterSeconds(null, now)).toBeNull();
    expect(retryAfterSeconds('soon', now)).toBeNull();
    expect(retryAfterSeconds('-3', now)).toBeNull();
  });
});
