import { addOne, boundOf, COARSE, largest, reached } from './maxt';

/** Two integers from 0 to 2^63 - 1, each rounded once to f64: their halves take the place of a mantissa. */
// @ts-ignore: decorator
@inline
function doubles(integers: v128): v128 {
  const high = v128.or(i64x2.shr_u(integers, 32), i64x2.splat(0x4530000000000000));
  const low = v128.or(v128.and(integers, i64x2.splat(0xffffffff)), i64x2.splat(0x4330000000000000));
  const both = f64x2.splat(19342813118337666422669312.0);
  return f64x2.add(f64x2.sub(high, both), low);
}

/** Bytes of a block of lanes of f32; of i64 it is twice that. */
const BLOCK: usize = 128;

/** Sums of a draw less the first one, in f32; no difference tells what was taken off, and what is left is smaller, so that less is rounded. */
// @ts-ignore: decorator
@inline
function roundSums(sums: usize, sumStride: usize, draws: i32, lanes: i32, out: usize): void {
  for (let d = 0; d < draws; d++, sums += sumStride) {
    const first = load<i64>(sums);
    for (let m: usize = 0; m < <usize>lanes; m++, out += 4)
      store<f32>(out, <f32>(<f64>(load<i64>(sums + (m << 3)) - first)));
  }
}

/** Largest size among f32, a multiple of four of them. */
function largestSize(values: usize, end: usize): f64 {
  let most = f32x4.splat(0);
  for (; values < end; values += 16) most = f32x4.pmax(most, f32x4.abs(v128.load(values)));
  return <f64>largest(most);
}

/** Largest of some reciprocals, an even number of them. */
function largestReciprocal(inverse: usize, count: i32): f64 {
  let most = f64x2.splat(0);
  const end = inverse + (<usize>count << 3);
  for (; inverse < end; inverse += 16) most = f64x2.pmax(most, v128.load(inverse));
  return max(f64x2.extract_lane(most, 0), f64x2.extract_lane(most, 1));
}

/** A difference of two rounded sums lies within this share of the largest sum of the exact one: three roundings of 2^-24, and some more. */
const ROUNDED: f64 = 5e-7;
/** Limits are moved by this share besides: their own rounding. */
const SHARE: f32 = 1e-6;

/** What a rounded size reaches for certain, or in any case, where the exact one reaches `observed`; all reach 0. */
// @ts-ignore: decorator
@inline
function limit(observed: v128, share: f32, slack: f32): v128 {
  const moved = f32x4.add(f32x4.mul(observed, f32x4.splat(share)), f32x4.splat(slack));
  return v128.bitselect(f32x4.splat(-1), moved, f32x4.eq(observed, f32x4.splat(0)));
}

/** Draws whose difference of sums i and j reaches what is observed. */
function countExactly(sums: usize, sumStride: usize, draws: i32, i: i32, j: i32, observed: i64): i32 {
  let count = 0;
  for (let d = 0; d < draws; d++, sums += sumStride) {
    const difference = load<i64>(sums + (<usize>i << 3)) - load<i64>(sums + (<usize>j << 3));
    if (difference >= observed || -difference >= observed) count++;
  }
  return count;
}

/**
 * Adds the counts of row i with four lanes: where the draws that reach a limit for certain are not all that may reach it, integers decide.
 * `room` holds 32 bytes.
 */
// @ts-ignore: decorator
@inline
function settle(
  certain: v128, possible: v128, sums: usize, sumStride: usize, draws: i32, rows: i32, i: i32, lane: i32,
  observed: usize, counts: usize, room: usize,
): void {
  v128.store(room, certain);
  v128.store(room, possible, 16);
  const cells = ((<usize>(lane >> 4) * <usize>rows + <usize>i) << 7) + (<usize>(lane & 15) << 3);
  for (let k = max(0, i + 1 - lane); k < min(4, rows - lane); k++) {
    const at = cells + (<usize>k << 3);
    let count = load<i32>(room + (<usize>k << 2));
    if (count != load<i32>(room + (<usize>k << 2), 16))
      count = countExactly(sums, sumStride, draws, i, lane + k, load<i64>(observed + at));
    store<i64>(counts + at, load<i64>(counts + at) + count);
  }
}

/** Raises the maxima of all draws, four f32 each, by two rows with four lanes; where all reciprocals are 0 there is nothing to do. */
// @ts-ignore: decorator
@inline
function raise(rounded: usize, end: usize, stride: usize, left: usize, lane: usize, reciprocals: usize, best: usize): void {
  const p = v128.load(reciprocals), q = v128.load(reciprocals + BLOCK);
  if (!v128.any_true(v128.or(p, q))) return;
  for (let s = rounded; s < end; s += stride, best += 16) {
    const u = v128.load(s + lane);
    const x = f32x4.abs(f32x4.sub(v128.load32_splat(s + left), u));
    const y = f32x4.abs(f32x4.sub(v128.load32_splat(s + left, 4), u));
    v128.store(best, f32x4.pmax(f32x4.pmax(v128.load(best), f32x4.mul(x, p)), f32x4.mul(y, q)));
  }
}

