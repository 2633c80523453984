import { fail, shown } from '../util/error.js';
import { clopperPearson } from './binomial.js';

/**
 * Gives Holm's step-down adjusted p-values, in input order (statistics 7): never below the raw value, never above 1,
 * monotone in it, equal for equal p. A p outside [0, 1] or not a number is an error that names its place.
 */
export function holm(p: ArrayLike<number>): Float64Array {
  const n = p.length;
  for (let i = 0; i < n; i += 1) {
    const value = p[i]!;
    if (!(value >= 0 && value <= 1))
      fail('P_INVALID', null, `hypothesis ${i} has p = ${shown(value)}`, 'A p-value lies between 0 and 1.');
  }
  // Of equal p the first in order has the largest product, which the others take over.
  const { values, counts } = distinctValues(p);
  const least = new Float64Array(values.length);
  let running = 0;
  for (let k = 0, before = 0; k < values.length; before += counts[k++]!) {
    running = Math.max(running, Math.min(1, (n - before) * values[k]!));
    least[k] = running;
  }
  const adjusted = new Float64Array(n);
  for (let i = 0; i < n; i += 1) adjusted[i] = least[countBelow(values, p[i]!)]!;
  return adjusted;
}

/** Different values up to here are told apart as they come, in place of all being sorted. */
const FEW_VALUES = 64;

/** Lists the different values, ascending, and how often each is there. */
function distinctValues(p: ArrayLike<number>): { readonly values: Float64Array; readonly counts: Float64Array } {
  const known = new Map<number, number>();
  for (let i = 0; i < p.length && known.size <= FEW_VALUES; i += 1) known.set(p[i]!, (known.get(p[i]!) ?? 0) + 1);
  if (known.size <= FEW_VALUES) {
    const values = Float64Array.from(known.keys()).sort();
    return { values, counts: values.map((value) => known.get(value)!) };
  }
  const sorted = Float64Array.from(p).sort();
  const counts = new Float64Array(p.length);
  let count = 0;
  for (let k = 0; k < sorted.length; k += 1) {
    if (count === 0 || sorted[k] !== sorted[count - 1]) sorted[count++] = sorted[k]!;
    counts[count - 1]! += 1;
  }
  return { values: sorted.subarray(0, count), counts: counts.subarray(0, count) };
}

/** Counts the entries below x of the first `length` of an ascending list. */
export function countBelow(sorted: Float64Array, x: number, length = sorted.length): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Gives a p-value by the one rule of the project: (e + 1) / (R + 1), so never zero (statistics 6). */
export function pValue(exceedances: number, draws: number): number {
  return (exceedances + 1) / (draws + 1);
}

export interface TestFamily {
  readonly p: Float64Array;
  readonly holm: Float64Array;
  /** Holm p < alpha, strictly. */
  readonly significant: readonly boolean[];
  /** 99 % Clopper-Pearson interval of the p that endless draws would give. */
  readonly interval99: readonly (readonly [number, number])[];
  /** Holm's decision differs between all lower and all upper ends of those intervals: more draws could change it. */
  readonly couldFlip: readonly boolean[];
}

/** Tests one family of hypotheses from its exceedance counts. */
export function testFamily(exceedances: ArrayLike<number>, draws: number, alpha: number): TestFamily {
  const counts = Float64Array.from(exceedances);
  const known = new Map<number, readonly [number, number]>();
  const interval99 = Array.from(counts, (count) => {
    const before = known.get(count);
    if (before) return before;
    const made = clopperPearson({ count, trials: draws, confidence: 0.99 });
    known.set(count, made);
    return made;
  });
  const p = counts.map((count) => pValue(count, draws));
  const adjusted = holm(p);
  const low = holm(interval99.map(([lower]) => lower));
  const high = holm(interval99.map(([, upper]) => upper));
  return {
    p,
    holm: adjusted,
    significant: Array.from(adjusted, (value) => value < alpha),
    interval99,
    couldFlip: Array.from(low, (value, i) => value < alpha !== high[i]! < alpha),
  };
}
