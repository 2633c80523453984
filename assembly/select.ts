/**
 * Order statistics of one row, or of the difference of two, without sorting: a scan keeps the two tails that are asked
 * for, and a quickselect runs in those alone.
 *
 *   left, right   n f64 each; the difference left - right is taken as it is read
 *   ranks         ascending zero-based ranks, i32
 *   scratch       3n f64: values of both tails as they come | lower tail | upper tail
 *
 * A tail lies between two cuts: what is beyond the outer one is only counted.
 *
 *        counted    kept                                    kept    counted
 *     ----------|---------|------------- mean ------------|---------|----------
 *             outer     inner                           inner     outer
 */

/**
 * Draws that the spread of a difference is measured on, to place the cuts: an eighth of all, but not fewer or more
 * than.
 */
const LEAST: i32 = 512;
const MOST: i32 = 4096;

// @ts-ignore: decorator
@inline
function sampleSize(n: i32): i32 {
  return min(n, min(MOST, max(LEAST, n >> 3))) & ~1;
}

// @ts-ignore: decorator
@inline
function swap(a: usize, b: usize): void {
  const value = load<f64>(a);
  store<f64>(a, load<f64>(b));
  store<f64>(b, value);
}

/** Puts the value of rank k in its place within [low, high] (indices of f64 in `buffer`). */
function quickselect(buffer: usize, low: i32, high: i32, k: i32): void {
  while (low < high) {
    const first = buffer + (<usize>low << 3);
    const last = buffer + (<usize>high << 3);
    const middle = buffer + (<usize>((low + high) >>> 1) << 3);
    if (load<f64>(middle) < load<f64>(first)) swap(middle, first);
    if (load<f64>(last) < load<f64>(first)) swap(last, first);
    if (load<f64>(last) < load<f64>(middle)) swap(last, middle);
    const pivot = load<f64>(middle);
    let i = first;
    let j = last;
    while (i <= j) {
      while (load<f64>(i) < pivot) i += 8;
      while (pivot < load<f64>(j)) j -= 8;
      if (i <= j) {
        swap(i, j);
        i += 8;
        j -= 8;
      }
    }
    const right = <i32>((i - buffer) >> 3);
    const left = <i32>(<isize>(j - buffer) >> 3);
    if (k <= left) high = left;
    else if (k >= right) low = right;
    else return;
  }
}

/** Values of ranks[from .. to) among `count` values whose ranks start at `base`. */
function selectRanks(buffer: usize, count: i32, base: i32, ranks: usize, from: i32, to: i32, out: usize): void {
  let low = 0;
  for (let k = from; k < to; k++) {
    const rank = load<i32>(ranks + (<usize>k << 2)) - base;
    if (k == from || rank >= low) quickselect(buffer, low, count - 1, rank);
    store<f64>(out + (<usize>k << 3), load<f64>(buffer + (<usize>rank << 3)));
    low = rank + 1;
  }
}

/** Root mean square distance of the first differences from their mean: the spread by which the cuts are placed. */
function rootMeanSquare(left: usize, right: usize, n: i32, mean: f64): f64 {
  const count = sampleSize(n);
  const centre = f64x2.splat(mean);
  let squares = f64x2.splat(0);
  for (let at: usize = 0; at < <usize>count << 3; at += 16) {
    const d = f64x2.sub(f64x2.sub(v128.load(left + at), v128.load(right + at)), centre);
    squares = f64x2.add(squares, f64x2.mul(d, d));
  }
  return sqrt((f64x2.extract_lane(squares, 0) + f64x2.extract_lane(squares, 1)) / <f64>count);
}

/** Copies the differences outside (below, above) to `out`; returns the end of them. */
// @ts-ignore: decorator
@inline
function collect(left: usize, right: usize, bytes: usize, below: f64, above: f64, out: usize): usize {
  const low = f64x2.splat(below);
  const high = f64x2.splat(above);
  let at: usize = 0;
  for (; at + 16 <= bytes; at += 16) {
    const d = f64x2.sub(v128.load(left + at), v128.load(right + at));
    const outside = i64x2.bitmask(v128.or(f64x2.le(d, low), f64x2.ge(d, high)));
    v128.store64_lane(out, d, 0);
    out += <usize>(outside & 1) << 3;
    v128.store64_lane(out, d, 1);
    out += <usize>(outside & 2) << 2;
  }
  for (; at < bytes; at += 8) {
    const d = load<f64>(left + at) - load<f64>(right + at);
    store<f64>(out, d);
    out += d <= below || d >= above ? 8 : 0;
  }
  return out;
}

/**
 * Selects the ranks in the two tails that the four cuts bound; false, and nothing written, if the tails do not hold
 * them.
 */
