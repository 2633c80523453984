import type { ValueRange } from './student.js';

/** Points that scores are commonly bounded by, narrowest first. */
const USUAL = [1, 100];

/**
 * Finds the range of values that Student and bootstrap-t intervals are cut at, in points (decisions 2.4): 0 to 1 or 0 to 100 where every cell lies
 * there, else the least and the greatest cell. `values` are integers in units of 1 / scale.
 */
export function valueRange(values: ArrayLike<number>, scale: number): ValueRange {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i += 1) {
    low = Math.min(low, values[i]!);
    high = Math.max(high, values[i]!);
  }
  const usual = USUAL.find((most) => low >= 0 && high <= most * scale);
  return usual === undefined ? [low / scale, high / scale] : [0, usual];
}
