import type { FlipTotals, Integers } from '../bounds.js';
import { pairCount } from '../design.js';
import type { Arena } from './arena.js';
import type { SmallSums } from './small-sums.js';

/** Where pairs lie that are gone through class after class (assembly/tiny.ts). */
export interface PairList {
  readonly pairs: number;
  readonly classes: number;
  readonly classCount: number;
  readonly places: number;
  readonly count: number;
}

/** Where the inputs lie of sums whose differences do not pass 63. */
export interface TinyTables {
  /** Half bytes of signs, an even number. */
  readonly halves: number;
  /** What one in a sum stands for. */
  readonly unit: number;
  readonly tables: number;
  readonly list: PairList;
  /** In the order of the list; 0 where pairs are not counted. */
  readonly limits: number;
  /** Levels that statistics of a place reach. */
  readonly steps: number;
  /** Pairs that take no part, by the places of all pairs, and the levels that a place of all pairs reaches; null: not gone through first. */
  readonly gone: { readonly list: PairList; readonly steps: number } | null;
}

/** What is known of tiny sums outside of kernel memory. */
export interface TinyShape {
  /** By cell of counts: a pair, or past the pairs a row. */
  readonly order: Int32Array;
  /** By place: no statistic is above. */
  readonly tops: Float64Array;
}

/** Largest difference. */
export const LARGEST = 63;
/** Draws below which tables of pairs take longer than they save. */
const LEAST_DRAWS = 20_000;
/** Rows whose columns a cache holds, and clusters whose tables it does. */
const MOST_ROWS = 400;
const MOST_CLUSTERS = 512;
const PLACES = 32;
const LAST_PLACE = 255;
/** Bytes of a row of columns. */
export const COLUMN_BYTES = 208;

/** Tells whether flips are gone through sixteen at a time: their sums are tiny, and there are many. */
export function areTiny({ bound, totals }: FlipTotals, rows: number, small: SmallSums, draws: number): boolean {
  if (!(totals instanceof Float64Array) || rows > MOST_ROWS || totals.length > rows * MOST_CLUSTERS) return false;
  return draws >= LEAST_DRAWS && Math.ceil(bound / small.divisor) <= LARGEST;
}

/** Puts the signed sums of every four clusters, row after row. */
function putTables(arena: Arena, totals: Float64Array, rows: number, unit: number) {
  const clusters = totals.length / rows;
  const halves = Math.ceil(clusters / 8) * 2;
  const cells = new Int8Array(rows * halves * 16);
  for (let at = 0, m = 0; m < rows; m++)
    for (let half = 0; half < halves; half++)
      for (let signs = 0; signs < 16; signs++, at++)
        for (let c = half * 4; c < Math.min(clusters, half * 4 + 4); c++) {
          const total = totals[c * rows + m]! / unit;
          cells[at]! += (signs >> (c - half * 4)) & 1 ? total : -total;
        }
  return { halves, tables: arena.put(cells) };
}

/** Levels none twice, ascending, and how many there are up to each, equal ones counted; the first ones are passed over where they are too many. */
interface Levels {
  readonly distinct: Float64Array;
  readonly upTo: Int32Array;
  readonly passed: number;
}

function levelsOf(ascending: Float64Array): Levels {
  const distinct: number[] = [];
  const upTo: number[] = [];
  for (let k = 0; k < ascending.length; k++) {
    if (k + 1 < ascending.length && ascending[k + 1] === ascending[k]) continue;
    distinct.push(ascending[k]!);
    upTo.push(k + 1);
  }
  return {
    distinct: Float64Array.from(distinct),
    upTo: Int32Array.from(upTo),
    passed: Math.max(0, distinct.length - LAST_PLACE),
  };
}

