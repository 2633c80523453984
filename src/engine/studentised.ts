import { interpolate, quantilePlace } from './quantile.js';
import { weightedQuantile } from './weighted.js';

/** Linear quantile (statistics 4) between values that may be infinite; where an end that counts is infinite, so is the quantile. */
export function betweenInfinite(a: number, b: number, fraction: number): number {
  if (fraction === 0 || a === b) return a;
  if (!Number.isFinite(a)) return a;
  return Number.isFinite(b) ? interpolate(a, b, fraction) : b;
}

/**
 * Forms the lower and the upper quantile of values of t (decisions 2.4). NaN, zero distance over zero error, counts as minus infinity for
 * the lower one and as infinity for the upper. With weights no quantile lies between two values (decisions 5.1).
 */
export function tailQuantiles(t: Float64Array, weights: Float64Array | null, tail: number): [number, number] {
  const at = (q: number, infinite: number): number => {
    const values = t.map((value) => (Number.isNaN(value) ? infinite : value));
    if (weights) {
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      return weightedQuantile({ values, weights: weights.slice() }, values.length, total, q);
    }
    values.sort();
    const { below, above, fraction } = quantilePlace(values.length, q);
    return betweenInfinite(values[below]!, values[above]!, fraction);
  };
  return [at(tail, Number.NEGATIVE_INFINITY), at(1 - tail, Number.POSITIVE_INFINITY)];
}
