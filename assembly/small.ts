import { addOne, boundOf, reached } from './maxt';

/**
 * Sums of sign flips that fit 16 bits, as those of tables of 0 and 1: eight pairs in a vector.
 *
 *   sums       a draw: lane 0 .. lane L-1, times a power of two    i16, `sumStride` bytes a draw; L a multiple of 8
 *   observed   block 0: row 0 | row 1 .. row R-1 || block 1: ..., 64 lanes of a row each: |i - j| observed at row i, lane j, in units
 *              of the sums, less one; at j <= i and past the last lane anything            i16
 *   shares     the same places: reciprocals of errors as parts of 2^15; 0 at j <= i and past the last ranked lane    i16
 *   pairs      the same places: draws that reach `observed`                                u32
 *   inverse, levels, counts, bounds                                                        as in assembly/maxt.ts
 *
 * A flipped sum comes out of tables of 32-bit words, each lane 2 k + 65,536 times lane 2 k + 1 (assembly/signflip.ts). A statistic in
 * 16 bits is a whole number of units; the f64 one, which decides, is formed where a level lies too near to tell.
 */

/** Bytes of a block of lanes. */
const BLOCK: usize = 128;
/** Rows whose maxima with a block of lanes stand together. */
const STRIP: i32 = 16;
/** A statistic in units lies less than one of them from the f64 one, half for the product and half for the share; and some more. */
const AWAY: f64 = 1 + 1e-9;

/** Turns words into the two sums that they hold: a negative lower one took one from the upper. `lanes` are words, a multiple of 4. */
export function splitWords(sums: usize, sumStride: usize, draws: i32, lanes: i32): void {
  for (let d = 0; d < draws; d++, sums += sumStride)
    for (let lane: usize = 0; lane < <usize>lanes << 2; lane += 16) {
      const words = v128.load(sums + lane);
      const taken = i32x4.shr_s(i32x4.shl(words, 16), 31);
      v128.store(sums + lane, i32x4.sub(words, i32x4.shl(taken, 16)));
    }
}

/** Writes sums as they are, i32: divided by 2^shift and times `unit`. */
export function plainSums(
  sums: usize, sumStride: usize, draws: i32, lanes: i32, shift: i32, unit: i32, out: usize, outStride: usize,
): void {
  const units = i32x4.splat(unit);
  for (let d = 0; d < draws; d++, sums += sumStride, out += outStride)
    for (let lane: usize = 0; lane < <usize>lanes; lane += 8) {
      const some = v128.load(sums + (lane << 1));
      const to = out + (lane << 2);
      v128.store(to, i32x4.mul(i32x4.shr_s(i32x4.extend_low_i16x8_s(some), shift), units));
      v128.store(to, i32x4.mul(i32x4.shr_s(i32x4.extend_high_i16x8_s(some), shift), units), 16);
    }
}

/** Adds eight counts to u32 ones. */
// @ts-ignore: decorator
@inline
function addCounts(to: usize, counts: v128): void {
  v128.store(to, i32x4.add(v128.load(to), i32x4.extend_low_i16x8_s(counts)));
  v128.store(to, i32x4.add(v128.load(to, 16), i32x4.extend_high_i16x8_s(counts)), 16);
}

/** Counts rows whose sizes pass `observed`, lanes of i16; at most 32,767 draws. */
export function countSmallRows(
  sums: usize, sumStride: usize, draws: i32, lanes: i32, observed: usize, counts: usize,
): void {
  const end = sums + <usize>draws * sumStride;
  for (let lane: usize = 0; lane < <usize>lanes << 1; lane += 16) {
    const limit = v128.load(observed + lane);
    let count = i16x8.splat(0);
    for (let s = sums; s < end; s += sumStride)
      count = i16x8.sub(count, i16x8.gt_s(i16x8.abs(v128.load(s + lane)), limit));
    addCounts(counts + (lane << 1), count);
  }
}

// @ts-ignore: decorator
@inline
function size(left: v128, right: v128): v128 {
  return i16x8.abs(i16x8.sub(left, right));
}

