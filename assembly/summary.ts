/**
 * Streams over bootstrap values: block sums, ranks, distances.
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

/**
 * Adds to counts[row x ranked + rank] for draws 0 .. draws-1: a row stands behind every higher value, and behind every
 * equal value of a lower row (statistics 5.5). Every pair of rows is compared, two draws at a time.
 *
 *   counts    row 0: rank 0 .. rank R-1 | row 1: ...      u32
 *   scratch   row 0: draw, next draw | row 1: ...         i64
 */
export function rankByPairs(values: usize, stride: usize, draws: i32, ranked: i32, counts: usize, scratch: usize): void {
  for (let d = 0; d < draws; d += 2, values += 16) {
    memory.fill(scratch, 0, <usize>ranked << 4);
    for (let i = 0; i < ranked; i++) {
      const value = v128.load(values + <usize>i * stride);
      let behind = v128.load(scratch + (<usize>i << 4));
      for (let j = i + 1; j < ranked; j++) {
        const ahead = f64x2.ge(value, v128.load(values + <usize>j * stride));
        const at = scratch + (<usize>j << 4);
        v128.store(at, i64x2.sub(v128.load(at), ahead));
        behind = i64x2.sub(behind, v128.not(ahead));
      }
      const row = counts + (<usize>(i * ranked) << 2);
      const first = row + (<usize>i64x2.extract_lane(behind, 0) << 2);
      store<u32>(first, load<u32>(first) + 1);
      if (d + 1 < draws) {
        const second = row + (<usize>i64x2.extract_lane(behind, 1) << 2);
        store<u32>(second, load<u32>(second) + 1);
      }
    }
  }
}

/**
 * Counts the same ranks by a merge sort of each draw, which is faster for many rows.
 *
 *   counts    row 0: rank 0 .. rank R-1 | row 1: ...      u32
 *
 *   scratch   ranked f64 values | ranked u32 order | ranked u32 order
 */
export function rankBySorting(values: usize, stride: usize, draws: i32, ranked: i32, counts: usize, scratch: usize): void {
  const orders = scratch + (<usize>ranked << 3);
  for (let d = 0; d < draws; d++, values += 8) {
    let from = orders;
    let to = orders + (<usize>ranked << 2);
    for (let m = 0; m < ranked; m++) {
      store<f64>(scratch + (<usize>m << 3), load<f64>(values + <usize>m * stride));
      store<u32>(from + (<usize>m << 2), m);
    }
    for (let width = 1; width < ranked; width <<= 1) {
      for (let start = 0; start < ranked; start += 2 * width) {
        const middle = min(start + width, ranked);
        const end = min(start + 2 * width, ranked);
        let i = start;
        let j = middle;
        for (let k = start; k < end; k++) {
          const left = i < middle ? load<u32>(from + (<usize>i << 2)) : 0;
          const right = j < end ? load<u32>(from + (<usize>j << 2)) : 0;
          const takeLeft =
            i < middle &&
            (j >= end || load<f64>(scratch + (<usize>left << 3)) >= load<f64>(scratch + (<usize>right << 3)));
          store<u32>(to + (<usize>k << 2), takeLeft ? left : right);
          if (takeLeft) i++;
          else j++;
        }
      }
      const other = from;
      from = to;
      to = other;
    }
    for (let rank = 0; rank < ranked; rank++) {
      const at = counts + (<usize>(<i32>load<u32>(from + (<usize>rank << 2)) * ranked + rank) << 2);
      store<u32>(at, load<u32>(at) + 1);
    }
  }
}
