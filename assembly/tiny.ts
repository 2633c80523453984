import { addOne, reached } from './maxt';

/**
 * Sums of sign flips whose differences do not pass 63, as those of tables of 0 and 1 over few clusters: pair after pair, sixteen draws in a
 * vector.
 *
 *   tables     a row: for every 4 clusters the 16 signed sums of its totals      i8
 *   signs      a half byte of signs: draw 0 .. draw 191                          u8, `COLUMN` bytes a half
 *   columns    row 0: draw 0 .. draw 191 | row 1: ... | a row of zeros: sums     i8, `COLUMN` bytes a row; past the last draw 0
 *   pairs      a pair: where the columns of its rows begin                       u32, two a pair
 *   limits     a pair: what is observed less one, at most 127; -1: all reach it  i8
 *   pairCounts a pair: draws that reach what is observed                         u32
 *   classes    pairs of the first class, of the second, ...                      i32
 *   places     a class: by half the size of a difference, 0 to 31, the place of its statistic    u8, 32 a class
 *   best       a draw: the largest place of its pairs                            u8
 *
 * Pairs of a class have one error, so that the largest of their differences has the largest of their statistics. A difference of a pair is
 * even, or odd, in all draws, so that half of it says which.
 */

/** Bytes of a row of `columns`: 192 draws, and some so that rows do not fall on one another in the cache. */
const COLUMN: usize = 208;
const DRAWS: usize = 192;
const PLACES: usize = 32;

// @ts-ignore: decorator
@inline
function clear(column: usize): void {
  for (let d: usize = 0; d < DRAWS; d += 16) v128.store(column + d, i8x16.splat(0));
}

/** Makes the columns of at most 192 draws from their signs, `halves` half bytes a draw. */
export function tinyColumns(
  bits: usize,
  bitStride: usize,
  draws: i32,
  halves: i32,
  rows: i32,
  tables: usize,
  signs: usize,
  columns: usize,
): void {
  for (let d: usize = 0; d < <usize>draws; d++, bits += bitStride)
    for (let h: usize = 0; h < <usize>halves; h += 2) {
      const both = <u32>load<u8>(bits + (h >> 1));
      const to = signs + h * COLUMN + d;
      store<u8>(to, both & 15);
      store<u8>(to + COLUMN, both >> 4);
    }
  for (let m = 0; m < rows; m++, tables += <usize>halves << 4, columns += COLUMN) {
    for (let d: usize = 0; d < <usize>draws; d += 64) {
      let a = i8x16.splat(0), b = a, c = a, e = a;
      let at = signs + d;
      for (let h: usize = 0; h < <usize>halves; h++, at += COLUMN) {
        const table = v128.load(tables + (h << 4));
        a = i8x16.add(a, i8x16.swizzle(table, v128.load(at)));
        b = i8x16.add(b, i8x16.swizzle(table, v128.load(at, 16)));
        c = i8x16.add(c, i8x16.swizzle(table, v128.load(at, 32)));
        e = i8x16.add(e, i8x16.swizzle(table, v128.load(at, 48)));
      }
      v128.store(columns + d, a);
      v128.store(columns + d, b, 16);
      v128.store(columns + d, c, 32);
      v128.store(columns + d, e, 48);
    }
    if (<usize>draws < DRAWS) memory.fill(columns + <usize>draws, 0, DRAWS - <usize>draws);
  }
  clear(columns);
}

/** Sizes of sixteen differences. */
// @ts-ignore: decorator
@inline
function sizes(left: v128, right: v128): v128 {
  return i8x16.abs(i8x16.sub(left, right));
}

// @ts-ignore: decorator
@inline
function passing(counts: v128, size: v128, limit: v128): v128 {
  return i8x16.sub(counts, i8x16.gt_s(size, limit));
}

/** Sums of four times four bytes. */
// @ts-ignore: decorator
@inline
function fours(counts: v128): v128 {
  return i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(counts));
}

/** Sums of the lanes of four vectors. */
// @ts-ignore: decorator
@inline
function across(a: v128, b: v128, c: v128, d: v128): v128 {
  const e = i32x4.add(i32x4.shuffle(a, b, 0, 1, 4, 5), i32x4.shuffle(a, b, 2, 3, 6, 7));
  const f = i32x4.add(i32x4.shuffle(c, d, 0, 1, 4, 5), i32x4.shuffle(c, d, 2, 3, 6, 7));
  return i32x4.add(i32x4.shuffle(e, f, 0, 2, 4, 6), i32x4.shuffle(e, f, 1, 3, 5, 7));
}