/** Two rows, at `left` and 2 bytes on, with eight lanes, or sixteen: counts those that pass what is observed, and raises maxima of all draws. */
// @ts-ignore: decorator
@inline
function twoRows(
  sums: usize, end: usize, sumStride: usize, left: usize, lane: usize, shares: usize, best: usize, observed: usize,
  pairs: usize, counting: bool, raising: bool, sixteen: bool,
): void {
  const none = i16x8.splat(0);
  let p = none, q = none, r = none, t = none, g = none, h = none, k = none, l = none;
  let a = none, b = none, c = none, d = none;
  if (raising) {
    p = v128.load(shares);
    q = v128.load(shares + BLOCK);
    if (sixteen) {
      r = v128.load(shares, 16);
      t = v128.load(shares + BLOCK, 16);
    }
    if (!counting && !v128.any_true(v128.or(v128.or(p, q), v128.or(r, t)))) return;
  }
  if (counting) {
    g = v128.load(observed);
    h = v128.load(observed + BLOCK);
    if (sixteen) {
      k = v128.load(observed, 16);
      l = v128.load(observed + BLOCK, 16);
    }
  }
  for (let s = sums; s < end; s += sumStride) {
    const x = v128.load16_splat(s + left);
    const y = v128.load16_splat(s + left, 2);
    const u = v128.load(s + lane);
    const xu = size(x, u), yu = size(y, u);
    let xv = none, yv = none;
    if (sixteen) {
      const v = v128.load(s + lane, 16);
      xv = size(x, v);
      yv = size(y, v);
    }
    if (counting) {
      a = i16x8.sub(a, i16x8.gt_s(xu, g));
      b = i16x8.sub(b, i16x8.gt_s(yu, h));
      if (sixteen) {
        c = i16x8.sub(c, i16x8.gt_s(xv, k));
        d = i16x8.sub(d, i16x8.gt_s(yv, l));
      }
    }
    if (raising) {
      let most = i16x8.max_s(i16x8.q15mulr_sat_s(xu, p), i16x8.q15mulr_sat_s(yu, q));
      if (sixteen)
        most = i16x8.max_s(most, i16x8.max_s(i16x8.q15mulr_sat_s(xv, r), i16x8.q15mulr_sat_s(yv, t)));
      v128.store(best, i16x8.max_s(v128.load(best), most));
      best += 16;
    }
  }
  if (!counting) return;
  addCounts(pairs, a);
  addCounts(pairs + 2 * BLOCK, b);
  if (sixteen) {
    addCounts(pairs + 32, c);
    addCounts(pairs + 2 * BLOCK + 32, d);
  }
}

/** First lane of a block, in bytes, that stands after row i; groups of eight lanes are not cut. */
// @ts-ignore: decorator
@inline
function firstLane(i: i32, block: usize): usize {
  return max(block, (<usize>(i + 1) << 1) & ~15);
}

/** Goes through all pairs, strip after strip, `draws` maxima each; returns the end of these. */
// @ts-ignore: decorator
@inline
function allPairs(
  sums: usize, sumStride: usize, draws: i32, rows: i32, lanes: i32, shares: usize, best: usize, observed: usize,
  pairs: usize, counting: bool, raising: bool,
): usize {
  const end = sums + <usize>draws * sumStride;
  const width = <usize>lanes << 1;
  for (let block: usize = 0; block < width; block += BLOCK) {
    const blockEnd = min(block + BLOCK, width);
    for (let first = 0; first + 1 < rows && firstLane(first, block) < blockEnd; first += STRIP) {
      if (raising) memory.fill(best, 0, <usize>draws << 4);
      for (let i = first; i + 1 < rows && i < first + STRIP; i += 2) {
        const left = <usize>i << 1;
        let lane = firstLane(i, block);
        let at = block * <usize>rows + <usize>i * BLOCK + lane - block;
        for (; lane + 32 <= blockEnd; lane += 32, at += 32)
          twoRows(
            sums, end, sumStride, left, lane, shares + at, best, observed + at, pairs + 2 * at, counting, raising, true,
          );
        if (lane < blockEnd)
          twoRows(
            sums, end, sumStride, left, lane, shares + at, best, observed + at, pairs + 2 * at, counting, raising, false,
          );
      }
      if (raising) best += <usize>draws << 4;
    }
  }
  return best;
}

/** Counts pairs; at most 32,767 draws. */
export function countSmallPairs(
  sums: usize, sumStride: usize, draws: i32, rows: i32, lanes: i32, observed: usize, pairs: usize,
): void {
  allPairs(sums, sumStride, draws, rows, lanes, 0, 0, observed, pairs, true, false);
}

