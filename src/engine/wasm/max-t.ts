import type { Integers } from '../bounds.js';
import { pairCount } from '../design.js';
import type { Arena } from './arena.js';
import { pairCells } from './pair-cells.js';
import { type SmallSums, smallUnit } from './small-sums.js';

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
  /** `inverse` in f32, or as shares in 16 bits where sums are small, by `pairCells`. */
  readonly coarse: number;
  /** What one in a maximum of 16 bits stands for (assembly/small.ts). */
  readonly statistic: number;
  readonly levels: number;
  readonly levelCount: number;
  /** Levels by such maxima (assembly/small.ts); 0 where there are none. */
  readonly steps: number;
}

/** Observed statistics of the pairs of ranked rows. */
export interface MaxTLevels {
  /** In pair order. */
  readonly statistics: Float64Array;
  readonly ascending: Float64Array;
  /** Pairs that never differ. */
  readonly flat: Uint8Array;
}

/** Puts cluster totals into kernel memory: rows 0 to 7 cluster after cluster, eight f64 or i64 each, then rows 8 to 15, ... */
export function putColumns(arena: Arena, totals: Integers, rows: number): number {
  const clusters = totals.length / rows;
  const length = Math.ceil(rows / 8) * clusters * 8;
  const cells = totals instanceof Float64Array ? new Float64Array(length) : new BigInt64Array(length);
  for (let m = 0; m < rows; m++) {
    const column = Math.floor(m / 8) * clusters * 8 + (m % 8);
    for (let c = 0; c < clusters; c++) (cells[column + c * 8] as number) = totals[c * rows + m] as number;
  }
  return arena.put(cells);
}

/** Puts reciprocal root sums of squares, ranked x width f64, into kernel memory (statistics 6.7). */
export function putInverse(arena: Arena, totals: Integers, rows: number, ranked: number, width: number): number {
  const clusters = totals.length / rows;
  const inverse = arena.take(ranked * width * 8);
  const mark = arena.mark();
  if (totals instanceof Float64Array)
    arena.kernels.inverseRootSquares({
      totals: putColumns(arena, totals, rows),
      clusters,
      ranked,
      lanes: width,
      inverse,
    });
  else {
    const cells = new BigInt64Array(clusters * width);
    for (let c = 0; c < clusters; c++) cells.set(totals.subarray(c * rows, (c + 1) * rows), c * width);
    arena.kernels.inverseWideRootSquares({ totals: arena.put(cells), clusters, ranked, lanes: width, inverse });
  }
  arena.reset(mark);
  return inverse;
}

/** Rows whose maxima with a block of lanes stand together (assembly/maxt.ts, small.ts). */
const STRIP = 16;

/** Counts the strips that the maxima of a draw are kept in; blocks hold 32 lanes, of small sums 64. */
function stripCount(rows: number, width: number, small: boolean): number {
  const block = small ? 64 : 32;
  let strips = 0;
  for (let lane = 0; lane < width; lane += block) strips += Math.ceil(Math.min(rows, lane + block) / STRIP);
  return strips;
}

/** Finds the bytes in which maxima of some draws are formed: strips of them, or one of each draw, and of wide sums those as f32 (assembly/maxt.ts, wide.ts). */
export function maximaBytes(
  draws: number,
  {
    rows,
    width,
    wide,
    small,
  }: { readonly rows: number; readonly width: number; readonly wide: boolean; readonly small: unknown },
): number {
  return wide ? draws * (width * 4 + 16) + 32 : draws * stripCount(rows, width, small !== null) * 16;
}

/** Rows, and lanes of a row, that statistics are estimated over. */
interface EstimateShape {
  readonly rows: number;
  readonly ranked: number;
  readonly width: number;
  readonly small: SmallSums | null;
}

const LARGEST_SHARE = 2 ** 15 - 1;

/** Puts what statistics are estimated by, of the ranked ones among `rows` rows, into kernel memory, in blocks of lanes. */
export function putCoarse(
  arena: Arena,
  reciprocals: Float64Array,
  { rows, ranked, width, small }: EstimateShape,
): Pick<MaxTPlaces, 'coarse' | 'statistic'> {
  const cells = pairCells(rows, width, small ? 2 : 4);
  const coarse = small ? new Int16Array(cells.length) : new Float32Array(cells.length);
  const largest = small ? reciprocals.reduce((most, value) => Math.max(most, value), 0) : 0;
  const scale = largest > 0 ? LARGEST_SHARE / largest : 1;
  for (let i = 0; i < ranked; i++)
    for (let j = i + 1; j < ranked; ) {
      const end = Math.min(ranked, cells.end(j));
      let cell = cells.at(i, j);
      if (small) for (; j < end; j++) coarse[cell++] = Math.round(reciprocals[i * width + j]! * scale);
      else for (; j < end; j++) coarse[cell++] = reciprocals[i * width + j]!;
    }
  return { coarse: arena.put(coarse), statistic: small ? (smallUnit(small) * 2 ** 15) / scale : 0 };
}

