import { fail } from '../util/error.js';
import type { Pcg64 } from './pcg64.js';
import { mulHigh } from './philox.js';

/** 32-bit words of NumPy's PCG64: `pcg64`, or `pcgWordSource`, which makes them a block at a time. */
export type WordSource = Pick<Pcg64, 'nextUint32'>;

/**
 * Draws NumPy's `integers(0, n)` in its default 64-bit type, for n <= 2^32 - 1: Lemire's multiplication with rejection
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

/** Draws NumPy's `integers(0, n, size=count)`, row-major (statistics 3.4). */
export function integers(source: WordSource, n: number, count: number): Int32Array {
  const out = new Int32Array(count);
  for (let i = 0; i < count; i++) out[i] = boundedInteger(source, n);
  return out;
}

/**
 * Draws NumPy's `integers(0, 2, size=count, dtype=int8)`: the top bit of each byte, four bytes a 32-bit word, least significant
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

/** Draws NumPy's `choice(n, k, replace=False)` for n <= 10,000: Floyd's sample, then a shuffle (analyses 0.4). */
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

/** Above this mean NumPy leaves the inversion method for BTPE, which the published streams never reach. */
const INVERSION_LIMIT = 30;

/** NumPy's binomial by inversion, p <= 0.5: one uniform a call unless the walk passes its bound (statistics 3.6). */
function inversion(source: Pcg64, n: number, p: number): number {
  const q = 1 - p;
  const start = Math.exp(n * Math.log(q));
  const mean = n * p;
  const bound = Math.trunc(Math.min(n, mean + 10 * Math.sqrt(mean * q + 1)));
  let x = 0;
  let px = start;
  let u = source.nextDouble();
  while (u > px) {
    x++;
    if (x > bound) {
      x = 0;
      px = start;
      u = source.nextDouble();
    } else {
      u -= px;
      px = ((n - x + 1) * p * px) / (x * q);
    }
  }
  return x;
}

/**
 * Draws NumPy's `binomial(n, p)` where it uses inversion; n = 0 or p = 0 draws nothing (statistics 3.6).
 *
 * Errors: BOUND_EXCEEDED where NumPy uses another method.
 */
export function binomial(source: Pcg64, n: number, p: number): number {
  if (n === 0 || p === 0) return 0;
  const small = p <= 0.5 ? p : 1 - p;
  if (small * n > INVERSION_LIMIT) {
    fail(
      'BOUND_EXCEEDED',
      null,
      `binomial(${n}, ${p}) needs the BTPE method`,
      'Replayed streams cover designs whose conditional means stay at or below 30; use --rng philox.',
    );
  }
  return p <= 0.5 ? inversion(source, n, small) : n - inversion(source, n, small);
}

/** Forms the conditional probabilities of an even multinomial over d cells, by NumPy's rounding recursion (statistics 3.5). */
export function conditionalProbabilities(d: number): Float64Array {
  const p = 1 / d;
  const out = new Float64Array(Math.max(0, d - 1));
  let rest = 1;
  for (let j = 0; j < out.length; j++) {
    out[j] = p / rest;
    rest -= p;
  }
  return out;
}

/** Draws one row of NumPy's `multinomial(n, [1/d]*d)` (statistics 3.5); `probabilities` comes from `conditionalProbabilities(d)`. */
export function multinomialRow(source: Pcg64, n: number, probabilities: Float64Array, out: Int32Array): void {
  out.fill(0);
  let left = n;
  for (let j = 0; j < probabilities.length; j++) {
    const count = binomial(source, left, probabilities[j]!);
    out[j] = count;
    left -= count;
    if (left <= 0) return;
  }
  out[probabilities.length] = left;
}

/** Draws NumPy's `multinomial(n, [1/d]*d, size=rows)`, row-major (statistics 3.5). */
export function multinomial(source: Pcg64, n: number, d: number, rows: number): Int32Array {
  const probabilities = conditionalProbabilities(d);
  const out = new Int32Array(rows * d);
  for (let row = 0; row < rows; row++) multinomialRow(source, n, probabilities, out.subarray(row * d, (row + 1) * d));
  return out;
}