/** The largest statistic in f64 of one draw, among the pairs of at least `least` units; `best` are the draw's maxima in the first strip. */
function exactLargest(
  sums: usize, rows: i32, ranked: i32, lanes: i32, inverse: usize, shares: usize, best: usize, draws: i32, least: i32, unit: f64,
): f64 {
  const limit = i16x8.splat(<i16>least);
  const width = <usize>lanes << 1;
  let most: f64 = 0;
  for (let block: usize = 0; block < width; block += BLOCK) {
    const blockEnd = min(block + BLOCK, width);
    for (let first = 0; first + 1 < rows && firstLane(first, block) < blockEnd; first += STRIP) {
      const none = !v128.any_true(i16x8.ge_s(v128.load(best), limit));
      best += <usize>draws << 4;
      if (none) continue;
      // The least units may be 0 or less, which pairs that are none reach too.
      for (let i = first; i + 1 < ranked && i < first + STRIP; i++) {
        const own = v128.load16_splat(sums + (<usize>i << 1));
        const row = shares + block * <usize>rows + <usize>i * BLOCK - block;
        for (let lane = firstLane(i, block); lane < blockEnd; lane += 16) {
          const distances = size(own, v128.load(sums + lane));
          const near = i16x8.ge_s(i16x8.q15mulr_sat_s(distances, v128.load(row + lane)), limit);
          for (let hits = i16x8.bitmask(near); hits != 0; hits &= hits - 1) {
            const j = <i32>(lane >> 1) + ctz(hits);
            const distance = abs(<i32>load<i16>(sums + (<usize>i << 1)) - <i32>load<i16>(sums + (<usize>j << 1)));
            const statistic = <f64>distance * unit * load<f64>(inverse + (<usize>(i * lanes + j) << 3));
            most = max(most, statistic);
          }
        }
      }
    }
  }
  return most;
}

/** Largest of eight lanes. */
// @ts-ignore: decorator
@inline
function largest(lanes: v128): i32 {
  let most = i16x8.max_s(lanes, i64x2.shuffle(lanes, lanes, 1, 0));
  most = i16x8.max_s(most, i32x4.shuffle(most, most, 1, 0, 3, 2));
  return max(<i32>i16x8.extract_lane_s(most, 0), <i32>i16x8.extract_lane_s(most, 1));
}

/**
 * Tallies the largest statistics of `draws` draws, at most 32,767, and with `pairs` not 0 counts pairs as well. `unit` is what one in a sum
 * stands for, `statistic` what one in a maximum does. `best` holds eight i16 a draw and strip: 16 rows by 64 lanes.
 *
 *   steps    a maximum of 0, 1, ... units: levels that any statistic so estimated reaches, levels that some may reach    i32
 */
export function tallySmallMaxima(
  sums: usize,
  sumStride: usize,
  draws: i32,
  rows: i32,
  ranked: i32,
  lanes: i32,
  inverse: usize,
  shares: usize,
  unit: f64,
  statistic: f64,
  levels: usize,
  steps: usize,
  counts: usize,
  best: usize,
  bounds: usize,
  observed: usize,
  pairs: usize,
): void {
  const end = pairs != 0
    ? allPairs(sums, sumStride, draws, rows, lanes, shares, best, observed, pairs, true, true)
    : allPairs(sums, sumStride, draws, rows, lanes, shares, best, 0, 0, false, true);
  for (let d = 0; d < draws; d++, sums += sumStride, best += 16) {
    let most = v128.load(best);
    for (let at = best + (<usize>draws << 4); at < end; at += <usize>draws << 4) most = i16x8.max_s(most, v128.load(at));
    const units = largest(most);
    if (bounds) store<f32>(bounds + (<usize>d << 2), boundOf((<f64>units + AWAY) * statistic));
    const step = steps + (<usize>units << 3);
    let level = load<i32>(step);
    const last = load<i32>(step, 4);
    if (level < last) {
      const exact = exactLargest(sums, rows, ranked, lanes, inverse, shares, best, draws, units - 2, unit);
      level += reached(levels + (<usize>level << 3), last - level, exact);
    }
    addOne(counts, level);
  }
}
