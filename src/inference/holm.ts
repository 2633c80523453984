import { fail, shown } from '../util/error.js';

/**
 * Holm's step-down adjusted p-values, in input order (statistics 7): never below the raw value, never above 1,
 * monotone in it, equal for equal p. A p outside [0, 1] or not a number is an error that names its place.
 */
export function holm(p: ArrayLike<number>): Float64Array {
  const n = p.length;
  for (let i = 0; i < n; i += 1) {
    const value = p[i]!;
    if (!(value >= 0 && value <= 1))
      fail('P_INVALID', null, `hypothesis ${i} has p = ${shown(value)}`, 'A p-value lies between 0 and 1.');
  }
  const order = Uint32Array.from({ length: n }, (_, i) => i).sort((a, b) => p[a]! - p[b]! || a - b);
  const adjusted = new Float64Array(n);
  let running = 0;
  for (let k = 0; k < n; k += 1) {
    const i = order[k]!;
    running = Math.max(running, Math.min(1, (n - k) * p[i]!));
    adjusted[i] = running;
  }
  return adjusted;
}
