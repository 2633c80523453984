/**
 * Philox4x32-10, eight blocks at a time: two interleaved sets of four lanes, a lane for a block.
 *
 *   block b of a draw   counter (b, draw low, draw high, stream), key (seed low, seed high)
 *   words in memory     block 0: w0 w1 w2 w3 | block 1: w4 w5 w6 w7 | ...      u32
 *
 * `philoxWords` stores whole groups of 32 words, so `out` needs room for `count` rounded up to 32.
 */

// @ts-ignore: decorator
@inline
function high(first: v128, second: v128): v128 {
  return i32x4.shuffle(first, second, 1, 3, 5, 7);
}

// @ts-ignore: decorator
@inline
function low(first: v128, second: v128): v128 {
  return i32x4.shuffle(first, second, 0, 2, 4, 6);
}

// @ts-ignore: decorator
@inline
function scaled(a: v128, n: v128): v128 {
  return high(i64x2.extmul_low_i32x4_u(a, n), i64x2.extmul_high_i32x4_u(a, n));
}

/** Four blocks turned back into word order, `step` bytes apart. */
// @ts-ignore: decorator
@inline
function storeOrdered(out: usize, step: usize, a: v128, b: v128, c: v128, d: v128): void {
  const ab0 = i32x4.shuffle(a, b, 0, 4, 1, 5);
  const ab1 = i32x4.shuffle(a, b, 2, 6, 3, 7);
  const cd0 = i32x4.shuffle(c, d, 0, 4, 1, 5);
  const cd1 = i32x4.shuffle(c, d, 2, 6, 3, 7);
  v128.store(out, i64x2.shuffle(ab0, cd0, 0, 2));
  v128.store(out + step, i64x2.shuffle(ab0, cd0, 1, 3));
  v128.store(out + 2 * step, i64x2.shuffle(ab1, cd1, 0, 2));
  v128.store(out + 3 * step, i64x2.shuffle(ab1, cd1, 1, 3));
}

/** Four blocks as they stand, a lane for a block. */
// @ts-ignore: decorator
@inline
function storeMixed(out: usize, a: v128, b: v128, c: v128, d: v128): void {
  v128.store(out, a);
  v128.store(out, b, 16);
  v128.store(out, c, 32);
  v128.store(out, d, 48);
}

/**
 * Makes eight blocks from the first two words of their counters, four lanes in a set, the other two words, and the key;
 * stores them `step` bytes apart. With `scale` n > 0 each word becomes floor(word x n / 2^32). `mixed` (step 16) leaves
 * words of the eight blocks in another order.
 */
// @ts-ignore: decorator
@inline
function eightBlocks(
  out: usize,
  step: usize,
  a0: v128,
  b0: v128,
  a1: v128,
  b1: v128,
  drawHigh: u32,
  stream: u32,
  seedLow: u32,
  seedHigh: u32,
  scale: u32,
  mixed: bool,
): void {
  const m0 = i32x4.splat(0xd2511f53);
  const m1 = i32x4.splat(0xcd9e8d57);
  const w0 = i32x4.splat(0x9e3779b9);
  const w1 = i32x4.splat(0xbb67ae85);
  let a2 = i32x4.splat(drawHigh);
  let b2 = a2;
  let a3 = i32x4.splat(stream);
  let b3 = a3;
  let k0 = i32x4.splat(seedLow);
  let k1 = i32x4.splat(seedHigh);
  for (let round = 0; round < 10; round++) {
    const p = i64x2.extmul_low_i32x4_u(a0, m0);
    const q = i64x2.extmul_high_i32x4_u(a0, m0);
    const r = i64x2.extmul_low_i32x4_u(b0, m0);
    const s = i64x2.extmul_high_i32x4_u(b0, m0);
    const t = i64x2.extmul_low_i32x4_u(a2, m1);
    const u = i64x2.extmul_high_i32x4_u(a2, m1);
    const v = i64x2.extmul_low_i32x4_u(b2, m1);
    const w = i64x2.extmul_high_i32x4_u(b2, m1);
    a0 = v128.xor(v128.xor(high(t, u), a1), k0);
    b0 = v128.xor(v128.xor(high(v, w), b1), k0);
    a1 = low(t, u);
    b1 = low(v, w);
    a2 = v128.xor(v128.xor(high(p, q), a3), k1);
    b2 = v128.xor(v128.xor(high(r, s), b3), k1);
    a3 = low(p, q);
    b3 = low(r, s);
    k0 = i32x4.add(k0, w0);
    k1 = i32x4.add(k1, w1);
  }
  if (scale) {
    const n = i32x4.splat(scale);
    a0 = scaled(a0, n);
    a1 = scaled(a1, n);
    a2 = scaled(a2, n);
    a3 = scaled(a3, n);
    b0 = scaled(b0, n);
    b1 = scaled(b1, n);
    b2 = scaled(b2, n);
    b3 = scaled(b3, n);
  }
  if (mixed) {
    storeMixed(out, a0, a1, a2, a3);
    storeMixed(out + 64, b0, b1, b2, b3);
  } else {
    storeOrdered(out, step, a0, a1, a2, a3);
    storeOrdered(out + 4 * step, step, b0, b1, b2, b3);
  }
}

/**
 * Makes the first `count` words of a draw from block `first` on. With `scale` n > 0 each becomes floor(word x n /
 * 2^32), and words of a whole group of 32 may change places: such indices are only tallied.
 */
export function philoxWords(
  out: usize,
  count: i32,
  first: u32,
  drawLow: u32,
  drawHigh: u32,
  stream: u32,
  seedLow: u32,
  seedHigh: u32,
  scale: u32,
): void {
  const draw = i32x4.splat(drawLow);
  let block = i32x4.add(i32x4.splat(first), i32x4(0, 1, 2, 3));
  const end = out + (<usize>count << 2);
  for (; out < end; out += 128) {
    const next = i32x4.add(block, i32x4.splat(4));
    const mixed = scale != 0 && out + 128 <= end;
    eightBlocks(out, 16, block, next, draw, draw, drawHigh, stream, seedLow, seedHigh, scale, mixed);
    block = i32x4.add(block, i32x4.splat(8));
  }
}

/**
 * Makes blocks 0 .. blocks-1 of eight draws, whose low words do not run over: draw d's words from out + d x stride on.
 * Eight draws side by side leave no lane without a block that is wanted.
 */
export function philoxAcross(
  out: usize,
  stride: usize,
  blocks: i32,
  drawLow: u32,
  drawHigh: u32,
  stream: u32,
  seedLow: u32,
  seedHigh: u32,
): void {
  const draw = i32x4.add(i32x4.splat(drawLow), i32x4(0, 1, 2, 3));
  const next = i32x4.add(draw, i32x4.splat(4));
  for (let b = 0; b < blocks; b++, out += 16) {
    const block = i32x4.splat(b);
    eightBlocks(out, stride, block, block, draw, next, drawHigh, stream, seedLow, seedHigh, 0, false);
  }
}
