/**
 * Largest studentised pair statistic of each draw (Westfall and Young; statistics 6.7): |S_i - S_j| times the
 * reciprocal of the pair's root sum of squares.
 *
 *   inverse   row i: lane 0 .. lane L-1: reciprocal for (i, j), 0 at j <= i and past `ranked`      f64, ranked x lanes
 *   coarse    the same in f32
 *   levels    ascending statistics of the observed pairs                                          f64
 *   counts    counts[k] draws whose largest statistic reaches exactly k of the levels             u32, levels + 1
 */

/** Number of levels that are not above `value`. */
// @ts-ignore: decorator
@inline
function reached(levels: usize, count: i32, value: f64): i32 {
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
const COARSE: f64 = 1e-6;

// @ts-ignore: decorator
@inline
function addOne(counts: usize, level: i32): void {
  const at = counts + (<usize>level << 2);
  store<u32>(at, load<u32>(at) + 1);
}

/** Largest of four lanes. */
// @ts-ignore: decorator
@inline
function largest(lanes: v128): f64 {
  return <f64>max(
    max(f32x4.extract_lane(lanes, 0), f32x4.extract_lane(lanes, 1)),
    max(f32x4.extract_lane(lanes, 2), f32x4.extract_lane(lanes, 3)),
  );
}

/** `best` raised to the statistics of row i of one draw with four other rows. */
// @ts-ignore: decorator
@inline
function raised(best: v128, sums: usize, left: usize, at: usize, reciprocals: v128): v128 {
  const distance = i32x4.abs(i32x4.sub(v128.load32_splat(sums + left), v128.load(sums + at)));
  return f32x4.pmax(best, f32x4.mul(f32x4.convert_i32x4_s(distance), reciprocals));
}

function exactLargest(sums: usize, ranked: i32, lanes: i32, inverse: usize): f64 {
  let best: f64 = 0;
  for (let i = 0; i + 1 < ranked; i++) {
    const left = load<i32>(sums + (<usize>i << 2));
    const row = inverse + (<usize>(i * lanes) << 3);
    for (let j = i + 1; j < ranked; j++) {
      const distance = abs(left - load<i32>(sums + (<usize>j << 2)));
      best = max(best, <f64>distance * load<f64>(row + (<usize>j << 3)));
    }
  }
  return best;
}

/** Tallies one draw. `estimate` is its maximum in f32; the f64 one is formed where a level lies too near. */
function tallyDraw(
  estimate: f64,
  sums: usize,
  ranked: i32,
  lanes: i32,
  inverse: usize,
  levels: usize,
  levelCount: i32,
  counts: usize,
): void {
  let level = reached(levels, levelCount, estimate * (1 - COARSE));
  if (level < levelCount && load<f64>(levels + (<usize>level << 3)) <= estimate * (1 + COARSE))
    level = reached(levels, levelCount, exactLargest(sums, ranked, lanes, inverse));
  addOne(counts, level);
}

/**
 * Tallies `draws` draws of i32 sums; `ranked` rows, lanes a multiple of 4. An f32 maximum serves unless a level lies so
 * near that it could be wrong; then the f64 one decides.
 */
export function tallyMaxima(
  sums: usize,
  sumStride: usize,
  draws: i32,
  ranked: i32,
  lanes: i32,
  inverse: usize,
  coarse: usize,
  levels: usize,
  levelCount: i32,
  counts: usize,
): void {
  const last = sums + <usize>(draws - 1) * sumStride;
  for (let d = 0; d < draws; d += 4, sums += 4 * sumStride) {
    const s1 = min(sums + sumStride, last);
    const s2 = min(sums + 2 * sumStride, last);
    const s3 = min(sums + 3 * sumStride, last);
    let b0 = f32x4.splat(0), b1 = b0, b2 = b0, b3 = b0;
    for (let i = 0; i + 1 < ranked; i++) {
      const row = coarse + (<usize>(i * lanes) << 2);
      const left = <usize>i << 2;
      for (let at: usize = (left + 4) & ~15; at < <usize>ranked << 2; at += 16) {
        const reciprocals = v128.load(row + at);
        b0 = raised(b0, sums, left, at, reciprocals);
        b1 = raised(b1, s1, left, at, reciprocals);
        b2 = raised(b2, s2, left, at, reciprocals);
        b3 = raised(b3, s3, left, at, reciprocals);
      }
    }
    const left = draws - d;
    tallyDraw(largest(b0), sums, ranked, lanes, inverse, levels, levelCount, counts);
    if (left > 1) tallyDraw(largest(b1), s1, ranked, lanes, inverse, levels, levelCount, counts);
    if (left > 2) tallyDraw(largest(b2), s2, ranked, lanes, inverse, levels, levelCount, counts);
    if (left > 3) tallyDraw(largest(b3), s3, ranked, lanes, inverse, levels, levelCount, counts);
  }
}

/** Two integers from 0 to 2^63 - 1, each rounded once to f64: their halves take the place of a mantissa. */
// @ts-ignore: decorator
@inline
function doubles(integers: v128): v128 {
  const high = v128.or(i64x2.shr_u(integers, 32), i64x2.splat(0x4530000000000000));
  const low = v128.or(v128.and(integers, i64x2.splat(0xffffffff)), i64x2.splat(0x4330000000000000));
  const both = f64x2.splat(19342813118337666422669312.0);
  return f64x2.add(f64x2.sub(high, both), low);
}

/** The same for i64 sums. */
export function tallyWideMaxima(
  sums: usize,
  sumStride: usize,
  draws: i32,
  ranked: i32,
  lanes: i32,
  inverse: usize,
  _coarse: usize,
  levels: usize,
  levelCount: i32,
  counts: usize,
): void {
  for (let d = 0; d < draws; d++, sums += sumStride) {
    let best = f64x2.splat(0);
    for (let i = 0; i + 1 < ranked; i++) {
      const left = v128.load64_splat(sums + (<usize>i << 3));
      const row = inverse + (<usize>(i * lanes) << 3);
      for (let at: usize = (<usize>(i + 1) << 3) & ~15; at < <usize>ranked << 3; at += 16) {
        const distance = i64x2.abs(i64x2.sub(left, v128.load(sums + at)));
        best = f64x2.pmax(best, f64x2.mul(doubles(distance), v128.load(row + at)));
      }
    }
    const largest = max(f64x2.extract_lane(best, 0), f64x2.extract_lane(best, 1));
    addOne(counts, reached(levels, levelCount, largest));
  }
}

/**
 * Forms the reciprocal root sums of squares of all ranked pairs (statistics 6.7). Totals are f64, C rows of `lanes`;
 * squares are added in cluster order, so a lane's digits are those of a plain loop.
 */
export function inverseRootSquares(totals: usize, clusters: i32, ranked: i32, lanes: i32, inverse: usize): void {
  const rowBytes = <usize>lanes << 3;
  for (let i = 0; i < ranked; i++) {
    memory.fill(inverse + <usize>i * rowBytes, 0, rowBytes);
    for (let j = (i + 1) & ~1; j < ranked; j += 2) {
      let squares = f64x2.splat(0);
      let at = totals;
      for (let c = 0; c < clusters; c++, at += rowBytes) {
        const d = f64x2.sub(v128.load64_splat(at + (<usize>i << 3)), v128.load(at + (<usize>j << 3)));
        squares = f64x2.add(squares, f64x2.mul(d, d));
      }
      const to = inverse + <usize>i * rowBytes + (<usize>j << 3);
      const first = f64x2.extract_lane(squares, 0);
      const second = f64x2.extract_lane(squares, 1);
      if (j > i && first > 0) store<f64>(to, 1 / sqrt(first));
      if (j + 1 < ranked && second > 0) store<f64>(to, 1 / sqrt(second), 8);
    }
  }
}

/** The same from i64 totals: differences are taken before they are rounded to f64. */
export function inverseWideRootSquares(totals: usize, clusters: i32, ranked: i32, lanes: i32, inverse: usize): void {
  const rowBytes = <usize>lanes << 3;
  for (let i = 0; i < ranked; i++) {
    memory.fill(inverse + <usize>i * rowBytes, 0, rowBytes);
    for (let j = i + 1; j < ranked; j++) {
      let squares: f64 = 0;
      let at = totals;
      for (let c = 0; c < clusters; c++, at += rowBytes) {
        const d = <f64>(load<i64>(at + (<usize>i << 3)) - load<i64>(at + (<usize>j << 3)));
        squares += d * d;
      }
      const to = inverse + <usize>i * rowBytes + (<usize>j << 3);
      if (squares > 0) store<f64>(to, 1 / sqrt(squares));
    }
  }
}