/** Four counts of one row: draws that reach their limits for certain, and those that may. */
// @ts-ignore: decorator
@inline
function reaching(count: v128, sizes: v128, limits: v128): v128 {
  return i32x4.sub(count, f32x4.ge(sizes, limits));
}

/** The largest statistics of a draw by integers. */
function largestOfIntegers(sums: usize, ranked: i32, lanes: i32, inverse: usize): v128 {
  let best = f64x2.splat(0);
  for (let i = 0; i + 1 < ranked; i++) {
    const left = v128.load64_splat(sums + (<usize>i << 3));
    const row = inverse + (<usize>(i * lanes) << 3);
    for (let at: usize = (<usize>(i + 1) << 3) & ~15; at < <usize>ranked << 3; at += 16) {
      const distance = i64x2.abs(i64x2.sub(left, v128.load(sums + at)));
      best = f64x2.pmax(best, f64x2.mul(doubles(distance), v128.load(row + at)));
    }
  }
  return best;
}

/**
 * Tallies `draws` draws of i64 sums as `tallyMaxima` does those of 32 bits, and with `pairs` not 0 counts exceedances of pairs as `countWidePairs` does.
 * Sums rounded to f32 serve unless a level or an observed difference lies so near that they could be wrong; then integers decide.
 *
 *   estimates   observed differences in f32, laid out as `coarse`
 *   room        a draw: four f32 | a draw: sums in f32, `lanes` of them | 32 bytes
 */
export function tallyWide(
  sums: usize,
  sumStride: usize,
  draws: i32,
  rows: i32,
  ranked: i32,
  lanes: i32,
  inverse: usize,
  coarse: usize,
  levels: usize,
  levelCount: i32,
  counts: usize,
  bounds: usize,
  observed: usize,
  estimates: usize,
  pairs: usize,
  room: usize,
): void {
  const rounded = room + (<usize>draws << 4);
  const stride = <usize>lanes << 2;
  const end = rounded + <usize>draws * stride;
  memory.fill(room, 0, <usize>draws << 4);
  roundSums(sums, sumStride, draws, lanes, rounded);
  const slack = ROUNDED * largestSize(rounded, end);
  for (let i = 0; i + 1 < rows; i += 2) {
    const left = <usize>i << 2;
    for (let lane = (i + 1) & ~3; lane < lanes; lane += 4) {
      const at = ((<usize>(lane >> 5) * <usize>rows + <usize>i) << 7) + (<usize>(lane & 31) << 2);
      const right = <usize>lane << 2;
      if (pairs == 0) {
        raise(rounded, end, stride, left, right, coarse + at, room);
        continue;
      }
      const p = v128.load(coarse + at), q = v128.load(coarse + at + BLOCK);
      const g = v128.load(estimates + at), h = v128.load(estimates + at + BLOCK);
      const g1 = limit(g, 1 + SHARE, <f32>slack), g0 = limit(g, 1 - SHARE, <f32>-slack);
      const h1 = limit(h, 1 + SHARE, <f32>slack), h0 = limit(h, 1 - SHARE, <f32>-slack);
      let a1 = i32x4.splat(0), a0 = a1, b1 = a1, b0 = a1;
      let best = room;
      for (let s = rounded; s < end; s += stride, best += 16) {
        const u = v128.load(s + right);
        const x = f32x4.abs(f32x4.sub(v128.load32_splat(s + left), u));
        const y = f32x4.abs(f32x4.sub(v128.load32_splat(s + left, 4), u));
        a1 = reaching(a1, x, g1);
        a0 = reaching(a0, x, g0);
        b1 = reaching(b1, y, h1);
        b0 = reaching(b0, y, h0);
        v128.store(best, f32x4.pmax(f32x4.pmax(v128.load(best), f32x4.mul(x, p)), f32x4.mul(y, q)));
      }
      settle(a1, a0, sums, sumStride, draws, rows, i, lane, observed, pairs, end);
      settle(b1, b0, sums, sumStride, draws, rows, i + 1, lane, observed, pairs, end);
    }
  }
  const off = slack * largestReciprocal(inverse, ranked * lanes);
  for (let d = 0; d < draws; d++, sums += sumStride, room += 16) {
    const estimate = <f64>largest(v128.load(room));
    const most = estimate * (1 + COARSE) + off;
    if (bounds) store<f32>(bounds + (<usize>d << 2), boundOf(most));
    let level = reached(levels, levelCount, estimate * (1 - COARSE) - off);
    if (level < levelCount && load<f64>(levels + (<usize>level << 3)) <= most) {
      const both = largestOfIntegers(sums, ranked, lanes, inverse);
      level = reached(levels, levelCount, max(f64x2.extract_lane(both, 0), f64x2.extract_lane(both, 1)));
    }
    addOne(counts, level);
  }
}
