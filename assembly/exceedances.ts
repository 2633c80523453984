/**
 * Exceedances: draws whose absolute sum, or difference of two sums, reaches the observed one.
 *
 *   sums       a draw: lane 0 .. lane L-1                                            i32 or i64, `sumStride` bytes a draw
 *   observed   rows: lane 0 .. lane L-1: |observed sum|
 *              pairs: block 0: row 0 | row 1 .. row R-1 || block 1: ..., 128 bytes of lanes of a row each:
 *              |observed i - j| at row i, lane j; at j <= i and past the last lane anything   as wide as the sums
 *   counts     the same places                                                              u32 or u64
 *
 * Pairs are gone through block after block: two cache lines of every draw stay in the first-level cache while all rows
 * are compared with them, and limits and counts are read from front to end.
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
  observed: usize,
  counts: usize,
): void {
  const la = limitAt(observed), lb = limitAt(observed + 16);
  const lc = limitAt(observed + BLOCK), ld = limitAt(observed + BLOCK + 16);
  let a = v128.load(counts), b = v128.load(counts, 16);
  let c = v128.load(counts + BLOCK), d = v128.load(counts + BLOCK, 16);
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
  v128.store(counts + BLOCK, c);
  v128.store(counts + BLOCK, d, 16);
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
  observed: usize,
  counts: usize,
): void {
  const la = limitAt(observed);
  const lb = limitAt(observed + BLOCK);
  let a = v128.load(counts);
  let b = v128.load(counts + BLOCK);
  for (let s = sums; s < end; s += sumStride) {
    const u = v128.load(s + lane);
    a = counted(a, v128.load32_splat(s + left), u, la);
    b = counted(b, v128.load32_splat(s + left, 4), u, lb);
  }
  v128.store(counts, a);
  v128.store(counts + BLOCK, b);
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
      let at = block * <usize>rows + <usize>i * BLOCK + lane - block;
      for (; lane + 32 <= blockEnd; lane += 32, at += 32)
        countEight(sums, end, sumStride, left, lane, observed + at, counts + at);
      if (lane < blockEnd) countFour(sums, end, sumStride, left, lane, observed + at, counts + at);
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
      let at = block * <usize>rows + <usize>i * BLOCK + lane - block;
      for (; lane < blockEnd; lane += 16, at += 16) {
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