function selectTails(
  left: usize,
  right: usize,
  n: i32,
  farBelow: f64,
  below: f64,
  above: f64,
  farAbove: f64,
  ranks: usize,
  count: i32,
  lowCount: i32,
  scratch: usize,
  out: usize,
): bool {
  const bytes = <usize>n << 3;
  const end = collect(left, right, bytes, below, above, scratch);
  const lows = scratch + bytes;
  const highs = lows + bytes;
  let low = lows;
  let high = highs;
  let beyondLow = 0;
  let beyondHigh = 0;
  for (let at = scratch; at < end; at += 8) {
    const d = load<f64>(at);
    store<f64>(low, d);
    low += d <= below && d >= farBelow ? 8 : 0;
    store<f64>(high, d);
    high += d >= above && d <= farAbove ? 8 : 0;
    beyondLow += <i32>(d < farBelow);
    beyondHigh += <i32>(d > farAbove);
  }
  const lowKept = <i32>((low - lows) >> 3);
  const highKept = <i32>((high - highs) >> 3);
  const highBase = n - beyondHigh - highKept;
  const first = load<i32>(ranks);
  const lastLow = load<i32>(ranks + (<usize>(lowCount - 1) << 2));
  const firstHigh = load<i32>(ranks + (<usize>lowCount << 2));
  const last = load<i32>(ranks + (<usize>(count - 1) << 2));
  if (lowCount > 0 && (first < beyondLow || lastLow >= beyondLow + lowKept)) return false;
  if (lowCount < count && (firstHigh < highBase || last >= highBase + highKept)) return false;
  selectRanks(lows, lowKept, beyondLow, ranks, 0, lowCount, out);
  selectRanks(highs, highKept, highBase, ranks, lowCount, count, out);
  return true;
}

/** The value that about `share` of the sample lie below, moved outwards (way -1) or inwards (way 1) by its noise. */
function sampleCut(sample: usize, size: i32, share: f64, way: f64): f64 {
  const expected = share * <f64>size;
  const rank = <i32>floor(expected + way * 4.0 * sqrt(expected));
  if (rank < 0) return -Infinity;
  quickselect(sample, 0, size - 1, min(rank, size - 1));
  return load<f64>(sample + (<usize>min(rank, size - 1) << 3));
}

/**
 * Tails by cuts that the first differences, sorted out as far as needed, suggest: for data that are not near normal.
 */
function selectBySample(
  left: usize,
  right: usize,
  n: i32,
  ranks: usize,
  count: i32,
  lowCount: i32,
  scratch: usize,
  out: usize,
): bool {
  const size = sampleSize(n);
  const share = 1.0 / <f64>n;
  for (let at: usize = 0; at < <usize>size << 3; at += 8)
    store<f64>(scratch + at, load<f64>(left + at) - load<f64>(right + at));
  let farBelow = -Infinity, below = -Infinity;
  if (lowCount > 0) {
    farBelow = sampleCut(scratch, size, <f64>load<i32>(ranks) * share, -1);
    below = sampleCut(scratch, size, <f64>(load<i32>(ranks + (<usize>(lowCount - 1) << 2)) + 1) * share, 1);
  }
  for (let at: usize = 0; at < <usize>size << 3; at += 8) store<f64>(scratch + at, -load<f64>(scratch + at));
  let farAbove = Infinity, above = Infinity;
  if (lowCount < count) {
    farAbove = -sampleCut(scratch, size, <f64>(n - 1 - load<i32>(ranks + (<usize>(count - 1) << 2))) * share, -1);
    above = -sampleCut(scratch, size, <f64>(n - load<i32>(ranks + (<usize>lowCount << 2))) * share, 1);
  }
  return selectTails(left, right, n, farBelow, below, above, farAbove, ranks, count, lowCount, scratch, out);
}

/**
 * Finds the values of the given ranks. The first `lowCount` ranks lie in the lower tail, the others in the upper one.
 * The cuts are distances from the mean, in spreads, that enclose them if the differences are near normal; else a
 * sample places them; where that fails too, or where `lowCount` is negative, all values are gone through.
 */
export function orderStatistics(
  left: usize,
  right: usize,
  n: i32,
  mean: f64,
  lowInner: f64,
  lowOuter: f64,
  highInner: f64,
  highOuter: f64,
  ranks: usize,
  count: i32,
  lowCount: i32,
  scratch: usize,
  out: usize,
): void {
  if (lowCount >= 0) {
    const deviation = rootMeanSquare(left, right, n, mean);
    const below = mean - lowInner * deviation;
    const farBelow = mean - lowOuter * deviation;
    const above = mean + highInner * deviation;
    const farAbove = mean + highOuter * deviation;
    if (selectTails(left, right, n, farBelow, below, above, farAbove, ranks, count, lowCount, scratch, out)) return;
    if (selectBySample(left, right, n, ranks, count, lowCount, scratch, out)) return;
  }
  for (let at: usize = 0; at < <usize>n << 3; at += 8)
    store<f64>(scratch + at, load<f64>(left + at) - load<f64>(right + at));
  selectRanks(scratch, n, 0, ranks, 0, count, out);
}
