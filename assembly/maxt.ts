/**
 * Largest studentised pair statistic of each draw (Westfall and Young): |S_i - S_j| times the reciprocal of the pair's
 * root sum of squares.
 *
 *   inverse   row i: lane 0 .. lane L-1: reciprocal for (i, j), 0 at j <= i and past `ranked`      f64, ranked x lanes
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

// @ts-ignore: decorator
@inline
function tallyLevel(levels: usize, count: i32, largest: v128, counts: usize): void {
  const value = max<f64>(f64x2.extract_lane(largest, 0), f64x2.extract_lane(largest, 1));
  const at = counts + (<usize>reached(levels, count, value) << 2);
  store<u32>(at, load<u32>(at) + 1);
}

/** Tallies `draws` draws of i32 sums; `ranked` rows, lanes a multiple of 4. */
export function tallyMaxima(
  sums: usize,
  sumStride: usize,
  draws: i32,
  ranked: i32,
  lanes: i32,
  inverse: usize,
  levels: usize,
  levelCount: i32,
  counts: usize,
): void {
  for (let d = 0; d < draws; d++, sums += sumStride) {
    let best = f64x2.splat(0);
    let other = best;
    for (let i = 0; i + 1 < ranked; i++) {
      const left = v128.load32_splat(sums + (<usize>i << 2));
      const row = inverse + (<usize>(i * lanes) << 3);
      for (let j = (i + 1) & ~3; j < ranked; j += 4) {
        const distance = i32x4.abs(i32x4.sub(left, v128.load(sums + (<usize>j << 2))));
        const at = row + (<usize>j << 3);
        best = f64x2.pmax(best, f64x2.mul(f64x2.convert_low_i32x4_s(distance), v128.load(at)));
        const upper = i64x2.shuffle(distance, distance, 1, 1);
        other = f64x2.pmax(other, f64x2.mul(f64x2.convert_low_i32x4_s(upper), v128.load(at, 16)));
      }
    }
    tallyLevel(levels, levelCount, f64x2.pmax(best, other), counts);
  }
}

/** The same for i64 sums. */
export function tallyWideMaxima(
  sums: usize,
  sumStride: usize,
  draws: i32,
  ranked: i32,
  lanes: i32,
  inverse: usize,
  levels: usize,
  levelCount: i32,
  counts: usize,
): void {
  for (let d = 0; d < draws; d++, sums += sumStride) {
    let best: f64 = 0;
    for (let i = 0; i + 1 < ranked; i++) {
      const left = load<i64>(sums + (<usize>i << 3));
      const row = inverse + (<usize>(i * lanes) << 3);
      for (let j = i + 1; j < ranked; j++) {
        const distance = left - load<i64>(sums + (<usize>j << 3));
        best = max(best, <f64>abs(distance) * load<f64>(row + (<usize>j << 3)));
      }
    }
    tallyLevel(levels, levelCount, f64x2.splat(best), counts);
  }
}

/**
 * Reciprocal root sums of squares of all ranked pairs. Totals are f64, C rows of `lanes`; squares are added in cluster
 * order, so a lane's digits are those of a plain loop.
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
