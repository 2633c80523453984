import { pairIndex } from '../design.js';
import type { Arena } from './arena.js';
import { pairCells } from './pair-cells.js';
import type { PairTables, ReachTables, TinyReach } from './reaching-job.js';
import { LARGEST } from './tiny-sums.js';

/** Studentised differences of ranked rows: what is observed, in `pairIndex` order, and the inverse errors. */
export interface StepStatistics {
  /** Row j minus row k, j before k, over its error; 0 where the pair takes no part. */
  readonly observed: Float64Array;
  /** ranked x lanes, symmetric; 0 where the pair takes no part. */
  readonly inverse: Float64Array;
}

/** Puts the pairs of ranked rows into a symmetric table of `lanes` a row. */
export function squareTable(ranked: number, lanes: number, of: (j: number, k: number) => number): Float64Array {
  const table = new Float64Array(ranked * lanes);
  for (let j = 0; j < ranked; j++)
    for (let k = j + 1; k < ranked; k++) table[j * lanes + k] = table[k * lanes + j] = of(j, k);
  return table;
}

/**
 * A family in step-down, whose hypotheses are ordered by size: those that are rejected leave class by class of equal sizes, the largest
 * first.
 */
export interface ReachFamily {
  /** What each hypothesis is tested at, by row or by pair; 0 and less is never rejected. */
  readonly sizes: Float64Array;
  /** Draws that a rejected hypothesis may be reached by at most. */
  readonly most: number;
  /** What a draw must reach to matter. */
  threshold: number;
  /** Least size that is rejected; infinite where none is. Null: not known yet. */
  least: number | null;
}

/** The family of all pairs. */
export interface PairFamily extends ReachFamily {
  /** Both orders of a pair are hypotheses, of which a rejected one leaves and its reverse stays; else both leave together. */
  readonly ordered: boolean;
  /** By pair: 1 takes no part. */
  readonly excluded: Uint8Array;
  /** Sizes from it on have left; infinite at first, and for ordered pairs. */
  ceiling: number;
  /** Fronts of the draws are wanted. */
  readonly fronts: boolean;
  /** Every size is the largest statistic that its pair can reach: a pair matters where it reaches that. */
  readonly attained: boolean;
}

/** Families that are stepped down over the same draws. */
export interface ReachFamilies {
  /** Of the pairs that name a row, by row; none where rank sets are not asked for. */
  readonly rows: readonly ReachFamily[];
  readonly pairs: readonly PairFamily[];
}

/** What tables of a sweep are made of. */
export interface ReachShape {
  readonly statistics: StepStatistics;
  readonly ranked: number;
  readonly lanes: number;
  /** ranked: no y of a row is larger. */
  readonly largest: Float64Array;
  /** What one in a sum stands for, where sums are tiny. */
  readonly unit?: number | undefined;
}

/** Positive sizes below a ceiling that reach the threshold, descending, none twice. */
function classesOf({ sizes, threshold }: ReachFamily, ceiling = Number.POSITIVE_INFINITY): Float64Array {
  const ascending = new Float64Array(sizes.length);
  let found = 0;
  for (const size of sizes) if (size > 0 && size >= threshold && size < ceiling) ascending[found++] = size;
  ascending.subarray(0, found).sort();
  const out = new Float64Array(found);
  let count = 0;
  for (let k = found - 1; k >= 0; k--) if (count === 0 || ascending[k] !== out[count - 1]) out[count++] = ascending[k]!;
  return out.slice(0, count);
}

