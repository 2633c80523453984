import { fail, shown } from '../util/error.js';
import { RNG_ID } from '../util/version.js';

/**
 * Philox4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011).
 *
 * Word w of draw d of stream s under a 64-bit seed is lane w mod 4 of the block with
 *
 *     counter = (w div 4, d mod 2^32, d div 2^32, s)      key = (seed mod 2^32, seed div 2^32)
 *
 * so any word of any draw can be made anywhere, in any order.
 */
export const PHILOX_ID = RNG_ID.philox;

const MULTIPLIER_0 = 0xd2511f53;
const MULTIPLIER_1 = 0xcd9e8d57;
const WEYL_0 = 0x9e3779b9;
const WEYL_1 = 0xbb67ae85;
const ROUNDS = 10;

/** Takes the high 32 bits of the product of two unsigned 32-bit integers. */
export function mulHigh(a: number, b: number): number {
  const a0 = a & 0xffff;
  const a1 = a >>> 16;
  const b0 = b & 0xffff;
  const b1 = b >>> 16;
  const middle = a1 * b0 + ((a0 * b0) >>> 16);
  const carry = (a0 * b1 + (middle & 0xffff)) >>> 16;
  return (a1 * b1 + (middle >>> 16) + carry) >>> 0;
}

/** Makes one block: four unsigned words of `counter` under `key`, written to `out`. */
export function philoxBlock(counter: ArrayLike<number>, key: ArrayLike<number>, out: Uint32Array): void {
  let c0 = counter[0]!;
  let c1 = counter[1]!;
  let c2 = counter[2]!;
  let c3 = counter[3]!;
  let k0 = key[0]!;
  let k1 = key[1]!;
  for (let round = 0; round < ROUNDS; round++) {
    const high0 = mulHigh(MULTIPLIER_0, c0);
    const low0 = Math.imul(MULTIPLIER_0, c0);
    const high1 = mulHigh(MULTIPLIER_1, c2);
    const low1 = Math.imul(MULTIPLIER_1, c2);
    c0 = high1 ^ c1 ^ k0;
    c1 = low1;
    c2 = high0 ^ c3 ^ k1;
    c3 = low0;
    k0 = (k0 + WEYL_0) | 0;
    k1 = (k1 + WEYL_1) | 0;
  }
  out[0] = c0;
  out[1] = c1;
  out[2] = c2;
  out[3] = c3;
}

/**
 * Splits an unsigned 64-bit seed into its two key words, low and high.
 *
 * Errors: USAGE where it is none.
 */
export function philoxKey(seed: bigint): readonly [number, number] {
  if (seed < 0n || seed >= 1n << 64n) {
    fail(
      'USAGE',
      null,
      `seed ${shown(seed)} is not an unsigned 64-bit integer`,
      'Give a whole number from 0 to 18446744073709551615.',
    );
  }
  return [Number(seed & 0xffffffffn), Number(seed >> 32n)];
}

/** Address of a draw. */
export interface PhiloxDrawOptions {
  readonly seed: bigint;
  /** Stream number, below 2^32. */
  readonly stream: number;
  /** Draw number, below 2^53. */
  readonly draw: number;
  /** First word to read; a redraw starts at attempt x 2^24. A multiple of 4. */
  readonly offset?: number;
}

/** A reader of the words of one draw: each call takes the next words, none is taken twice. */
export interface PhiloxDraw {
  /** The next unsigned 32-bit word. */
  word(): number;
  /** `count` integers in [0, n): floor(word x n / 2^32). */
  indices(n: number, count: number): Int32Array;
  /** k of n without replacement, by partial Fisher-Yates: step i swaps i and i + floor(word x (n - i) / 2^32). */
  subset(n: number, k: number): Int32Array;
  /** `count` signs, +1 or -1: sign c is bit c mod 32 of word c div 32, a set bit is +1. Takes whole words. */
  signs(count: number): Int8Array;
}

/** Opens a draw of a Philox stream. Errors: USAGE where the seed is no unsigned 64-bit integer. */
export function philoxDraw(options: PhiloxDrawOptions): PhiloxDraw {
  const { seed, stream, draw, offset = 0 } = options;
  const key = philoxKey(seed);
  const counter = [offset / 4 - 1, draw >>> 0, Math.floor(draw / 2 ** 32), stream];
  const block = new Uint32Array(4);
  let lane = 4;

  const word = (): number => {
    if (lane === 4) {
      counter[0]!++;
      philoxBlock(counter, key, block);
      lane = 0;
    }
    return block[lane++]!;
  };

  return drawReader(word);
}

/** Makes the reader of a draw from its words: what each call takes of them. */
export function drawReader(word: () => number): PhiloxDraw {
  let places = new Int32Array(0);
  return {
    word,
    indices(n, count) {
      const out = new Int32Array(count);
      for (let i = 0; i < count; i++) out[i] = mulHigh(word(), n);
      return out;
    },
    subset(n, k) {
      if (places.length < n) places = new Int32Array(n);
      const list = places;
      for (let i = 0; i < n; i++) list[i] = i;
      for (let i = 0; i < k; i++) {
        const j = i + mulHigh(word(), n - i);
        const chosen = list[j]!;
        list[j] = list[i]!;
        list[i] = chosen;
      }
      return list.slice(0, k);
    },
    signs(count) {
      const out = new Int8Array(count);
      for (let start = 0; start < count; start += 32) {
        const bits = word();
        const end = Math.min(start + 32, count);
        for (let c = start; c < end; c++) out[c] = (bits >>> (c - start)) & 1 ? 1 : -1;
      }
      return out;
    },
  };
}
