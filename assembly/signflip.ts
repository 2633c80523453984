import { philoxAcross, philoxWords } from './philox';

/**
 * Sign flips by tables of half bytes: for every 4 clusters the 16 signed sums of their rows; a draw adds two rows a byte of signs. Tables of
 * whole bytes would take half the additions and eight times the memory, which then is what is waited for.
 *
 *   totals   C rows of `lanes` i32, cluster after cluster; missing clusters of the last group count as 0
 *   table    group 0: lower half 0: lane 0 .. lane L-1 | lower half 1: ... | lower half 15 | upper half 0: ... || group 1: ...      i32
 *   bits     a draw: sign of cluster c is bit c mod 8 of byte c div 8, set for +                `bitStride` bytes a draw
 *   sums     a draw: lane 0 .. lane L-1                                                         i32
 *
 * Totals wider than 31 bits come as planes of digits, each plane lanes of its own, put together into i64 sums.
 */

/** Tables gone through before the next draw: half of them stays in the first-level cache. */
const TABLE_BYTES: usize = 48 << 10;

/** Builds the tables of `clusters` rows of totals, `rowBytes` bytes apart; lanes are a multiple of 4. */
export function signTables(totals: usize, rowBytes: usize, clusters: i32, lanes: i32, table: usize): void {
  const width = <usize>lanes << 2;
  const halves = ((clusters + 7) >> 3) << 1;
  for (let half = 0; half < halves; half++, totals += rowBytes << 2, table += width << 4) {
    const here = min(4, clusters - (half << 2));
    for (let lane: usize = 0; lane < width; lane += 16) {
      let sum = i32x4.splat(0);
      for (let c = 0; c < here; c++) sum = i32x4.sub(sum, v128.load(totals + <usize>c * rowBytes + lane));
      v128.store(table + lane, sum);
    }
    for (let bits = 1; bits < 16; bits++) {
      const to = table + <usize>bits * width;
      const from = table + <usize>(bits & (bits - 1)) * width;
      const c = ctz(bits);
      const row = totals + <usize>c * rowBytes;
      for (let lane: usize = 0; lane < width; lane += 16) {
        let value = v128.load(from + lane);
        if (c < here) value = i32x4.add(value, i32x4.shl(v128.load(row + lane), 1));
        v128.store(to + lane, value);
      }
    }
  }
}

/** What lanes are added to: nothing where sums are `fresh`. */
// @ts-ignore: decorator
@inline
function before(to: usize, fresh: bool): v128 {
  return fresh ? i32x4.splat(0) : v128.load(to);
}

/** Adds groups [0, groups) of one draw to four vectors of lanes. */
// @ts-ignore: decorator
@inline
function add4(bits: usize, groups: i32, table: usize, width: usize, to: usize, fresh: bool): void {
  let a = before(to, fresh), b = before(to + 16, fresh), c = before(to + 32, fresh), d = before(to + 48, fresh);
  const half = width << 4;
  const step = width << 5;
  const end = bits + <usize>groups;
  for (; bits < end; bits++, table += step) {
    const signs = <usize>load<u8>(bits);
    const row = table + (signs & 15) * width;
    const other = table + half + (signs >> 4) * width;
    a = i32x4.add(a, i32x4.add(v128.load(row), v128.load(other)));
    b = i32x4.add(b, i32x4.add(v128.load(row, 16), v128.load(other, 16)));
    c = i32x4.add(c, i32x4.add(v128.load(row, 32), v128.load(other, 32)));
    d = i32x4.add(d, i32x4.add(v128.load(row, 48), v128.load(other, 48)));
  }
  v128.store(to, a);
  v128.store(to, b, 16);
  v128.store(to, c, 32);
  v128.store(to, d, 48);
}

