import type { Pcg64 } from './pcg64.js';
import { mulHigh } from './philox.js';

/** 32-bit words of NumPy's PCG64: `pcg64`, or `pcgWordSource`, which makes them a block at a time. */
export type WordSource = Pick<Pcg64, 'nextUint32'>;

/**
 * NumPy `integers(0, n)` in its default 64-bit type, for n <= 2^32 - 1: Lemire's multiplication with rejection
 * (statistics 3.4). n = 1 draws nothing.
 */
export function boundedInteger(source: WordSource, n: number): number {
  if (n <= 1) return 0;
  let word = source.nextUint32();
  let low = Math.imul(word, n) >>> 0;
  if (low < n) {
    const threshold = (4294967296 - n) % n;
    while (low < threshold) {
      word = source.nextUint32();
      low = Math.imul(word, n) >>> 0;
    }
  }
  return mulHigh(word, n);
}

/** NumPy `integers(0, n, size=count)`, row-major. */
export function integers(source: WordSource, n: number, count: number): Int32Array {
  const out = new Int32Array(count);
  for (let i = 0; i < count; i++) out[i] = boundedInteger(source, n);
  return out;
}

/**
 * NumPy `integers(0, 2, size=count, dtype=int8)`: the top bit of each byte, four bytes a 32-bit word, least significant
 * first. The bytes that a call leaves over are dropped; the spare 32-bit half is not (statistics 3.3).
 */
export function signBits(source: WordSource, count: number): Uint8Array {
  const bits = new Uint8Array(count);
  for (let start = 0; start < count; start += 4) {
    const word = source.nextUint32();
    const end = Math.min(start + 4, count);
    for (let i = start; i < end; i++) bits[i] = (word >>> (8 * (i - start) + 7)) & 1;
  }
  return bits;
}

/** NumPy `choice(n, k, replace=False)` for n <= 10,000: Floyd's sample, then a shuffle (analyses 0.4). */
export function choice(source: WordSource, n: number, k: number): Int32Array {
  const taken = new Uint8Array(n);
  const chosen = new Int32Array(k);
  for (let i = 0; i < k; i++) {
    const last = n - k + i;
    const candidate = boundedInteger(source, last + 1);
    const value = taken[candidate] ? last : candidate;
    taken[value] = 1;
    chosen[i] = value;
  }
  for (let i = k - 1; i > 0; i--) {
    const j = boundedInteger(source, i + 1);
    const value = chosen[i]!;
    chosen[i] = chosen[j]!;
    chosen[j] = value;
  }
  return chosen;
}