/** Four pairs: counts those that pass what is observed, and raises the largest sizes of `end` draws. */
// @ts-ignore: decorator
@inline
function fourPairs(
  columns: usize, pairs: usize, end: usize, limits: usize, pairCounts: usize, largest: usize, counting: bool,
): void {
  let l0 = columns + load<u32>(pairs), r0 = columns + load<u32>(pairs, 4);
  let l1 = columns + load<u32>(pairs, 8), r1 = columns + load<u32>(pairs, 12);
  let l2 = columns + load<u32>(pairs, 16), r2 = columns + load<u32>(pairs, 20);
  let l3 = columns + load<u32>(pairs, 24), r3 = columns + load<u32>(pairs, 28);
  const none = i8x16.splat(0);
  let g0 = none, g1 = none, g2 = none, g3 = none, c0 = none, c1 = none, c2 = none, c3 = none;
  if (counting) {
    g0 = v128.load8_splat(limits);
    g1 = v128.load8_splat(limits, 1);
    g2 = v128.load8_splat(limits, 2);
    g3 = v128.load8_splat(limits, 3);
  }
  for (let d: usize = 0; d < end; d += 32) {
    const p0 = l0 + d, q0 = r0 + d, p1 = l1 + d, q1 = r1 + d;
    const p2 = l2 + d, q2 = r2 + d, p3 = l3 + d, q3 = r3 + d;
    const to = largest + d;
    const x0 = sizes(v128.load(p0), v128.load(q0));
    const x1 = sizes(v128.load(p1), v128.load(q1));
    const x2 = sizes(v128.load(p2), v128.load(q2));
    const x3 = sizes(v128.load(p3), v128.load(q3));
    if (counting) {
      c0 = passing(c0, x0, g0);
      c1 = passing(c1, x1, g1);
      c2 = passing(c2, x2, g2);
      c3 = passing(c3, x3, g3);
    }
    const x = i8x16.max_u(i8x16.max_u(x0, x1), i8x16.max_u(x2, x3));
    v128.store(to, i8x16.max_u(v128.load(to), x));
    const y0 = sizes(v128.load(p0, 16), v128.load(q0, 16));
    const y1 = sizes(v128.load(p1, 16), v128.load(q1, 16));
    const y2 = sizes(v128.load(p2, 16), v128.load(q2, 16));
    const y3 = sizes(v128.load(p3, 16), v128.load(q3, 16));
    if (counting) {
      c0 = passing(c0, y0, g0);
      c1 = passing(c1, y1, g1);
      c2 = passing(c2, y2, g2);
      c3 = passing(c3, y3, g3);
    }
    const y = i8x16.max_u(i8x16.max_u(y0, y1), i8x16.max_u(y2, y3));
    v128.store(to, i8x16.max_u(v128.load(to, 16), y), 16);
  }
  if (counting)
    v128.store(pairCounts, i32x4.add(v128.load(pairCounts), across(fours(c0), fours(c1), fours(c2), fours(c3))));
}

/** The same of one pair. */
// @ts-ignore: decorator
@inline
function onePair(
  columns: usize, pairs: usize, end: usize, limits: usize, pairCounts: usize, largest: usize, counting: bool,
): void {
  const left = columns + load<u32>(pairs), right = columns + load<u32>(pairs, 4);
  const none = i8x16.splat(0);
  let limit = none, counts = none;
  if (counting) limit = v128.load8_splat(limits);
  for (let d: usize = 0; d < end; d += 16) {
    const size = sizes(v128.load(left + d), v128.load(right + d));
    if (counting) counts = passing(counts, size, limit);
    v128.store(largest + d, i8x16.max_u(v128.load(largest + d), size));
  }
  if (!counting) return;
  const four = fours(counts);
  store<u32>(pairCounts, load<u32>(pairCounts) + i32x4.extract_lane(across(four, four, four, four), 0));
}

