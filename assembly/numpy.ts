/**
 * NumPy's streams: PCG64 words, sign bits, multinomial rows by inversion.
 *
 *   state   u64: state high | state low | increment high | increment low | spare half (low 32 bits), 1 if there is one
 */

const MULTIPLIER_HIGH: u64 = 0x2360ed051fc65da4;
const MULTIPLIER_LOW: u64 = 0x4385df649fccf645;

/** exp(n log q), from the host: the table of starting probabilities covers only the likely counts. */
// @ts-ignore: decorator
@external("env", "powerOf")
declare function powerOf(q: f64, n: f64): f64;

// @ts-ignore: decorator
@inline
function mulHigh(a: u64, b: u64): u64 {
  const a0 = a & 0xffffffff;
  const a1 = a >> 32;
  const b0 = b & 0xffffffff;
  const b1 = b >> 32;
  const middle = a1 * b0 + ((a0 * b0) >> 32);
  const other = a0 * b1 + (middle & 0xffffffff);
  return a1 * b1 + (middle >> 32) + (other >> 32);
}

/** Low and high half of the state that follows. */
// @ts-ignore: decorator
@inline
function stepLow(low: u64, plusLow: u64): u64 {
  return low * MULTIPLIER_LOW + plusLow;
}

// @ts-ignore: decorator
@inline
function stepHigh(high: u64, low: u64, plusHigh: u64, plusLow: u64): u64 {
  const product = low * MULTIPLIER_LOW;
  const carry = <u64>(product + plusLow < product);
  return mulHigh(low, MULTIPLIER_LOW) + high * MULTIPLIER_LOW + low * MULTIPLIER_HIGH + plusHigh + carry;
}

// @ts-ignore: decorator
@inline
function output(high: u64, low: u64): u64 {
  return rotr<u64>(high ^ low, high >> 58);
}

// @ts-ignore: decorator
@inline
function uniform(high: u64, low: u64): f64 {
  return <f64>(<i64>(output(high, low) >> 11)) * (1.0 / 9007199254740992.0);
}

/**
 * Makes `count` 32-bit words of PCG64, the low half of an output first (statistics 3.2). A spare half is used first,
 * and one that is left is kept for the next call.
 *
 *   out   word 0 | word 1 | ...      u32, room for an even number
 */
export function pcgWords(state: usize, out: usize, count: i32): void {
  const end = out + (<usize>count << 2);
  let high = load<u64>(state);
  let low = load<u64>(state, 8);
  const plusHigh = load<u64>(state, 16);
  const plusLow = load<u64>(state, 24);
  if (count > 0 && load<u32>(state, 36)) {
    store<u32>(out, load<u32>(state, 32));
    store<u32>(state, 0, 36);
    out += 4;
  }
  for (; out < end; out += 8) {
    high = stepHigh(high, low, plusHigh, plusLow);
    low = stepLow(low, plusLow);
    const words = output(high, low);
    if (out + 8 <= end) {
      store<u64>(out, words);
    } else {
      store<u32>(out, <u32>words);
      store<u32>(state, <u32>(words >> 32), 32);
      store<u32>(state, 1, 36);
    }
  }
  store<u64>(state, high);
  store<u64>(state, low, 8);
}

/**
 * Packs sign bits from bytes: the top bit of each (statistics 3.3).
 *
 *   bytes   draw 0: cluster 0 .. cluster C-1 | draw 1: ...       u8; 16 readable bytes must follow the end
 *   bits    a draw: bit c mod 8 of byte c div 8 is cluster c     `bitStride` bytes a draw
 */
export function packSigns(bytes: usize, clusters: i32, draws: i32, bits: usize, bitStride: usize): void {
  for (let d = 0; d < draws; d++, bytes += clusters, bits += bitStride)
    for (let c: usize = 0; c < <usize>clusters; c += 16)
      store<u16>(bits + (c >> 3), <u16>i8x16.bitmask(v128.load(bytes + c)));
}

/**
 * Tabulates the starting probabilities of the inversion (statistics 3.6): for cell j and l left, exp(l log q_j), l
 * from first[j] to first[j] + width - 1.
 *
 *   cells   f64 a cell: conditional probability p | smaller of p and 1 - p     16 bytes
 *   first   i32 a cell
 *   starts  f64, width a cell
 */
export function multinomialStarts(cells: usize, first: usize, count: i32, width: i32, starts: usize): void {
  for (let j: usize = 0; j < <usize>count; j++) {
    const q = 1.0 - load<f64>(cells + (j << 4), 8);
    const lowest = load<i32>(first + (j << 2));
    for (let k = 0; k < width; k++, starts += 8) store<f64>(starts, powerOf(q, <f64>(lowest + k)));
  }
}

/** Walks that go past this many need the exact bound of NumPy's inversion. */
const EASY: i32 = 10;

/** Has a walk to x of NumPy's inversion passed its bound? */
function pastBound(x: i32, n: i32, p: f64, q: f64): bool {
  const mean = <f64>n * p;
  return <f64>x > trunc(min(<f64>n, mean + 10.0 * sqrt(mean * q + 1.0)));
}

/**
 * Draws `rows` rows of multinomial(n, 1/n each), u16 (statistics 3.5, 3.6). Returns 0, or 1 if a binomial would need
 * BTPE. Layout of `cells`, `first`, `starts`: see `multinomialStarts`.
 */
export function multinomialRows(
  state: usize,
  rows: i32,
  n: i32,
  cells: usize,
  first: usize,
  width: i32,
  starts: usize,
  out: usize,
): i32 {
  let high = load<u64>(state);
  let low = load<u64>(state, 8);
  const plusHigh = load<u64>(state, 16);
  const plusLow = load<u64>(state, 24);
  for (let row = 0; row < rows; row++, out += <usize>n << 1) {
    memory.fill(out, 0, <usize>n << 1);
    let left = n;
    for (let j = 0; j < n - 1 && left > 0; j++) {
      const at = cells + (<usize>j << 4);
      const p = load<f64>(at, 8);
      const q = 1.0 - p;
      if (p * <f64>left > 30.0) return 1;
      const k = left - load<i32>(first + (<usize>j << 2));
      const start = <u32>k < <u32>width ? load<f64>(starts + (<usize>(j * width + k) << 3)) : powerOf(q, <f64>left);
      high = stepHigh(high, low, plusHigh, plusLow);
      low = stepLow(low, plusLow);
      let u = uniform(high, low);
      let px = start;
      let x = 0;
      while (u > px) {
        x++;
        if (x > min(left, EASY) && pastBound(x, left, p, q)) {
          x = 0;
          px = start;
          high = stepHigh(high, low, plusHigh, plusLow);
          low = stepLow(low, plusLow);
          u = uniform(high, low);
        } else {
          u -= px;
          px = (<f64>(left - x + 1) * p * px) / (<f64>x * q);
        }
      }
      const count = load<f64>(at) > 0.5 ? left - x : x;
      store<u16>(out + (<usize>j << 1), count);
      left -= count;
    }
    if (left > 0) store<u16>(out + (<usize>(n - 1) << 1), left);
  }
  store<u64>(state, high);
  store<u64>(state, low, 8);
  return 0;
}
