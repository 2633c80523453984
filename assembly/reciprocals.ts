/**
 * Reciprocals of the errors of pairs: 1 / root of the sum, over clusters, of squared differences of totals (statistics 6.7).
 *
 *   inverse   row i: lane 0 .. lane L-1: reciprocal for (i, j), 0 at j <= i, past `ranked` and where rows never differ    f64, rows x lanes
 */

// @ts-ignore: decorator
@inline
function squared(sum: v128, left: v128, right: v128): v128 {
  const d = f64x2.sub(left, right);
  return f64x2.add(sum, f64x2.mul(d, d));
}

/** Stores two reciprocals, of rows j and j + 1 with row i before them. */
// @ts-ignore: decorator
@inline
function storeReciprocals(inverse: usize, squares: v128, i: i32, j: i32, ranked: i32, lanes: i32): void {
  const to = inverse + (<usize>(i * lanes + j) << 3);
  const first = f64x2.extract_lane(squares, 0);
  const second = f64x2.extract_lane(squares, 1);
  if (j > i && j < ranked && first > 0) store<f64>(to, 1 / sqrt(first));
  if (j + 1 > i && j + 1 < ranked && second > 0) store<f64>(to, 1 / sqrt(second), 8);
}

/**
 * Forms the reciprocal root sums of squares of all ranked pairs (statistics 6.7); squares are added in cluster order, so
 * a lane's digits are those of a plain loop.
 *
 *   totals   rows 0 .. 7: cluster 0 .. cluster C-1, eight f64 each | rows 8 .. 15: ...
 */
export function inverseRootSquares(totals: usize, clusters: i32, ranked: i32, lanes: i32, inverse: usize): void {
  const blockBytes = <usize>clusters << 6;
  memory.fill(inverse, 0, <usize>(ranked * lanes) << 3);
  for (let j = 0; j < ranked; j += 8) {
    const right = totals + <usize>(j >> 3) * blockBytes;
    for (let i = 0; i < min(ranked, j + 8); i += 2) {
      const left = totals + <usize>(i >> 3) * blockBytes + (<usize>(i & 7) << 3);
      let a0 = f64x2.splat(0), a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0;
      for (let at: usize = 0; at < blockBytes; at += 64) {
        const x = v128.load64_splat(left + at);
        const y = v128.load64_splat(left + at, 8);
        let r = v128.load(right + at);
        a0 = squared(a0, x, r);
        b0 = squared(b0, y, r);
        r = v128.load(right + at, 16);
        a1 = squared(a1, x, r);
        b1 = squared(b1, y, r);
        r = v128.load(right + at, 32);
        a2 = squared(a2, x, r);
        b2 = squared(b2, y, r);
        r = v128.load(right + at, 48);
        a3 = squared(a3, x, r);
        b3 = squared(b3, y, r);
      }
      storeReciprocals(inverse, a0, i, j, ranked, lanes);
      storeReciprocals(inverse, a1, i, j + 2, ranked, lanes);
      storeReciprocals(inverse, a2, i, j + 4, ranked, lanes);
      storeReciprocals(inverse, a3, i, j + 6, ranked, lanes);
      storeReciprocals(inverse, b0, i + 1, j, ranked, lanes);
      storeReciprocals(inverse, b1, i + 1, j + 2, ranked, lanes);
      storeReciprocals(inverse, b2, i + 1, j + 4, ranked, lanes);
      storeReciprocals(inverse, b3, i + 1, j + 6, ranked, lanes);
    }
  }
}

/** The same from i64 totals, C rows of `lanes`: differences are taken before they are rounded to f64. */
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
