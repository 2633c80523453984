/**
 * Exceedances: draws whose absolute sum, or difference of two sums, reaches the observed one.
 *
 *   sums       a draw: lane 0 .. lane L-1                                            i32 or i64, `sumStride` bytes a draw
 *   observed   pairs: row i: lane 0 .. lane L-1: |observed i - j|, at j <= i anything     as wide as the sums, rows x lanes
 *              rows: lane 0 .. lane L-1: |observed sum|
 *   counts     the same places                                                       u32 or u64; at j <= i anything
 *
 * Pairs are gone through in blocks of lanes, two cache lines wide: the block of all draws stays in the first-level cache
 * while every row is compared with it.
 */

/** Bytes of a block of lanes. */
const BLOCK: usize = 128;

/** `count` and one for every lane that reaches its limit; `limit` is one less than what is to be reached. */
// @ts-ignore: decorator
@inline
function counted(count: v128, left: v128, right: v128, limit: v128): v128 {
  return i32x4.sub(count, i32x4.gt_s(i32x4.abs(i32x4.sub(left, right)), limit));
}

/** What is to be reached, less one. */
// @ts-ignore: decorator
@inline
function limitAt(observed: usize): v128 {
  return i32x4.sub(v128.load(observed), i32x4.splat(1));
}

/** Two rows, at `left` and 4 bytes on, with eight lanes from `lane` on. */
// @ts-ignore: decorator
@inline
function countEight(
  sums: usize,
  end: usize,
  sumStride: usize,
  left: usize,
  lane: usize,
  rowBytes: usize,
  observed: usize,
  counts: usize,
): void {
  const la = limitAt(observed), lb = limitAt(observed + 16);
  const lc = limitAt(observed + rowBytes), ld = limitAt(observed + rowBytes + 16);
  let a = v128.load(counts), b = v128.load(counts, 16);
  let c = v128.load(counts + rowBytes), d = v128.load(counts + rowBytes, 16);
  for (let s = sums; s < end; s += sumStride) {
    const x = v128.load32_splat(s + left);
    const y = v128.load32_splat(s + left, 4);
    const u = v128.load(s + lane);
    const v = v128.load(s + lane, 16);
    a = counted(a, x, u, la);
    b = counted(b, x, v, lb);
    c = counted(c, y, u, lc);
    d = counted(d, y, v, ld);
  }
  v128.store(counts, a);
  v128.store(counts, b, 16);
  v128.store(counts + rowBytes, c);
  v128.store(counts + rowBytes, d, 16);
}

/** Two rows with four lanes. */
// @ts-ignore: decorator
@inline
function countFour(
  sums: usize,
  end: usize,
  sumStride: usize,
  left: usize,
  lane: usize,
  rowBytes: usize,
  observed: usize,
  counts: usize,
): void {
  const la = limitAt(observed);
  const lb = limitAt(observed + rowBytes);
  let a = v128.load(counts);
  let b = v128.load(counts + rowBytes);
  for (let s = sums; s < end; s += sumStride) {
    const u = v128.load(s + lane);
    a = counted(a, v128.load32_splat(s + left), u, la);
    b = counted(b, v128.load32_splat(s + left, 4), u, lb);
  }
  v128.store(counts, a);
  v128.store(counts + rowBytes, b);
}

/** Counts pairs of i32 sums. */
export function countPairs(
  sums: usize,
  sumStride: usize,
  draws: i32,
  rows: i32,
  lanes: i32,
  observed: usize,
  counts: usize,
): void {
  const end = sums + <usize>draws * sumStride;
  const width = <usize>lanes << 2;
  for (let block: usize = 0; block < width; block += BLOCK) {
    const blockEnd = min(block + BLOCK, width);
    for (let i = 0; i + 1 < rows; i += 2) {
      const left = <usize>i << 2;
      let lane = max(block, (left + 4) & ~15);
      if (lane >= blockEnd) break;
      const row = <usize>i * width;
      for (; lane + 32 <= blockEnd; lane += 32)
        countEight(sums, end, sumStride, left, lane, width, observed + row + lane, counts + row + lane);
      if (lane < blockEnd)
        countFour(sums, end, sumStride, left, lane, width, observed + row + lane, counts + row + lane);
    }
  }
}

/** Counts rows of i32 sums. */
export function countRows(
  sums: usize,
  sumStride: usize,
  draws: i32,
  lanes: i32,
  observed: usize,
  counts: usize,
): void {
  const end = sums + <usize>draws * sumStride;
  for (let lane: usize = 0; lane < <usize>lanes << 2; lane += 16) {
    const limit = v128.load(observed + lane);
    let count = v128.load(counts + lane);
    for (let s = sums; s < end; s += sumStride)
      count = i32x4.sub(count, i32x4.ge_s(i32x4.abs(v128.load(s + lane)), limit));
    v128.store(counts + lane, count);
  }
}

/**
 * `countPairs` for i64 sums; counts u64. Draws that stay inside are counted: two comparisons cost less than an absolute
 * value of 64 bits.
 */
export function countWidePairs(
  sums: usize,
  sumStride: usize,
  draws: i32,
  rows: i32,
  lanes: i32,
  observed: usize,
  counts: usize,
): void {
  const end = sums + <usize>draws * sumStride;
  const width = <usize>lanes << 3;
  for (let block: usize = 0; block < width; block += BLOCK) {
    const blockEnd = min(block + BLOCK, width);
    for (let i = 0; i + 1 < rows; i++) {
      const left = <usize>i << 3;
      let lane = max(block, (left + 8) & ~15);
      if (lane >= blockEnd) break;
      for (; lane < blockEnd; lane += 16) {
        const at = <usize>i * width + lane;
        const limit = v128.load(observed + at);
        const opposite = i64x2.neg(limit);
        let count = i64x2.add(v128.load(counts + at), i64x2.splat(draws));
        for (let s = sums; s < end; s += sumStride) {
          const d = i64x2.sub(v128.load64_splat(s + left), v128.load(s + lane));
          count = i64x2.add(count, v128.and(i64x2.gt_s(limit, d), i64x2.gt_s(d, opposite)));
        }
        v128.store(counts + at, count);
      }
    }
  }
}

/** `countRows` for i64 sums; counts u64. */
export function countWideRows(
  sums: usize,
  sumStride: usize,
  draws: i32,
  lanes: i32,
  observed: usize,
  counts: usize,
): void {
  const end = sums + <usize>draws * sumStride;
  for (let lane: usize = 0; lane < <usize>lanes << 3; lane += 16) {
    const limit = v128.load(observed + lane);
    const opposite = i64x2.neg(limit);
    let count = i64x2.add(v128.load(counts + lane), i64x2.splat(draws));
    for (let s = sums; s < end; s += sumStride) {
      const d = v128.load(s + lane);
      count = i64x2.add(count, v128.and(i64x2.gt_s(limit, d), i64x2.gt_s(d, opposite)));
    }
    v128.store(counts + lane, count);
  }
}