/** Finds the first of descending levels that is not above a size: their number where all are. */
export function placeOf(levels: Float64Array, size: number): number {
  let low = 0;
  let high = levels.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (levels[middle]! <= size) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** An f32 difference lies within this share of the exact one, beside what rounding both rows to f32 costs. */
const SHARE = 1e-6;
const UNIT = 1.2 * 2 ** -24;
/** The place of a pair that takes no part (assembly/reaching.ts). */
const NO_PART = -(2 ** 31);

const pending = ({ least }: ReachFamily): boolean => least === null;

/** Tells whether a pair of a family may still matter. */
const takesPart = (family: PairFamily, pair: number): boolean =>
  family.excluded[pair] === 0 && !(family.sizes[pair]! >= family.ceiling);

/** What a pair must reach to matter to a family; infinite where it never does. */
function leastOf({ attained, sizes, threshold }: PairFamily, pair: number): number {
  if (!attained) return threshold;
  return sizes[pair]! >= threshold ? sizes[pair]! : Number.POSITIVE_INFINITY;
}

/** Goes through the pairs that may matter: `work` is given their rows, and what their statistics must reach. */
function eachThreshold(
  { statistics, ranked, lanes }: ReachShape,
  { rows, pairs }: ReachFamilies,
  work: (i: number, j: number, threshold: number, reciprocal: number) => void,
): void {
  const own = new Float64Array(ranked).fill(Number.POSITIVE_INFINITY);
  rows.forEach((family, j) => {
    if (pending(family)) own[j] = family.threshold;
  });
  const open = pairs.filter(pending);
  for (let pair = 0, i = 0; i < ranked; i++)
    for (let j = i + 1; j < ranked; j++, pair++) {
      const reciprocal = statistics.inverse[i * lanes + j]!;
      if (!(reciprocal > 0)) continue;
      let threshold = Math.min(own[i]!, own[j]!);
      for (const family of open) if (takesPart(family, pair)) threshold = Math.min(threshold, leastOf(family, pair));
      if (threshold < Number.POSITIVE_INFINITY) work(i, j, threshold, reciprocal);
    }
}

/** The least differences, in f32, that may reach a threshold of one of the families of a pair, as `pairCells` places them. */
function limitsOf(shape: ReachShape, families: ReachFamilies): Float32Array {
  const { ranked, lanes, largest } = shape;
  const cells = pairCells(ranked, lanes, 4);
  // Lanes behind the last row hold anything: nothing reaches a limit that is no number.
  const out = new Float32Array(cells.length).fill(Number.NaN);
  eachThreshold(shape, families, (i, j, threshold, reciprocal) => {
    const slack = UNIT * (largest[i]! + largest[j]!);
    out[cells.at(i, j)] = Math.max(0, threshold / reciprocal - slack) * (1 - SHARE);
  });
  return out;
}

/** The pairs that may matter, and the largest sizes of tiny sums that are too small to reach a threshold (assembly/tinyreach.ts). */
function putTinyLimits(arena: Arena, shape: ReachShape, families: ReachFamilies, unit: number): TinyReach {
  const pairs: number[] = [];
  const limits: number[] = [];
  eachThreshold(shape, families, (i, j, threshold, reciprocal) => {
    let size = Math.max(0, Math.floor(threshold / (unit * reciprocal)) - 1);
    while (size <= LARGEST && size * unit * reciprocal < threshold) size++;
    if (size > LARGEST) return;
    pairs.push(i, j);
    limits.push(size - 1);
  });
  const { length: count } = limits;
  return { pairs: arena.put(Int32Array.from(pairs)), limits: arena.put(Int8Array.from(limits)), count, unit };
}

/** Tables of a sweep, and the classes of each family: none for a family that is known. */
export interface ReachSweep {
  readonly tables: ReachTables;
  readonly rowClasses: readonly Float64Array[];
  readonly pairClasses: readonly Float64Array[];
}

/** Levels of classes, and the threshold behind them. */
function withThreshold(classes: Float64Array, { threshold }: ReachFamily): Float64Array {
  const out = new Float64Array(classes.length + 1);
  out.set(classes);
  out[classes.length] = threshold;
  return out;
}

/** The class of a hypothesis, or -1 less it where it is that of the second row above the first. */
const encoded = (classes: Float64Array, size: number, above: boolean): number => {
  const place = placeOf(classes, size);
  return above || place === classes.length ? place : -1 - place;
};

function putRows(
  arena: Arena,
  { statistics, ranked }: ReachShape,
  { rows }: ReachFamilies,
  all: readonly Float64Array[],
) {
  const { observed } = statistics;
  const most = all.reduce((n, { length }) => Math.max(n, length), 0);
  const levels = new Float64Array(rows.length * (most + 1));
  const places = new Int32Array(rows.length * ranked);
  rows.forEach((family, j) => {
    if (!pending(family)) return;
    const classes = all[j]!;
    levels.set(withThreshold(classes, family), j * (most + 1));
    for (let k = 0; k < ranked; k++) {
      if (k === j) continue;
      const above = j < k ? observed[pairIndex(j, k, ranked)]! > 0 : observed[pairIndex(k, j, ranked)]! < 0;
      places[j * ranked + k] = family.sizes[k]! < 0 ? NO_PART : encoded(classes, family.sizes[k]!, above);
    }
  });
  return {
    places: arena.put(places),
    levels: arena.put(levels),
    levelStride: (most + 1) * 8,
    classes: arena.put(Int32Array.from(rows, (family, j) => (pending(family) ? all[j]!.length : -1))),
    countStride: (most + 2) * 4,
    rowCells: rows.length * (most + 2),
  };
}

function putPairs(
  arena: Arena,
  { statistics, ranked }: ReachShape,
  family: PairFamily,
  classes: Float64Array,
): PairTables {
  const places = new Int32Array(ranked * ranked);
  for (let pair = 0, j = 0; j < ranked; j++)
    for (let k = j + 1; k < ranked; k++, pair++)
      places[j * ranked + k] = takesPart(family, pair)
        ? encoded(classes, family.sizes[pair]!, statistics.observed[pair]! > 0)
        : NO_PART;
  return {
    places: arena.put(places),
    levels: arena.put(withThreshold(classes, family)),
    classes: classes.length,
    ordered: family.ordered,
    fronts: family.fronts,
  };
}

/** Puts the families that are not known yet into kernel memory. */
export function putFamilies(arena: Arena, shape: ReachShape, families: ReachFamilies): ReachSweep {
  const none = new Float64Array(0);
  const rowClasses = families.rows.map((family) => (pending(family) ? classesOf(family) : none));
  const pairClasses = families.pairs.map((family) => (pending(family) ? classesOf(family, family.ceiling) : none));
  const open = families.pairs.filter(pending);
  const pairs = families.pairs.flatMap((family, f) =>
    pending(family) ? [putPairs(arena, shape, family, pairClasses[f]!)] : [],
  );
  const rows = putRows(arena, shape, families, rowClasses);
  const tables = {
    ...rows,
    limits: shape.unit === undefined ? arena.put(limitsOf(shape, families)) : 0,
    tiny: shape.unit === undefined ? null : putTinyLimits(arena, shape, families, shape.unit),
    inverse: arena.put(shape.statistics.inverse),
    rows: families.rows.some(pending),
    pairs,
    least: open.reduce((least, { threshold }) => Math.min(least, threshold), Number.MAX_VALUE),
    cells: rows.rowCells + pairs.reduce((sum, { classes }) => sum + classes + 2, 0),
  };
  return { tables, rowClasses, pairClasses };
}
