import { addOne, boundOf, reached } from './maxt';

/**
 * Sums of sign flips whose differences do not pass 63, as those of tables of 0 and 1 over few clusters: pair after pair, sixteen draws in a
 * vector.
 *
 *   columns    row 0: draw 0 .. draw 255 | row 1: ...: sums, i8, `COLUMN` bytes a row; past the last draw anything
 *   limits     a pair: what is observed less one, at most 127; -1: all draws reach it               i8
 *   places     a pair: by half the size of a difference, 0 to 31, the place of its statistic        u8, 32 a pair; 0 for a pair that takes no part
 *   pairs      a pair: draws that reach what is observed                                            u32
 *   best       a draw: the largest place of its pairs                                               u8
 *   steps      a place: levels that a statistic of it reaches; -1: it does not tell                 i32, 256
 *   tops       a place: no statistic of it is above                                                 f32, 256
 *
 * Pairs stand in the order (0,1), (0,2), ..., (1,2), ... A difference of a pair is even, or odd, in all draws, so that half of it says which.
 */

/** Bytes of a row of `columns`: 256 draws, and some so that rows do not fall on one another in the cache. */
const COLUMN: usize = 320;
const PLACES: usize = 32;

/** Turns sums of 16 bits (assembly/small.ts) into columns; at most 256 draws. */
export function tinyColumns(sums: usize, sumStride: usize, draws: i32, rows: i32, shift: i32, columns: usize): void {
  for (let d = 0; d < draws; d++, sums += sumStride, columns++) {
    let to = columns;
    for (let m: usize = 0; m < <usize>rows; m++, to += COLUMN)
      store<i8>(to, <i8>(<i32>load<i16>(sums + (m << 1)) >> shift));
  }
}

/** Sum of sixteen counts. */
// @ts-ignore: decorator
@inline
function summed(counts: v128): i32 {
  const four = i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(counts));
  return i32x4.extract_lane(four, 0) + i32x4.extract_lane(four, 1) + i32x4.extract_lane(four, 2)
    + i32x4.extract_lane(four, 3);
}

// @ts-ignore: decorator
@inline
function addCount(pair: usize, limits: usize, pairs: usize, counts: v128, draws: i32): void {
  const at = pairs + (pair << 2);
  const all = load<i8>(limits + pair) < 0;
  store<u32>(at, load<u32>(at) + (all ? draws : summed(counts)));
}

/** The places of sixteen differences, of pairs with larger ones than 31 if `far`. */
// @ts-ignore: decorator
@inline
function placed(size: v128, near: v128, other: v128, far: bool): v128 {
  const half = i8x16.shr_u(size, 1);
  const place = i8x16.swizzle(near, half);
  return far ? v128.or(place, i8x16.swizzle(other, i8x16.sub(half, i8x16.splat(16)))) : place;
}

/** One row with the rows of pairs `pair` and, if `two`, the next one: counts those that pass what is observed, and raises places of all draws. */
// @ts-ignore: decorator
@inline
function onePass(
  own: usize, right: usize, draws: i32, pair: usize, limits: usize, places: usize, pairs: usize, best: usize, counting: bool,
  raising: bool, far: bool, two: bool,
): void {
  const none = i8x16.splat(0);
  let g = none, h = none, a = none, b = none, p = none, q = none, r = none, t = none;
  if (counting) {
    g = v128.load8_splat(limits + pair);
    if (two) h = v128.load8_splat(limits + pair, 1);
  }
  if (raising) {
    const at = places + pair * PLACES;
    p = v128.load(at);
    if (far) q = v128.load(at, 16);
    if (two) {
      r = v128.load(at, 32);
      if (far) t = v128.load(at, 48);
    }
  }
  for (let d: usize = 0; d < <usize>draws; d += 16) {
    const mine = v128.load(own + d);
    const x = i8x16.abs(i8x16.sub(mine, v128.load(right + d)));
    if (counting) a = i8x16.sub(a, i8x16.gt_s(x, g));
    let most = none;
    if (raising) most = placed(x, p, q, far);
    if (two) {
      const y = i8x16.abs(i8x16.sub(mine, v128.load(right + COLUMN + d)));
      if (counting) b = i8x16.sub(b, i8x16.gt_s(y, h));
      if (raising) most = i8x16.max_u(most, placed(y, r, t, far));
    }
    if (raising) v128.store(best + d, i8x16.max_u(v128.load(best + d), most));
  }
  if (!counting) return;
  addCount(pair, limits, pairs, a, draws);
  if (two) addCount(pair + 1, limits, pairs, b, draws);
}

