import { sortedQuantile } from '../engine/quantile.js';

/** Tenth and ninetieth percentile of a quantity, the yardstick of its labels. */
export interface Spread {
  readonly p10: number;
  readonly p90: number;
}

export type Level = 'very low' | 'low' | 'moderate' | 'high' | 'very high';

/** p10 and p90 by linear interpolation. Sorts `values` in place. */
export function spreadOf(values: Float64Array): Spread {
  values.sort();
  return { p10: sortedQuantile(values, 0.1), p90: sortedQuantile(values, 0.9) };
}

/**
 * Label of a value (compiler a.6): at or beyond p10 and p90 `very low` and `very high`; `low` and `high` when more than 30 %
 * of the way from their midpoint; else `moderate`.
 */
export function levelOf(value: number, { p10, p90 }: Spread): Level {
  if (value <= p10) return 'very low';
  if (value >= p90) return 'very high';
  const middle = (p10 + p90) / 2;
  if (value < middle - 0.3 * (middle - p10)) return 'low';
  if (value > middle + 0.3 * (p90 - middle)) return 'high';
  return 'moderate';
}