/** Raises `best` to the places of the largest sizes of a class. */
// @ts-ignore: decorator
@inline
function raisePlaces(best: usize, largest: usize, end: usize, places: usize): void {
  const near = v128.load(places), far = v128.load(places, 16);
  for (let d: usize = 0; d < end; d += 16) {
    const half = i8x16.shr_u(v128.load(largest + d), 1);
    const place = v128.or(i8x16.swizzle(near, half), i8x16.swizzle(far, i8x16.sub(half, i8x16.splat(16))));
    v128.store(best + d, i8x16.max_u(v128.load(best + d), place));
  }
}

// @ts-ignore: decorator
@inline
function allClasses(
  columns: usize, draws: i32, pairs: usize, classes: usize, classCount: i32, places: usize, best: usize, limits: usize,
  pairCounts: usize, counting: bool,
): void {
  const end = <usize>((draws + 31) & ~31);
  const largest = best + COLUMN;
  clear(best);
  for (let k = 0; k < classCount; k++, places += PLACES) {
    let left = load<i32>(classes + (<usize>k << 2));
    clear(largest);
    for (; left >= 4; left -= 4, pairs += 32, limits += 4, pairCounts += 16)
      fourPairs(columns, pairs, end, limits, pairCounts, largest, counting);
    for (; left > 0; left--, pairs += 8, limits++, pairCounts += 4)
      onePair(columns, pairs, end, limits, pairCounts, largest, counting);
    raisePlaces(best, largest, end, places);
  }
}

/**
 * Finds the largest places of at most 192 draws over pairs in classes, and counts pairs where `pairCounts` is not 0. `best` holds two rows of
 * columns.
 */
export function tinyPlaces(
  columns: usize,
  draws: i32,
  pairs: usize,
  classes: usize,
  classCount: i32,
  places: usize,
  best: usize,
  limits: usize,
  pairCounts: usize,
): void {
  if (pairCounts != 0) allClasses(columns, draws, pairs, classes, classCount, places, best, limits, pairCounts, true);
  else allClasses(columns, draws, pairs, classes, classCount, places, best, 0, 0, false);
}

/** The largest statistic in f64 of the draw that stands `d` bytes on in every row. */
function exactLargest(columns: usize, ranked: i32, lanes: i32, inverse: usize, unit: f64): f64 {
  let most: f64 = 0;
  for (let i = 0; i < ranked; i++) {
    const own = <i32>load<i8>(columns + <usize>i * COLUMN);
    for (let j = i + 1; j < ranked; j++) {
      const size = abs(own - <i32>load<i8>(columns + <usize>j * COLUMN));
      most = max(most, <f64>size * unit * load<f64>(inverse + (<usize>(i * lanes + j) << 3)));
    }
  }
  return most;
}

/**
 * Tallies draws by the levels that their largest statistics reach.
 *
 *   steps      a place: levels that a statistic of it reaches; -1: it does not tell    i32
 *   counts     counts[k] draws whose largest statistic reaches exactly k levels        u32
 *
 * `unit` is what one in a sum stands for; `inverse` and `levels` are those of assembly/maxt.ts.
 */
export function tallyTinyPlaces(
  best: usize,
  draws: i32,
  steps: usize,
  columns: usize,
  ranked: i32,
  lanes: i32,
  inverse: usize,
  unit: f64,
  levels: usize,
  levelCount: i32,
  counts: usize,
): void {
  for (let d: usize = 0; d < <usize>draws; d++) {
    let level = load<i32>(steps + (<usize>load<u8>(best + d) << 2));
    if (level < 0) level = reached(levels, levelCount, exactLargest(columns + d, ranked, lanes, inverse, unit));
    addOne(counts, level);
  }
}

/**
 * Tallies those of some draws, whose largest places over all pairs are `before` and over the pairs that take no part `best`, that these leave as
 * they were; the signs of the others go to `rest`, one after the other. Returns how many these are. Of a place whose step is -1 nothing is known.
 */
export function tallyTinyRest(
  before: usize,
  best: usize,
  draws: i32,
  steps: usize,
  counts: usize,
  bits: usize,
  bitStride: usize,
  rest: usize,
): i32 {
  let others = 0;
  for (let d: usize = 0; d < <usize>draws; d++, bits += bitStride) {
    const place = <usize>load<u8>(before + d);
    const level = load<i32>(steps + (place << 2));
    if (level >= 0 && place > <usize>load<u8>(best + d)) addOne(counts, level);
    else {
      memory.copy(rest + <usize>others * bitStride, bits, bitStride);
      others++;
    }
  }
  return others;
}
