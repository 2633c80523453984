import { fail } from '../util/error.js';
import type { Pcg64 } from './pcg64.js';

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

/** NumPy `binomial(n, p)` where it uses inversion; n = 0 or p = 0 draws nothing. */
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

/** Conditional probabilities of an even multinomial over d cells, by NumPy's rounding recursion (statistics 3.5). */
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

/** One row of NumPy `multinomial(n, [1/d]*d)`; `probabilities` comes from `conditionalProbabilities(d)`. */
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

/** NumPy `multinomial(n, [1/d]*d, size=rows)`, row-major. */
export function multinomial(source: Pcg64, n: number, d: number, rows: number): Int32Array {
  const probabilities = conditionalProbabilities(d);
  const out = new Int32Array(rows * d);
  for (let row = 0; row < rows; row++) multinomialRow(source, n, probabilities, out.subarray(row * d, (row + 1) * d));
  return out;
}