/** The same for seven vectors: 28 lanes, the released roster and its chance row. */
// @ts-ignore: decorator
@inline
function add7(bits: usize, groups: i32, table: usize, width: usize, to: usize, fresh: bool): void {
  let a = before(to, fresh), b = before(to + 16, fresh), c = before(to + 32, fresh), d = before(to + 48, fresh);
  let e = before(to + 64, fresh), f = before(to + 80, fresh), g = before(to + 96, fresh);
  const half = width << 4;
  const step = width << 5;
  const end = bits + <usize>groups;
  for (; bits < end; bits++, table += step) {
    const signs = <usize>load<u8>(bits);
    const row = table + (signs & 15) * width;
    const other = table + half + (signs >> 4) * width;
    a = i32x4.add(a, i32x4.add(v128.load(row), v128.load(other)));
    b = i32x4.add(b, i32x4.add(v128.load(row, 16), v128.load(other, 16)));
    c = i32x4.add(c, i32x4.add(v128.load(row, 32), v128.load(other, 32)));
    d = i32x4.add(d, i32x4.add(v128.load(row, 48), v128.load(other, 48)));
    e = i32x4.add(e, i32x4.add(v128.load(row, 64), v128.load(other, 64)));
    f = i32x4.add(f, i32x4.add(v128.load(row, 80), v128.load(other, 80)));
    g = i32x4.add(g, i32x4.add(v128.load(row, 96), v128.load(other, 96)));
  }
  v128.store(to, a);
  v128.store(to, b, 16);
  v128.store(to, c, 32);
  v128.store(to, d, 48);
  v128.store(to, e, 64);
  v128.store(to, f, 80);
  v128.store(to, g, 96);
}

/** The same for eight vectors: a tile of 32 lanes. */
// @ts-ignore: decorator
@inline
function add8(bits: usize, groups: i32, table: usize, width: usize, to: usize, fresh: bool): void {
  let a = before(to, fresh), b = before(to + 16, fresh), c = before(to + 32, fresh), d = before(to + 48, fresh);
  let e = before(to + 64, fresh), f = before(to + 80, fresh), g = before(to + 96, fresh), h = before(to + 112, fresh);
  const half = width << 4;
  const step = width << 5;
  const end = bits + <usize>groups;
  for (; bits < end; bits++, table += step) {
    const signs = <usize>load<u8>(bits);
    const row = table + (signs & 15) * width;
    const other = table + half + (signs >> 4) * width;
    a = i32x4.add(a, i32x4.add(v128.load(row), v128.load(other)));
    b = i32x4.add(b, i32x4.add(v128.load(row, 16), v128.load(other, 16)));
    c = i32x4.add(c, i32x4.add(v128.load(row, 32), v128.load(other, 32)));
    d = i32x4.add(d, i32x4.add(v128.load(row, 48), v128.load(other, 48)));
    e = i32x4.add(e, i32x4.add(v128.load(row, 64), v128.load(other, 64)));
    f = i32x4.add(f, i32x4.add(v128.load(row, 80), v128.load(other, 80)));
    g = i32x4.add(g, i32x4.add(v128.load(row, 96), v128.load(other, 96)));
    h = i32x4.add(h, i32x4.add(v128.load(row, 112), v128.load(other, 112)));
  }
  v128.store(to, a);
  v128.store(to, b, 16);
  v128.store(to, c, 32);
  v128.store(to, d, 48);
  v128.store(to, e, 64);
  v128.store(to, f, 80);
  v128.store(to, g, 96);
  v128.store(to, h, 112);
}

/** The same for one vector. */
// @ts-ignore: decorator
@inline
function add1(bits: usize, groups: i32, table: usize, width: usize, to: usize, fresh: bool): void {
  let a = before(to, fresh);
  const half = width << 4;
  const step = width << 5;
  const end = bits + <usize>groups;
  for (; bits < end; bits++, table += step) {
    const signs = <usize>load<u8>(bits);
    const row = table + (signs & 15) * width;
    const other = table + half + (signs >> 4) * width;
    a = i32x4.add(a, i32x4.add(v128.load(row), v128.load(other)));
  }
  v128.store(to, a);
}