/** Levels that a statistic of a place reaches; -1 where it does not tell. */
function stepsOf({ distinct, upTo, passed }: Levels): Int32Array {
  const steps = new Int32Array(LAST_PLACE + 1);
  const zeros = distinct[0] === 0 ? 1 : 0;
  for (let place = 0; place <= LAST_PLACE; place++) {
    const level = Math.max(zeros, place + passed);
    steps[place] = place === 0 && passed > 0 ? -1 : level === 0 ? 0 : (upTo[level - 1] ?? upTo.at(-1) ?? 0);
  }
  return steps;
}

/** By place: the level above it, and some more for rounding. */
function topsOf({ distinct, passed }: Levels): Float64Array {
  const zeros = distinct[0] === 0 ? 1 : 0;
  return Float64Array.from({ length: LAST_PLACE + 1 }, (_, place) => {
    const above = distinct[Math.max(zeros, place + passed)];
    return above === undefined ? Number.POSITIVE_INFINITY : above * (1 + 1e-6);
  });
}

/** Ranked pairs, and what their statistics are made of. */
export interface TinyPairs {
  readonly unit: number;
  readonly rows: number;
  readonly ranked: number;
  readonly width: number;
  /** ranked x width; 0 where a pair takes no part. */
  readonly reciprocals: Float64Array;
  /** By row: its sums are odd in all draws. */
  readonly odd: Uint8Array;
}

/** Finds the rows whose sums are odd. */
export function oddRows(totals: Integers, rows: number, unit: number): Uint8Array {
  const odd = new Uint8Array(rows);
  for (let at = 0; at < totals.length; at++) if (((totals[at] as number) / unit) % 2 !== 0) odd[at % rows]! ^= 1;
  return odd;
}

/** The places of a class: how many levels are reached, less those that are passed over. */
function putClass(
  places: Uint8Array,
  reciprocal: number,
  odd: number,
  unit: number,
  { distinct, passed }: Levels,
): void {
  for (let size = odd, level = 0; size <= LARGEST; size += 2) {
    const statistic = size * unit * reciprocal;
    while (level < distinct.length && distinct[level]! <= statistic) level++;
    places[size >> 1] = Math.max(0, level - passed);
  }
}

/** Puts pairs in classes: those that take part or, with `everyone`, all there are, and every row with the row of zeros. */
function putList(
  arena: Arena,
  { unit, rows, ranked, width, reciprocals, odd }: TinyPairs,
  levels: Levels,
  everyone: boolean,
): { readonly list: PairList; readonly order: Int32Array } {
  const known = new Map<number, number>();
  const sizes: number[] = [];
  const tables: Uint8Array[] = [];
  const total = pairCount(rows) + rows;
  const classOf = new Int32Array(total).fill(-1);
  const ends = new Uint32Array(total * 2);
  const join = (at: number, reciprocal: number, parity: number): void => {
    const key = parity ? -reciprocal : reciprocal;
    let own = known.get(key);
    if (own === undefined) {
      own = sizes.length;
      known.set(key, own);
      sizes.push(0);
      const places = new Uint8Array(PLACES);
      if (reciprocal > 0) putClass(places, reciprocal, parity, unit, levels);
      tables.push(places);
    }
    sizes[own]!++;
    classOf[at] = own;
  };
  let at = 0;
  for (let i = 0; i < rows; i++)
    for (let j = i + 1; j < rows; j++, at++) {
      const reciprocal = j < ranked ? reciprocals[i * width + j]! : 0;
      ends[2 * at] = i * COLUMN_BYTES;
      ends[2 * at + 1] = j * COLUMN_BYTES;
      if (everyone || reciprocal > 0) join(at, reciprocal, odd[i]! ^ odd[j]!);
    }
  for (let m = 0; m < rows; m++, at++) {
    ends[2 * at] = m * COLUMN_BYTES;
    ends[2 * at + 1] = rows * COLUMN_BYTES;
    if (everyone) join(at, 0, 0);
  }
  const count = sizes.reduce((sum, size) => sum + size, 0);
  const order = new Int32Array(count);
  const pairs = new Uint32Array(count * 2);
  const places = new Uint8Array(sizes.length * PLACES);
  const next = new Int32Array(sizes.length);
  sizes.forEach((size, own) => {
    if (own + 1 < sizes.length) next[own + 1] = next[own]! + size;
    places.set(tables[own]!, own * PLACES);
  });
  for (let k = 0; k < total; k++) {
    if (classOf[k]! < 0) continue;
    const to = next[classOf[k]!]!++;
    order[to] = k;
    pairs.set(ends.subarray(2 * k, 2 * k + 2), 2 * to);
  }
  return {
    list: {
      pairs: arena.put(pairs),
      classes: arena.put(Int32Array.from(sizes)),
      classCount: sizes.length,
      places: arena.put(places),
      count,
    },
    order,
  };
}