/** A maximum lies less than so many of its units from the statistic (assembly/small.ts), and some more for rounding. */
const AWAY = 1 + 1e-8;

/** Puts ascending levels into kernel memory and, where a maximum in 16 bits stands for `statistic` each, what every such maximum reaches. */
export function putLevels(
  arena: Arena,
  ascending: Float64Array,
  statistic: number,
): Pick<MaxTPlaces, 'levels' | 'levelCount' | 'steps'> {
  const places = { levels: arena.put(ascending), levelCount: ascending.length };
  if (statistic === 0) return { ...places, steps: 0 };
  const steps = new Int32Array(2 * (LARGEST_SHARE + 1));
  let [least, most] = [0, 0];
  for (let units = 0; units <= LARGEST_SHARE; units++) {
    while (least < ascending.length && ascending[least]! <= Math.max(0, units - AWAY) * statistic) least++;
    while (most < ascending.length && ascending[most]! <= (units + AWAY) * statistic) most++;
    steps[2 * units] = least;
    steps[2 * units + 1] = most;
  }
  return { ...places, steps: arena.put(steps) };
}

/** Multiplies the reciprocals of all pairs by what is observed. */
function studentise(reciprocals: Float64Array, observed: Integers, ranked: number): void {
  let at = 0;
  if (observed instanceof Float64Array)
    for (let i = 0; i < ranked; i++)
      for (let j = i + 1; j < ranked; j++) reciprocals[at++]! *= Math.abs(observed[i]! - observed[j]!);
  else
    for (let i = 0; i < ranked; i++)
      for (let j = i + 1; j < ranked; j++) reciprocals[at++]! *= Number(distance(observed, i, j));
}

/** Puts reciprocals and levels of the ranked rows into kernel memory; none for `ranked` 0. */
export function prepareMaxT(
  arena: Arena,
  totals: Integers,
  observed: Integers,
  { ranked, width, small }: Omit<EstimateShape, 'rows'>,
): { readonly places: MaxTPlaces; readonly levels: MaxTLevels } {
  const inverse = ranked > 0 ? putInverse(arena, totals, observed.length, ranked, width) : 0;
  const levelCount = pairCount(ranked);
  const flat = new Uint8Array(levelCount);
  const statistics = new Float64Array(levelCount);
  const reciprocals = arena.get(inverse, new Float64Array(ranked * width));
  for (let at = 0, i = 0; i < ranked; i++)
    for (let j = i + 1; j < ranked; j++, at++) statistics[at] = reciprocals[i * width + j]!;
  for (let at = 0; at < levelCount; at++) if (statistics[at] === 0) flat[at] = 1;
  studentise(statistics, observed, ranked);
  const ascending = statistics.slice().sort();
  const estimates = putCoarse(arena, reciprocals, { rows: observed.length, ranked, width, small });
  return {
    places: { inverse, ...estimates, ...putLevels(arena, ascending, estimates.statistic) },
    levels: { statistics, ascending, flat },
  };
}

/**
 * Opens a finder of one of some ascending levels, none twice: they are cut into as many cells of equal width as there are levels, and a
 * search stays in its cell.
 */
function levelFinder(levels: Float64Array): (level: number) => number {
  const n = levels.length;
  const largest = n > 0 ? levels[n - 1]! : 0;
  const scale = largest > 0 ? n / largest : 0;
  const ends = new Uint32Array(Math.floor(largest * scale) + 1);
  for (let k = 0; k < n; k++) ends[Math.floor(levels[k]! * scale)]!++;
  for (let cell = 1; cell < ends.length; cell++) ends[cell]! += ends[cell - 1]!;
  return (level) => {
    const cell = Math.floor(level * scale);
    let low = cell > 0 ? ends[cell - 1]! : 0;
    let high = ends[cell]!;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (levels[middle]! < level) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

/** Counts the draws that reach each pair's statistic, from `tally[k]`, the draws that reach exactly k levels (statistics 6.7). */
export function maxTCounts(levels: MaxTLevels, tally: Float64Array, draws: number): Float64Array {
  const { statistics, ascending, flat } = levels;
  const n = ascending.length;
  const distinct = new Float64Array(n);
  const reaching = new Float64Array(n);
  let found = n;
  for (let reached = 0, k = n - 1; k >= 0; k--) {
    reached += tally[k + 1]!;
    if (found === n || distinct[found] !== ascending[k]) distinct[--found] = ascending[k]!;
    reaching[found] = reached;
  }
  const find = levelFinder(distinct.subarray(found));
  const counts = new Float64Array(statistics.length);
  for (let at = 0; at < counts.length; at++) counts[at] = flat[at] ? draws : reaching[found + find(statistics[at]!)]!;
  return counts;
}
