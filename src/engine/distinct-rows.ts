import { type ClusterDesign, pairCount, pairIndex } from './design.js';
import type { RankSets } from './engine.js';
import { layoutOf } from './layout.js';

/** A design in which no more than two ranked rows are alike, and how results for the rows of the first design follow from it. */
export interface DistinctRows {
  readonly design: ClusterDesign;
  /** By row of that design: rows that it stands for. */
  readonly copies: Int32Array;
  /** Takes what is known of each row, `width` values of it. */
  rows(values: Float64Array, width?: number): Float64Array;
  /** Takes what is known of each ranked row. */
  rankedRows<T extends Float64Array | Uint32Array>(values: T, width: number): T;
  /** Takes what is known of each pair of rows, or of ranked ones, whichever of the two stands first. */
  pairs<T extends Float64Array | Uint8Array>(values: T): T;
  /** Takes which ranked row is above which. */
  sets(sets: RankSets): RankSets;
}

/** Rows up to here cost little, alike or not. */
const FEW_ROWS = 64;
/** Parts past which rows are taken for different: hardly two are alike then. */
const MOST_PARTS = 64;

/** Numbers the ranked rows, those with equal totals alike, in order of their first; the number of each, and how many there are. */
function rowNumbers({ ranked, rows, partTotals }: ClusterDesign): {
  readonly numbers: Int32Array;
  readonly found: number;
} {
  const numbers = new Int32Array(ranked);
  const known = new Map<string, number>();
  const parts = partTotals.length / rows;
  for (let m = 0; m < ranked; m++) {
    let key = '';
    for (let p = 0; p < parts; p++) key += `${partTotals[p * rows + m]!} `;
    const number = known.get(key) ?? known.size;
    known.set(key, number);
    numbers[m] = number;
  }
  return { numbers, found: known.size };
}

/**
 * Finds the rows that stand for all where most of many ranked rows are alike, as those of a thousand models over five tasks of 0 and 1: resampling then goes
 * through the pairs of these alone. Of a row that stands twice or more two are left, so that there is a pair of equal rows. Null where it would save
 * little. Errors: those of `layoutOf`.
 */
export function distinctRows(design: ClusterDesign): DistinctRows | null {
  const { rows, ranked, partCluster, partTotals } = design;
  const parts = partCluster.length;
  if (ranked <= FEW_ROWS || parts > MOST_PARTS) return null;
  layoutOf(design);
  const { numbers, found } = rowNumbers(design);
  if (4 * found > ranked) return null;
  const first = new Int32Array(found).fill(-1);
  const second = new Int32Array(found).fill(-1);
  const taken: number[] = [];
  const copies: number[] = [];
  numbers.forEach((number, m) => {
    if (first[number]! < 0) first[number] = taken.push(m) - 1;
    else if (second[number]! < 0) second[number] = taken.push(m) - 1;
    else copies[first[number]!]!++;
    if (copies.length < taken.length) copies.push(1);
  });
  const { length: kept } = taken;
  for (let m = ranked; m < rows; m++) copies[taken.push(m) - 1] = 1;
  const width = taken.length;
  const totals = new Float64Array(parts * width);
  for (let p = 0; p < parts; p++)
    for (let m = 0; m < width; m++) totals[p * width + m] = partTotals[p * rows + taken[m]!]!;
  const placeOf = Int32Array.from({ length: rows }, (_, m) => (m < ranked ? first[numbers[m]!]! : kept + m - ranked));
  const otherOf = new Int32Array(width).fill(-1);
  first.forEach((place, number) => {
    otherOf[place] = second[number]!;
  });
  return {
    design: { ...design, rows: width, ranked: kept, partTotals: totals },
    copies: Int32Array.from(copies),
    rows: (values, each = 1) => spreadRows(values, placeOf, each),
    rankedRows: (values, each) => spreadRows(values, placeOf.subarray(0, ranked), each),
    pairs: (values) => {
      const all = values.length === pairCount(width);
      return spreadPairs(values, placeOf.subarray(0, all ? rows : ranked), otherOf, all ? width : kept);
    },
    sets: (sets) => {
      const spread = (cells: Uint8Array): Uint8Array => spreadCells(cells, placeOf.subarray(0, ranked), kept);
      return {
        simultaneous: spread(sets.simultaneous),
        marginalAbove: spread(sets.marginalAbove),
        marginalBelow: spread(sets.marginalBelow),
      };
    },
  };
}

function spreadRows<T extends Float64Array | Uint32Array>(values: T, placeOf: Int32Array, each: number): T {
  const out = new (values.constructor as new (length: number) => T)(placeOf.length * each);
  placeOf.forEach((place, m) => {
    out.set(values.subarray(place * each, (place + 1) * each), m * each);
  });
  return out;
}

/** `otherOf[place]` is the second of two equal rows, or -1. What all pairs of a kind of row say stands in a line, from which each row takes its end. */
function spreadPairs<T extends Float64Array | Uint8Array>(
  values: T,
  placeOf: Int32Array,
  otherOf: Int32Array,
  width: number,
): T {
  const { length: rows } = placeOf;
  const make = (length: number) => new (values.constructor as new (length: number) => T)(length);
  const lines = new Map<number, T>();
  const lineOf = (a: number): T => {
    const line = make(rows);
    for (let j = 0; j < rows; j++) {
      const b = placeOf[j] === a ? otherOf[a]! : placeOf[j]!;
      if (b >= 0) line[j] = values[pairIndex(Math.min(a, b), Math.max(a, b), width)]!;
    }
    lines.set(a, line);
    return line;
  };
  const out = make(pairCount(rows));
  for (let pair = 0, i = 0; i < rows; i++) {
    const a = placeOf[i]!;
    out.set((lines.get(a) ?? lineOf(a)).subarray(i + 1), pair);
    pair += rows - 1 - i;
  }
  return out;
}

function spreadCells(cells: Uint8Array, placeOf: Int32Array, width: number): Uint8Array {
  const { length: ranked } = placeOf;
  const out = new Uint8Array(ranked * ranked);
  if (!cells.includes(1)) return out;
  const firstOf = new Int32Array(width).fill(-1);
  placeOf.forEach((place, j) => {
    const before = firstOf[place]!;
    if (before >= 0) out.copyWithin(j * ranked, before * ranked, (before + 1) * ranked);
    else for (let k = 0; k < ranked; k++) out[j * ranked + k] = cells[place * width + placeOf[k]!]!;
    firstOf[place] = j;
  });
  return out;
}