/** Puts the least sizes that pass what is observed, less one, in the order of a list. */
function putLimits(arena: Arena, observed: Float64Array, unit: number, order: Int32Array): number {
  const rows = observed.length;
  const least = new Int8Array(pairCount(rows) + rows);
  const limit = (apart: number): number => Math.min(127, Math.ceil(Math.abs(apart) / unit) - 1);
  let at = 0;
  for (let i = 0; i < rows; i++) for (let j = i + 1; j < rows; j++) least[at++] = limit(observed[i]! - observed[j]!);
  for (let m = 0; m < rows; m++) least[at++] = limit(observed[m]!);
  return arena.put(Int8Array.from(order, (cell) => least[cell]!));
}

/** Puts what all pairs are counted by. */
export function putTiny(
  arena: Arena,
  { totals, observed }: FlipTotals,
  ascending: Float64Array,
  of: Omit<TinyPairs, 'odd'>,
): { readonly tables: TinyTables; readonly shape: TinyShape } {
  const { unit, rows } = of;
  const levels = levelsOf(ascending);
  const { list, order } = putList(arena, { ...of, odd: oddRows(totals, rows, unit) }, levels, true);
  return {
    tables: {
      ...putTables(arena, totals as Float64Array, rows, unit),
      unit,
      list,
      limits: putLimits(arena, observed as Float64Array, unit, order),
      steps: arena.put(stepsOf(levels)),
      gone: null,
    },
    shape: { order, tops: topsOf(levels) },
  };
}

/** Pairs up to this share of all take less time by themselves than the draws that they decide. */
const FEW = 0.5;

/**
 * Puts what maxima over the pairs that are left are tallied by. Where the largest places of all draws are `known`, the pairs that are gone are
 * looked at first: a draw whose largest place none of them has keeps it.
 */
export function putTinyRest(
  arena: Arena,
  tables: TinyTables,
  totals: Integers,
  all: { readonly reciprocals: Float64Array; readonly ascending: Float64Array },
  rest: Omit<TinyPairs, 'odd'> & { readonly ascending: Float64Array },
  known: boolean,
): TinyTables {
  const { unit, rows, ascending } = rest;
  const pairs = { ...rest, odd: oddRows(totals, rows, unit) };
  const levels = levelsOf(ascending);
  const { list } = putList(arena, pairs, levels, false);
  const own = { ...tables, list, limits: 0, steps: arena.put(stepsOf(levels)), gone: null };
  const gone = all.reciprocals.map((reciprocal, at) => (rest.reciprocals[at]! > 0 ? 0 : reciprocal));
  const before = levelsOf(all.ascending);
  const first = known ? putList(arena, { ...pairs, reciprocals: gone }, before, false).list : null;
  if (!first || first.count > FEW * all.ascending.length) return own;
  // Of all levels, those that are left of the first so many.
  const left = new Int32Array(all.ascending.length + 1);
  for (let k = 0, found = 0; k < all.ascending.length; k++) {
    while (found < ascending.length && ascending[found]! <= all.ascending[k]!) found++;
    left[k + 1] = found;
  }
  const steps = stepsOf(before).map((level) => (level < 0 ? level : left[level]!));
  return { ...own, gone: { list: first, steps: arena.put(steps) } };
}
