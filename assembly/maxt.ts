/**
 * Largest studentised pair statistic of each draw (Westfall and Young; statistics 6.7): |S_i - S_j| times the
 * reciprocal of the pair's root sum of squares.
 *
 *   inverse   row i: lane 0 .. lane L-1: reciprocal for (i, j), 0 at j <= i and past `ranked`      f64, rows x lanes
 *   coarse    the same in f32: block 0: row 0 | row 1 .. row R-1 || block 1: ..., 32 lanes of a row each; R all rows
 *   levels    ascending statistics of the observed pairs                                          f64
 *   counts    counts[k] draws whose largest statistic reaches exactly k of the levels             u32, levels + 1
 *   bounds    draw 0 .. draw N-1: no statistic of the draw is above it; 0: not wanted              f32
 */

/** Number of levels that are not above `value`. */
// @ts-ignore: decorator
@inline
export function reached(levels: usize, count: i32, value: f64): i32 {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (load<f64>(levels + (<usize>middle << 3)) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** An f32 statistic lies within this share of the f64 one: three roundings of 2^-24 each, and some more. */
export const COARSE: f64 = 2e-7;

/** Bytes of a block of lanes: two cache lines of every draw, which stay in the first-level cache. */
const BLOCK: usize = 128;

/** A statistic in f32 that is not below the f64 one, whether it was formed in f32 or in f64. */
// @ts-ignore: decorator
@inline
export function boundOf(estimate: f64): f32 {
  return <f32>(estimate * (1 + 4 * COARSE));
}

// @ts-ignore: decorator
@inline
export function addOne(counts: usize, level: i32): void {
  const at = counts + (<usize>level << 2);
  store<u32>(at, load<u32>(at) + 1);
}

/** Largest of four lanes. */
// @ts-ignore: decorator
@inline
export function largest(lanes: v128): f64 {
  return <f64>max(
    max(f32x4.extract_lane(lanes, 0), f32x4.extract_lane(lanes, 1)),
    max(f32x4.extract_lane(lanes, 2), f32x4.extract_lane(lanes, 3)),
  );
}

/** Sizes of the differences of one row with four others, f32; sums are f32 when `narrow`, else i32. */
// @ts-ignore: decorator
@inline
function sizes(left: v128, right: v128, narrow: bool): v128 {
  return narrow ? f32x4.abs(f32x4.sub(left, right)) : f32x4.convert_i32x4_s(i32x4.abs(i32x4.sub(left, right)));
}

/** `best` raised to the statistics of one row with four others. */
// @ts-ignore: decorator
@inline
function raised(best: v128, left: v128, right: v128, reciprocals: v128, narrow: bool): v128 {
  return f32x4.pmax(best, f32x4.mul(sizes(left, right, narrow), reciprocals));
}

/**
 * Raises the maxima of all draws, four f32 each, by two rows, at `left` and 4 bytes on, with eight lanes from `lane` on.
 * Where all reciprocals are 0 there is nothing to do.
 */
// @ts-ignore: decorator
@inline
function raiseEight(
  sums: usize, end: usize, sumStride: usize, left: usize, lane: usize, reciprocals: usize, best: usize, narrow: bool,
): void {
  const p = v128.load(reciprocals), q = v128.load(reciprocals, 16);
  const r = v128.load(reciprocals + BLOCK), t = v128.load(reciprocals + BLOCK, 16);
  if (!v128.any_true(v128.or(v128.or(p, q), v128.or(r, t)))) return;
  for (let s = sums; s < end; s += sumStride, best += 16) {
    const x = v128.load32_splat(s + left);
    const y = v128.load32_splat(s + left, 4);
    const u = v128.load(s + lane);
    const v = v128.load(s + lane, 16);
    const a = raised(raised(v128.load(best), x, u, p, narrow), y, u, r, narrow);
    const b = raised(f32x4.mul(sizes(x, v, narrow), q), y, v, t, narrow);
    v128.store(best, f32x4.pmax(a, b));
  }
}

/** The same with four lanes. */
// @ts-ignore: decorator
@inline
function raiseFour(
  sums: usize, end: usize, sumStride: usize, left: usize, lane: usize, reciprocals: usize, best: usize, narrow: bool,
): void {
  const p = v128.load(reciprocals);
  const r = v128.load(reciprocals + BLOCK);
  if (!v128.any_true(v128.or(p, r))) return;
  for (let s = sums; s < end; s += sumStride, best += 16) {
    const u = v128.load(s + lane);
    const a = raised(v128.load(best), v128.load32_splat(s + left), u, p, narrow);
    v128.store(best, raised(a, v128.load32_splat(s + left, 4), u, r, narrow));
  }
}

/** Two rows with four lanes of f32: raises the maxima of all draws, and counts those whose sizes reach `observed`. */
// @ts-ignore: decorator
@inline
function raiseAndCount(
  sums: usize, end: usize, sumStride: usize, left: usize, lane: usize, reciprocals: usize, best: usize,
  observed: usize, counts: usize,
): void {
  const p = v128.load(reciprocals), q = v128.load(reciprocals + BLOCK);
  const g = f32x4.convert_i32x4_s(v128.load(observed)), h = f32x4.convert_i32x4_s(v128.load(observed + BLOCK));
  let c = v128.load(counts), d = v128.load(counts + BLOCK);
  for (let s = sums; s < end; s += sumStride, best += 16) {
    const u = v128.load(s + lane);
    const x = sizes(v128.load32_splat(s + left), u, true);
    const y = sizes(v128.load32_splat(s + left, 4), u, true);
    c = i32x4.sub(c, f32x4.ge(x, g));
    d = i32x4.sub(d, f32x4.ge(y, h));
    v128.store(best, f32x4.pmax(f32x4.pmax(v128.load(best), f32x4.mul(x, p)), f32x4.mul(y, q)));
  }
  v128.store(counts, c);
  v128.store(counts + BLOCK, d);
}

/** Rows whose maxima with a block of lanes stand together: a strip. */
const STRIP: i32 = 16;

/** First lane of a block, in bytes, that stands after row i; groups of four lanes are not cut. */
// @ts-ignore: decorator
@inline
function firstLane(i: i32, block: usize): usize {
  return max(block, (<usize>(i + 1) << 2) & ~15);
}

/** Raises the maxima of all draws by all pairs, strip after strip, `draws` maxima each; counts pairs where `counts` is not 0. */
// @ts-ignore: decorator
@inline
function raisePairs(
  sums: usize, sumStride: usize, draws: i32, rows: i32, lanes: i32, coarse: usize, best: usize,
  observed: usize, counts: usize, narrow: bool,
): usize {
  const end = sums + <usize>draws * sumStride;
  const width = <usize>lanes << 2;
  for (let block: usize = 0; block < width; block += BLOCK) {
    const blockEnd = min(block + BLOCK, width);
    for (let first = 0; first + 1 < rows && firstLane(first, block) < blockEnd; first += STRIP) {
      memory.fill(best, 0, <usize>draws << 4);
      for (let i = first; i + 1 < rows && i < first + STRIP; i += 2) {
        let lane = firstLane(i, block);
        let at = block * <usize>rows + <usize>i * BLOCK + lane - block;
        const left = <usize>i << 2;
        if (counts != 0)
          for (; lane < blockEnd; lane += 16, at += 16)
            raiseAndCount(sums, end, sumStride, left, lane, coarse + at, best, observed + at, counts + at);
        else {
          for (; lane + 32 <= blockEnd; lane += 32, at += 32)
            raiseEight(sums, end, sumStride, left, lane, coarse + at, best, narrow);
          if (lane < blockEnd) raiseFour(sums, end, sumStride, left, lane, coarse + at, best, narrow);
        }
      }
      best += <usize>draws << 4;
    }
  }
  return best;
}

/** The largest statistic in f64 of one draw, among the pairs whose f32 one is at least `least`; `best` are the draw's maxima in the first strip. */
function exactLargest(
  sums: usize, rows: i32, lanes: i32, inverse: usize, coarse: usize, best: usize, draws: i32, least: f32, narrow: bool,
): f64 {
  const limit = f32x4.splat(least);
  const width = <usize>lanes << 2;
  let most: f64 = 0;
  for (let block: usize = 0; block < width; block += BLOCK) {
    const blockEnd = min(block + BLOCK, width);
    const reciprocals = coarse + block * <usize>rows - block;
    for (let first = 0; first + 1 < rows && firstLane(first, block) < blockEnd; first += STRIP) {
      const none = !v128.any_true(f32x4.ge(v128.load(best), limit));
      best += <usize>draws << 4;
      if (none) continue;
      for (let i = first; i + 1 < rows && i < first + STRIP; i++) {
        const own = v128.load32_splat(sums + (<usize>i << 2));
        const row = reciprocals + <usize>i * BLOCK;
        for (let lane = firstLane(i, block); lane < blockEnd; lane += 16) {
          const size = sizes(own, v128.load(sums + lane), narrow);
          const near = f32x4.ge(f32x4.mul(size, v128.load(row + lane)), limit);
          for (let hits = i32x4.bitmask(near); hits != 0; hits &= hits - 1) {
            const j = <i32>(lane >> 2) + ctz(hits);
            const other = sums + (<usize>j << 2);
            const distance = narrow
              ? <f64>abs(load<f32>(sums + (<usize>i << 2)) - load<f32>(other))
              : <f64>abs(load<i32>(sums + (<usize>i << 2)) - load<i32>(other));
            most = max(most, distance * load<f64>(inverse + (<usize>(i * lanes + j) << 3)));
          }
        }
      }
    }
  }
  return most;
}

/** Turns i32 sums below 2^24 into f32, in place. */
export function narrowSums(sums: usize, sumStride: usize, draws: i32, lanes: i32): void {
  for (let d = 0; d < draws; d++, sums += sumStride)
    for (let lane: usize = 0; lane < <usize>lanes << 2; lane += 16)
      v128.store(sums + lane, f32x4.convert_i32x4_s(v128.load(sums + lane)));
}

/**
 * Tallies `draws` draws of sums, i32 or, when `narrow`, f32; lanes a multiple of 4. An f32 maximum serves unless a level lies so
 * near that it could be wrong; then the f64 one decides. `best` holds four f32 a draw and strip: 16 rows by 32 lanes. With `pairs` not
 * 0, sums are narrow, and exceedances of pairs are counted as well (assembly/exceedances.ts).
 */
export function tallyMaxima(
  sums: usize,
  sumStride: usize,
  draws: i32,
  rows: i32,
  lanes: i32,
  inverse: usize,
  coarse: usize,
  levels: usize,
  levelCount: i32,
  counts: usize,
  best: usize,
  bounds: usize,
  observed: usize,
  pairs: usize,
  narrow: bool,
): void {
  const end = narrow
    ? raisePairs(sums, sumStride, draws, rows, lanes, coarse, best, observed, pairs, true)
    : raisePairs(sums, sumStride, draws, rows, lanes, coarse, best, 0, 0, false);
  for (let d = 0; d < draws; d++, sums += sumStride, best += 16) {
    let most = v128.load(best);
    for (let at = best + (<usize>draws << 4); at < end; at += <usize>draws << 4) most = f32x4.pmax(most, v128.load(at));
    const estimate = largest(most);
    if (bounds) store<f32>(bounds + (<usize>d << 2), boundOf(estimate));
    let level = reached(levels, levelCount, estimate * (1 - COARSE));
    if (level < levelCount && load<f64>(levels + (<usize>level << 3)) <= estimate * (1 + COARSE)) {
      const least = <f32>(estimate * (1 - 2 * COARSE));
      const none = estimate == 0;
      const exact = none ? 0 : exactLargest(sums, rows, lanes, inverse, coarse, best, draws, least, narrow);
      level = reached(levels, levelCount, exact);
    }
    addOne(counts, level);
  }
}
