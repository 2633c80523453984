import { roundHalfEven } from '../util/round.js';

/** Largest scale of a matrix. */
export const MOST_SCALE = 1e9;

/** Largest integer that a value may become where its scale is found: sums over clusters then fit the fast accumulators. */
export const MOST_UNITS = 2 ** 31;

/** How many units make one point. */
export interface FoundScale {
  /** A power of ten. */
  readonly scale: number;
  /** Whether every value is a whole number of units. */
  readonly exact: boolean;
}

/**
 * Finds the scale of real values from the decimals that are there (reading 1.13): the least power of ten that makes whole numbers of all
 * of them, as long as they stay below 2^31 and `attempts` times the scale below 10^9; else the greatest that does, without the powers that
 * every rounded value has in common. Values that are not finite do not count.
 */
export function decimalScale(values: Iterable<number>, attempts = 1): FoundScale {
  const all = values instanceof Float64Array ? values : Float64Array.from(values);
  let decimals = 0;
  let power = 1;
  let largest = 0;
  for (let i = 0; i < all.length; i += 1) {
    const value = all[i]!;
    if (!Number.isFinite(value)) continue;
    if (Math.abs(value) > largest) largest = Math.abs(value);
    while (decimals <= 9 && Math.round(value * power) / power !== value) {
      decimals += 1;
      power = 10 ** decimals;
    }
  }
  const fits = (scale: number) => scale * attempts <= MOST_SCALE && largest * scale <= MOST_UNITS;
  if (decimals === 0) return { scale: 1, exact: true };
  if (decimals <= 9 && fits(power)) return { scale: power, exact: true };
  let scale = 1;
  while (fits(scale * 10)) scale *= 10;
  while (scale > 1 && all.every((value) => !Number.isFinite(value) || roundHalfEven(value * scale) % 10 === 0))
    scale /= 10;
  return { scale, exact: false };
}
