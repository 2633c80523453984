/**
 * Streams over bootstrap values: block sums, distances.
 *
 *   values   row m: draw 0 .. draw N-1      f64, `stride` bytes a row
 */

/**
 * Adds values, or squared distances from `centre`, in blocks of `block` draws, then the blocks in order (statistics
 * 5.3). `values` is one row.
 */
export function blockedSum(values: usize, n: i32, block: i32, centre: f64, squared: bool): f64 {
  let total: f64 = 0;
  for (let start = 0; start < n; start += block) {
    const end = values + (<usize>min(start + block, n) << 3);
    let sum: f64 = 0;
    for (let at = values + (<usize>start << 3); at < end; at += 8) {
      const d = load<f64>(at) - centre;
      sum += squared ? d * d : d;
    }
    total += sum;
  }
  return total;
}

/**
 * Raises the largest standardised distance of each draw to that of one row, |value - point| / error (statistics 5.4).
 *
 *   values   one row: draw 0 .. draw n-1      f64
 *   maxima   draw 0 .. draw n-1               f64
 */
export function raiseMaxima(values: usize, n: i32, point: f64, error: f64, maxima: usize): void {
  const centre = f64x2.splat(point);
  const unit = f64x2.splat(error);
  const even = <usize>(n & ~1) << 3;
  for (let at: usize = 0; at < even; at += 16) {
    const t = f64x2.div(f64x2.abs(f64x2.sub(v128.load(values + at), centre)), unit);
    v128.store(maxima + at, f64x2.pmax(v128.load(maxima + at), t));
  }
  if (n & 1) store<f64>(maxima + even, max(load<f64>(maxima + even), abs(load<f64>(values + even) - point) / error));
}
