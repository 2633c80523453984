/**
 * Ranks of the rows of each draw, counted.
 *
 *   values   row m: draw 0 .. draw N-1                     f64, `stride` bytes a row
 *   counts   row 0: rank 0 .. rank R-1 | row 1: ...        u32
 *   shifts   the same places, or 0 for ordinal ranks       u32
 *
 * Ordinal: a row stands behind every higher value, and behind every equal value of a lower row (statistics 5.5).
 * Shared (decisions 1.2): counts take the best rank; worst ranks are counted as counts + shifts (modulo 2^32), so that
 * a draw without ties costs what an ordinal one does.
 */

// @ts-ignore: decorator
@inline
function add(counts: usize, row: i32, ranked: i32, rank: i32, change: u32): void {
  const at = counts + (<usize>(row * ranked + rank) << 2);
  store<u32>(at, load<u32>(at) + change);
}

/** Counts the rows order[start .. end), whose values are equal. */
// @ts-ignore: decorator
@inline
function addTied(counts: usize, shifts: usize, ranked: i32, order: usize, start: i32, end: i32): void {
  for (let k = start; k < end; k++) {
    const row = load<i32>(order + (<usize>k << 2));
    add(counts, row, ranked, start, 1);
    if (end - start == 1) continue;
    add(shifts, row, ranked, start, -1);
    add(shifts, row, ranked, end - 1, 1);
  }
}

/** Value of the row at place k of an order. */
// @ts-ignore: decorator
@inline
function valueAt(values: usize, stride: usize, order: usize, k: i32): f64 {
  return load<f64>(values + <usize>load<u32>(order + (<usize>k << 2)) * stride);
}

/** Counts the shared ranks of one draw from an order of its rows, highest first. */
function countShared(values: usize, stride: usize, ranked: i32, order: usize, counts: usize, shifts: usize): void {
  let start = 0;
  while (start < ranked) {
    const value = valueAt(values, stride, order, start);
    let end = start + 1;
    while (end < ranked && valueAt(values, stride, order, end) == value) end++;
    addTied(counts, shifts, ranked, order, start, end);
    start = end;
  }
}

/** Leaves in `places` how many rows stand before each row in two draws, ordinally; returns where some values are equal. */
// @ts-ignore: decorator
@inline
function comparePairs(values: usize, stride: usize, ranked: i32, places: usize, ties: bool): v128 {
  memory.fill(places, 0, <usize>ranked << 4);
  let equal = i64x2.splat(0);
  for (let i = 0; i < ranked; i++) {
    const value = v128.load(values + <usize>i * stride);
    let behind = v128.load(places + (<usize>i << 4));
    for (let j = i + 1; j < ranked; j++) {
      const other = v128.load(values + <usize>j * stride);
      const ahead = f64x2.ge(value, other);
      if (ties) equal = v128.or(equal, f64x2.eq(value, other));
      const at = places + (<usize>j << 4);
      v128.store(at, i64x2.sub(v128.load(at), ahead));
      behind = i64x2.sub(behind, v128.not(ahead));
    }
    v128.store(places + (<usize>i << 4), behind);
  }
  return equal;
}

/** Counts one of two draws whose places are known: those 8 bytes from `places` on, 16 bytes a row. */
// @ts-ignore: decorator
@inline
function countPlaces(
  values: usize,
  stride: usize,
  ranked: i32,
  places: usize,
  tied: bool,
  order: usize,
  counts: usize,
  shifts: usize,
): void {
  if (tied) {
    for (let i = 0; i < ranked; i++)
      store<i32>(order + (<usize>load<u32>(places + (<usize>i << 4)) << 2), i);
    countShared(values, stride, ranked, order, counts, shifts);
    return;
  }
  for (let i = 0; i < ranked; i++) add(counts, i, ranked, load<i32>(places + (<usize>i << 4)), 1);
}

/**
 * Counts the ranks of draws 0 .. draws-1 by comparing every pair of rows, two draws at a time.
 *
 *   scratch   row 0: draw, next draw | row 1: ...  i64 | order, i32 a row
 */
export function rankByPairs(
  values: usize,
  stride: usize,
  draws: i32,
  ranked: i32,
  counts: usize,
  shifts: usize,
  scratch: usize,
): void {
  const order = scratch + (<usize>ranked << 4);
  for (let d = 0; d < draws; d += 2, values += 16) {
    const ties = shifts
      ? comparePairs(values, stride, ranked, scratch, true)
      : comparePairs(values, stride, ranked, scratch, false);
    const first = i64x2.extract_lane(ties, 0) != 0;
    const second = i64x2.extract_lane(ties, 1) != 0;
    countPlaces(values, stride, ranked, scratch, first, order, counts, shifts);
    if (d + 1 < draws) countPlaces(values + 8, stride, ranked, scratch + 8, second, order, counts, shifts);
  }
}

/**
 * Counts the same ranks by a merge sort of each draw, which is faster for many rows.
 *
 *   scratch   ranked f64 values | ranked u32 order | ranked u32 order
 */
export function rankBySorting(
  values: usize,
  stride: usize,
  draws: i32,
  ranked: i32,
  counts: usize,
  shifts: usize,
  scratch: usize,
): void {
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
    if (shifts) countShared(scratch, 8, ranked, from, counts, shifts);
    else for (let rank = 0; rank < ranked; rank++) add(counts, load<i32>(from + (<usize>rank << 2)), ranked, rank, 1);
  }
}