/** Adds groups to all lanes of some draws, or sets them. */
// @ts-ignore: decorator
@inline
function addDraws(
  bits: usize, bitStride: usize, draws: i32, groups: i32, table: usize, width: usize, sums: usize, sumStride: usize,
  fresh: bool,
): void {
  for (let d = 0; d < draws; d++, bits += bitStride, sums += sumStride) {
    let lane: usize = 0;
    for (; lane + 128 <= width; lane += 128) add8(bits, groups, table + lane, width, sums + lane, fresh);
    for (; lane + 112 <= width; lane += 112) add7(bits, groups, table + lane, width, sums + lane, fresh);
    for (; lane + 64 <= width; lane += 64) add4(bits, groups, table + lane, width, sums + lane, fresh);
    for (; lane < width; lane += 16) add1(bits, groups, table + lane, width, sums + lane, fresh);
  }
}

/**
 * Adds `groups` groups to the sums of `draws` draws, or sets them when `fresh`; a draw's sums are `sumStride` bytes
 * apart, lanes a multiple of 4.
 */
export function addFlips(
  bits: usize,
  bitStride: usize,
  draws: i32,
  groups: i32,
  table: usize,
  lanes: i32,
  sums: usize,
  sumStride: usize,
  fresh: bool,
): void {
  const width = <usize>lanes << 2;
  const groupBytes = width << 5;
  const together = max<i32>(1, <i32>(TABLE_BYTES / groupBytes));
  for (let first = 0; first < groups; first += together) {
    const now = min(together, groups - first);
    const from = table + <usize>first * groupBytes;
    const signs = bits + <usize>first;
    if (fresh && first == 0) addDraws(signs, bitStride, draws, now, from, width, sums, sumStride, true);
    else addDraws(signs, bitStride, draws, now, from, width, sums, sumStride, false);
  }
}

/**
 * Makes the sign bits of draws first, first + 1, ... of a Philox stream, `words` words each (statistics 3.7). The bits
 * of a draw need room for whole groups of 32 words.
 */
export function philoxBits(
  bits: usize,
  bitStride: usize,
  draws: i32,
  words: i32,
  firstLow: u32,
  firstHigh: u32,
  stream: u32,
  seedLow: u32,
  seedHigh: u32,
): void {
  let draw = (<u64>firstHigh << 32) | firstLow;
  const blocks = (words + 3) >> 2;
  for (let d = 0; d < draws; ) {
    const low = <u32>draw;
    const high = <u32>(draw >> 32);
    const across = d + 8 <= draws && low <= 0xfffffff8;
    if (across) philoxAcross(bits, bitStride, blocks, low, high, stream, seedLow, seedHigh);
    else philoxWords(bits, words, 0, low, high, stream, seedLow, seedHigh, 0);
    const made = across ? 8 : 1;
    d += made;
    draw += made;
    bits += <usize>made * bitStride;
  }
}

/**
 * Makes the sign bits of draws first, first + 1, ... when all sign vectors are gone through: the draw number itself
 * (statistics 6.6).
 */
export function enumeratedBits(bits: usize, bitStride: usize, draws: i32, first: u32): void {
  for (let d = 0; d < draws; d++, bits += bitStride) store<u32>(bits, first + d);
}

/**
 * Puts planes of digits together into i64 sums.
 *
 *   sums   a draw: plane 0: lane 0 .. lane width-1 | plane 1: ...      i32; a digit of plane k is worth 2^(bits k)
 *   out    a draw: lane 0 .. lane width-1                              i64; width is a multiple of 4
 */
export function joinPlanes(
  sums: usize,
  sumStride: usize,
  draws: i32,
  width: i32,
  planes: i32,
  bits: i32,
  out: usize,
  outStride: usize,
): void {
  for (let d = 0; d < draws; d++, sums += sumStride, out += outStride) {
    for (let m: i32 = 0; m < width; m += 4) {
      let low = i64x2.splat(0);
      let high = i64x2.splat(0);
      for (let k = planes - 1; k >= 0; k--) {
        const digits = v128.load(sums + (<usize>(k * width + m) << 2));
        low = i64x2.add(i64x2.shl(low, bits), i64x2.extend_low_i32x4_s(digits));
        high = i64x2.add(i64x2.shl(high, bits), i64x2.extend_high_i32x4_s(digits));
      }
      v128.store(out + (<usize>m << 3), low);
      v128.store(out + (<usize>m << 3), high, 16);
    }
  }
}
