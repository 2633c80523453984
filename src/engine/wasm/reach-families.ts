import { pairIndex } from '../design.js';
import type { Arena } from './arena.js';
import { pairCells } from './pair-cells.js';
import type { ReachTables } from './reaching-job.js';
import type { StepStatistics } from './step-families.js';

/** A family of ordered hypotheses in step-down: those that are rejected leave, class by class of equal statistics; their reverses stay. */
export interface ReachFamily {
  /** Sizes of the statistics of its pairs, 0 where they can never be rejected. */
  readonly sizes: Float64Array;
  /** What a draw must reach to matter. */
  threshold: number;
  /** Least size that is rejected; infinite where none is. Null: not known yet. */
  least: number | null;
}

/** Families of the pairs that name a row, by row, and that of all pairs. */
export interface ReachFamilies {
  readonly rows: readonly ReachFamily[];
  readonly pairs: ReachFamily;
}

/** Positive sizes that reach a threshold, descending, none twice. */
function classesOf({ sizes, threshold }: ReachFamily): Float64Array {
  const ascending = sizes.filter((size) => size > 0 && size >= threshold).sort();
  let count = 0;
  for (let k = ascending.length - 1, last = Number.NaN; k >= 0; k--) {
    if (ascending[k] === last) continue;
    last = ascending[k]!;
    count++;
  }
  const out = new Float64Array(count);
  for (let k = ascending.length - 1, at = 0; k >= 0; k--)
    if (at === 0 || ascending[k] !== out[at - 1]) out[at++] = ascending[k]!;
  return out;
}

