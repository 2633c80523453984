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

/** Counts the shared ranks of one draw from an order of its rows, and their values in that order, highest first. */
function countShared(sorted: usize, ranked: i32, order: usize, counts: usize, shifts: usize): void {
  let start = 0;
  while (start < ranked) {
    const value = load<f64>(sorted + (<usize>start << 3));
    let end = start + 1;
    while (end < ranked && load<f64>(sorted + (<usize>end << 3)) == value) end++;
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
    const sorted = order + (<usize>((ranked + 1) & ~1) << 2);
    for (let i = 0; i < ranked; i++) {
      const place = <usize>load<u32>(places + (<usize>i << 4));
      store<i32>(order + (place << 2), i);
      store<f64>(sorted + (place << 3), load<f64>(values + <usize>i * stride));
    }
    countShared(sorted, ranked, order, counts, shifts);
    return;
  }
  for (let i = 0; i < ranked; i++) add(counts, i, ranked, load<i32>(places + (<usize>i << 4)), 1);
}

/**
 * Counts the ranks of draws 0 .. draws-1 by comparing every pair of rows, two draws at a time.
 *
 *   scratch   row 0: draw, next draw | row 1: ...  i64 | order, i32 a row | values in that order, f64 a row
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

/** Steps back that insertion may take, a row: past it the values crowd into few buckets. */
const STEPS: i32 = 16;

/**
 * Orders rows by their values, highest first, equal ones by row: as many buckets of equal width as rows, then insertion.
 * False where values crowd, or where their range cannot be cut.
 */
function orderByBuckets(
  values: usize, ranked: i32, sorted: usize, order: usize, places: usize, buckets: usize,
): bool {
  let lowest = v128.load64_splat(values);
  let highest = lowest;
  for (let m: usize = 1; m < <usize>ranked; m++) {
    const value = v128.load64_splat(values + (m << 3));
    lowest = f64x2.pmin(lowest, value);
    highest = f64x2.pmax(highest, value);
  }
  const high = f64x2.extract_lane(highest, 0);
  const scale = <f64>(ranked - 1) / (high - f64x2.extract_lane(lowest, 0));
  if (!(scale < 1e300)) return false;
  memory.fill(buckets, 0, <usize>ranked << 2);
  for (let m: usize = 0; m < <usize>ranked; m++) {
    const bucket = <i32>((high - load<f64>(values + (m << 3))) * scale);
    store<i32>(places + (m << 2), bucket);
    const at = buckets + (<usize>bucket << 2);
    store<i32>(at, load<i32>(at) + 1);
  }
  let start = 0;
  for (let b: usize = 0; b < <usize>ranked; b++) {
    const size = load<i32>(buckets + (b << 2));
    store<i32>(buckets + (b << 2), start);
    start += size;
  }
  for (let m: usize = 0; m < <usize>ranked; m++) {
    const at = buckets + (<usize>load<u32>(places + (m << 2)) << 2);
    const place = <usize>load<u32>(at);
    store<u32>(at, <u32>place + 1);
    store<u32>(order + (place << 2), <u32>m);
    store<f64>(sorted + (place << 3), load<f64>(values + (m << 3)));
  }
  let steps = STEPS * ranked;
  for (let k = 1; k < ranked; k++) {
    const value = load<f64>(sorted + (<usize>k << 3));
    if (load<f64>(sorted + (<usize>(k - 1) << 3)) >= value) continue;
    const row = load<u32>(order + (<usize>k << 2));
    let to = k;
    do {
      store<f64>(sorted + (<usize>to << 3), load<f64>(sorted + (<usize>(to - 1) << 3)));
      store<u32>(order + (<usize>to << 2), load<u32>(order + (<usize>(to - 1) << 2)));
      to--;
    } while (to > 0 && load<f64>(sorted + (<usize>(to - 1) << 3)) < value);
    store<f64>(sorted + (<usize>to << 3), value);
    store<u32>(order + (<usize>to << 2), row);
    steps -= k - to;
    if (steps < 0) return false;
  }
  return true;
}

/** The same by a merge sort, whatever the values. */
function orderByMerging(values: usize, ranked: i32, sorted: usize, order: usize, spare: usize): void {
  let from = order;
  let to = spare;
  for (let m = 0; m < ranked; m++) store<u32>(from + (<usize>m << 2), m);
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
          (j >= end || load<f64>(values + (<usize>left << 3)) >= load<f64>(values + (<usize>right << 3)));
        store<u32>(to + (<usize>k << 2), takeLeft ? left : right);
        if (takeLeft) i++;
        else j++;
      }
    }
    const other = from;
    from = to;
    to = other;
  }
  if (from != order) memory.copy(order, from, <usize>ranked << 2);
  for (let k: usize = 0; k < <usize>ranked; k++)
    store<f64>(sorted + (k << 3), load<f64>(values + (<usize>load<u32>(order + (k << 2)) << 3)));
}

/**
 * Counts the same ranks by sorting each draw, which is faster for many rows.
 *
 *   scratch   a row each: values, f64 | values in order, f64 | order, u32 | places, u32 | buckets, u32
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
  const sorted = scratch + (<usize>ranked << 3);
  const order = sorted + (<usize>ranked << 3);
  const places = order + (<usize>ranked << 2);
  const buckets = places + (<usize>ranked << 2);
  for (let d = 0; d < draws; d++, values += 8) {
    for (let m = 0; m < ranked; m++)
      store<f64>(scratch + (<usize>m << 3), load<f64>(values + <usize>m * stride));
    if (!orderByBuckets(scratch, ranked, sorted, order, places, buckets))
      orderByMerging(scratch, ranked, sorted, order, places);
    if (shifts) countShared(sorted, ranked, order, counts, shifts);
    else for (let rank = 0; rank < ranked; rank++) add(counts, load<i32>(order + (<usize>rank << 2)), ranked, rank, 1);
  }
}
