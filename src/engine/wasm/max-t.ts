import type { Integers } from '../bounds.js';
import { pairCount, pairIndex } from '../design.js';
import type { Arena } from './arena.js';

/** Takes the absolute value. */
export const absolute = <T extends number | bigint>(x: T): T => (x < 0 ? (-x as T) : x);

/** Forms the absolute difference of two observed sums. */
export function distance(observed: Integers, i: number, j: number): number | bigint {
  return observed instanceof Float64Array
    ? absolute(observed[i]! - observed[j]!)
    : absolute(observed[i]! - observed[j]!);
}

/** Where the max-T inputs lie in kernel memory (assembly/maxt.ts); no levels when it is not asked for. */
export interface MaxTPlaces {
  readonly inverse: number;
  /** `inverse` in f32. */
  readonly coarse: number;
  readonly levels: number;
  readonly levelCount: number;
}

/** Observed statistics of the pairs of ranked rows. */
export interface MaxTLevels {
  /** In pair order. */
  readonly statistics: Float64Array;
  readonly ascending: Float64Array;
  /** Pairs that never differ. */
  readonly flat: Uint8Array;
}

/** Puts reciprocal root sums of squares, ranked x width f64, into kernel memory (statistics 6.7). */
function putInverse(arena: Arena, totals: Integers, rows: number, ranked: number, width: number): number {
  const clusters = totals.length / rows;
  const inverse = arena.take(ranked * width * 8);
  const mark = arena.mark();
  const exact = totals instanceof Float64Array;
  const cells = exact ? new Float64Array(clusters * width) : new BigInt64Array(clusters * width);
  for (let c = 0; c < clusters; c++)
    for (let m = 0; m < rows; m++) (cells[c * width + m] as number) = totals[c * rows + m] as number;
  const at = arena.put(cells);
  const call = { totals: at, clusters, ranked, lanes: width, inverse };
  if (exact) arena.kernels.inverseRootSquares(call);
  else arena.kernels.inverseWideRootSquares(call);
  arena.reset(mark);
  return inverse;
}

/** Puts reciprocals and levels of the ranked rows into kernel memory; none for `ranked` 0. */
export function prepareMaxT(
  arena: Arena,
  totals: Integers,
  observed: Integers,
  ranked: number,
  width: number,
): { readonly places: MaxTPlaces; readonly levels: MaxTLevels } {
  const inverse = ranked > 0 ? putInverse(arena, totals, observed.length, ranked, width) : 0;
  const levelCount = pairCount(ranked);
  const flat = new Uint8Array(levelCount);
  const statistics = new Float64Array(levelCount);
  const reciprocals = arena.get(inverse, new Float64Array(ranked * width));
  for (let i = 0; i < ranked; i++)
    for (let j = i + 1; j < ranked; j++) {
      const at = pairIndex(i, j, ranked);
      const reciprocal = reciprocals[i * width + j]!;
      flat[at] = reciprocal === 0 ? 1 : 0;
      statistics[at] = Number(distance(observed, i, j)) * reciprocal;
    }
  const ascending = statistics.slice().sort();
  return {
    places: {
      inverse,
      coarse: arena.put(Float32Array.from(reciprocals)),
      levels: arena.put(ascending),
      levelCount,
    },
    levels: { statistics, ascending, flat },
  };
}

/** Index of the first level that is not below `value`. */
function firstReaching(ascending: Float64Array, value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Counts the draws that reach each pair's statistic, from `tally[k]`, the draws that reach exactly k levels (statistics 6.7). */
export function maxTCounts(levels: MaxTLevels, tally: Float64Array, draws: number): Float64Array {
  const { statistics, ascending, flat } = levels;
  const reaching = new Float64Array(ascending.length + 1);
  for (let k = ascending.length - 1; k >= 0; k--) reaching[k] = reaching[k + 1]! + tally[k + 1]!;
  return statistics.map((value, at) => (flat[at] ? draws : reaching[firstReaching(ascending, value)]!));
}