/** Place of a size among descending levels: their number where it is below all. */
function placeOf(levels: Float64Array, size: number): number {
  let low = 0;
  let high = levels.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (levels[middle]! <= size) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Opens the families of studentised differences. */
export function openFamilies({ observed, inverse }: StepStatistics, ranked: number, lanes: number): ReachFamilies {
  const pairs = observed.map(Math.abs);
  const rows = Array.from({ length: ranked }, (_, j) => {
    const sizes = new Float64Array(ranked);
    for (let k = 0; k < ranked; k++)
      if (k !== j && inverse[j * lanes + k]! > 0)
        sizes[k] = pairs[j < k ? pairIndex(j, k, ranked) : pairIndex(k, j, ranked)]!;
    return { sizes, threshold: 0, least: null };
  });
  return { rows, pairs: { sizes: pairs, threshold: 0, least: null } };
}

/** What tables of a sweep are made of. */
export interface ReachShape {
  readonly statistics: StepStatistics;
  readonly ranked: number;
  readonly lanes: number;
  /** ranked: no y of a row is larger. */
  readonly largest: Float64Array;
}

/** An f32 difference lies within this share of the exact one, beside what rounding both rows to f32 costs. */
const SHARE = 1e-6;
const UNIT = 1.2 * 2 ** -24;

/** The least differences, in f32, that may reach a threshold of one of the families of a pair, as `pairCells` places them. */
function limitsOf({ statistics, ranked, lanes, largest }: ReachShape, { rows, pairs }: ReachFamilies): Float32Array {
  const cells = pairCells(ranked, lanes, false);
  // Lanes behind the last row hold anything: nothing reaches a limit that is no number.
  const out = new Float32Array(cells.length).fill(Number.NaN);
  const asked = ({ least, threshold }: ReachFamily): number => (least === null ? threshold : Number.POSITIVE_INFINITY);
  const own = Float64Array.from(rows, asked);
  const all = asked(pairs);
  for (let i = 0; i < ranked; i++)
    for (let j = i + 1; j < ranked; j++) {
      const reciprocal = statistics.inverse[i * lanes + j]!;
      if (!(reciprocal > 0)) continue;
      const threshold = Math.min(own[i]!, own[j]!, all);
      if (threshold === Number.POSITIVE_INFINITY) continue;
      const slack = UNIT * (largest[i]! + largest[j]!);
      out[cells.at(i, j)] = Math.max(0, threshold / reciprocal - slack) * (1 - SHARE);
    }
  return out;
}

/** Tables of a sweep, and the classes of each family: none for a family that is known. */
export interface ReachSweep {
  readonly tables: ReachTables;
  readonly classes: readonly Float64Array[];
}

/** Puts the families that are not known yet into kernel memory. */
export function putFamilies(arena: Arena, shape: ReachShape, families: ReachFamilies): ReachSweep {
  const { statistics, ranked } = shape;
  const { observed, inverse } = statistics;
  const everyone = [...families.rows, families.pairs];
  const classes = everyone.map((family) => (family.least === null ? classesOf(family) : new Float64Array(0)));
  const most = classes.slice(0, ranked).reduce((n, { length }) => Math.max(n, length), 0);
  const levels = new Float64Array(ranked * (most + 1));
  const places = new Int32Array(ranked * ranked);
  const sign = (j: number, k: number): number =>
    j < k ? observed[pairIndex(j, k, ranked)]! : -observed[pairIndex(k, j, ranked)]!;
  const encoded = (own: Float64Array, size: number, above: boolean): number => {
    const place = placeOf(own, size);
    return above || place === own.length ? place : -1 - place;
  };
  for (let j = 0; j < ranked; j++) {
    const own = classes[j]!;
    levels.set(own, j * (most + 1));
    levels[j * (most + 1) + own.length] = families.rows[j]!.threshold;
    const { sizes } = families.rows[j]!;
    for (let k = 0; k < ranked; k++) if (k !== j) places[j * ranked + k] = encoded(own, sizes[k]!, sign(j, k) > 0);
  }
  const all = classes[ranked]!;
  const known = families.pairs.least !== null;
  const pairPlaces = new Int32Array(known ? 0 : ranked * ranked);
  for (let pair = 0, j = 0; j < ranked && !known; j++)
    for (let k = j + 1; k < ranked; k++, pair++)
      pairPlaces[j * ranked + k] = encoded(all, families.pairs.sizes[pair]!, observed[pair]! > 0);
  const pairLevels = new Float64Array(all.length + 1);
  pairLevels.set(all);
  pairLevels[all.length] = families.pairs.threshold;
  const tables = {
    limits: arena.put(limitsOf(shape, families)),
    inverse: arena.put(inverse),
    places: arena.put(places),
    levels: arena.put(levels),
    levelStride: (most + 1) * 8,
    classes: arena.put(Int32Array.from(families.rows, ({ least }, j) => (least === null ? classes[j]!.length : -1))),
    countStride: (most + 2) * 4,
    pairPlaces: arena.put(pairPlaces),
    pairLevels: arena.put(pairLevels),
    pairClasses: known ? -1 : all.length,
    cells: ranked * (most + 2) + (known ? 0 : all.length + 2),
  };
  return { tables, classes };
}

/** Lowers a threshold that turned out too high: a little, then to nothing. */
const LOWER = 0.85;

/** Reads the counts of a family: sets its least rejected size, or lowers its threshold where the draws that mattered were more. */
function settle(family: ReachFamily, classes: Float64Array, counts: Int32Array, most: number, attempt: number): void {
  let reached = 0;
  let gone = 0;
  for (; gone <= classes.length; gone++) {
    reached += counts[gone]!;
    if (reached > most) break;
  }
  const every = family.threshold === 0;
  if (gone > classes.length && !every) {
    family.threshold = attempt > 1 ? 0 : family.threshold * LOWER;
    return;
  }
  const left = Math.min(gone, classes.length);
  family.least = left > 0 ? classes[left - 1]! : Number.POSITIVE_INFINITY;
}

/** Reads the counts of a sweep. */
export function settleFamilies(
  families: ReachFamilies,
  { tables, classes }: ReachSweep,
  counts: Int32Array,
  most: number,
  attempt: number,
): void {
  const cells = tables.countStride / 4;
  families.rows.forEach((family, j) => {
    if (family.least === null) settle(family, classes[j]!, counts.subarray(j * cells), most, attempt);
  });
  const { pairs, rows } = families;
  if (pairs.least === null) settle(pairs, classes.at(-1)!, counts.subarray(rows.length * cells), most, attempt);
}