/** Tells what of two pairs is to be done: 0 no place, 1 none past the sixteenth, 2 some. */
// @ts-ignore: decorator
@inline
function wanted(places: usize, two: bool): i32 {
  let near = v128.load(places);
  let far = v128.load(places, 16);
  if (two) {
    near = v128.or(near, v128.load(places, 32));
    far = v128.or(far, v128.load(places, 48));
  }
  return v128.any_true(far) ? 2 : v128.any_true(near) ? 1 : 0;
}

// @ts-ignore: decorator
@inline
function pass(
  own: usize, right: usize, draws: i32, pair: usize, limits: usize, places: usize, pairs: usize, best: usize, counting: bool,
  two: bool,
): void {
  const what = wanted(places + pair * PLACES, two);
  if (what == 2) onePass(own, right, draws, pair, limits, places, pairs, best, counting, true, true, two);
  else if (what == 1) onePass(own, right, draws, pair, limits, places, pairs, best, counting, true, false, two);
  else if (counting) onePass(own, right, draws, pair, limits, places, pairs, best, true, false, false, two);
}

// @ts-ignore: decorator
@inline
function allPairs(
  columns: usize, draws: i32, rows: i32, limits: usize, places: usize, pairs: usize, best: usize, counting: bool,
): void {
  let pair: usize = 0;
  for (let i = 0; i < rows; i++) {
    const own = columns + <usize>i * COLUMN;
    let j = i + 1;
    for (; j + 1 < rows; j += 2, pair += 2)
      pass(own, columns + <usize>j * COLUMN, draws, pair, limits, places, pairs, best, counting, true);
    if (j < rows) pass(own, columns + <usize>j * COLUMN, draws, pair++, limits, places, pairs, best, counting, false);
  }
}

/** The largest statistic in f64 of the draw that stands `d` bytes on in every row. */
function exactLargest(columns: usize, rows: i32, ranked: i32, lanes: i32, inverse: usize, unit: f64): f64 {
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
 * Tallies the largest statistics of `draws` draws, at most 256, and with `pairs` not 0 counts pairs as well. `unit` is what one in a sum stands
 * for; `inverse`, `levels`, `counts` and `bounds` are those of assembly/maxt.ts.
 */
export function tallyTinyMaxima(
  columns: usize,
  draws: i32,
  rows: i32,
  ranked: i32,
  lanes: i32,
  inverse: usize,
  unit: f64,
  limits: usize,
  places: usize,
  pairs: usize,
  best: usize,
  steps: usize,
  tops: usize,
  levels: usize,
  levelCount: i32,
  counts: usize,
  bounds: usize,
): void {
  memory.fill(best, 0, 256);
  // What stands past the last draw counts nothing: no difference, which passes no limit but -1.
  const whole = (draws + 15) & ~15;
  for (let m = 0; m < rows && whole > draws; m++)
    memory.fill(columns + <usize>m * COLUMN + <usize>draws, 0, <usize>(whole - draws));
  if (pairs != 0) allPairs(columns, draws, rows, limits, places, pairs, best, true);
  else allPairs(columns, draws, rows, limits, places, pairs, best, false);
  for (let d = 0; d < draws; d++) {
    const place = <usize>load<u8>(best + <usize>d);
    let level = load<i32>(steps + (place << 2));
    let top = load<f32>(tops + (place << 2));
    if (level < 0) {
      const exact = exactLargest(columns + <usize>d, rows, ranked, lanes, inverse, unit);
      level = reached(levels, levelCount, exact);
      top = boundOf(exact);
    }
    addOne(counts, level);
    if (bounds) store<f32>(bounds + (<usize>d << 2), top);
  }
}
