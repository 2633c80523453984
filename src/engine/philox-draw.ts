import { mulHigh, philoxBlock, philoxKey } from './philox.js';

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

/** Opens draw `draw` of a Philox stream. */
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

  return {
    word,
    indices(n, count) {
      const out = new Int32Array(count);
      for (let i = 0; i < count; i++) out[i] = mulHigh(word(), n);
      return out;
    },
    subset(n, k) {
      const pool = new Int32Array(n);
      for (let i = 0; i < n; i++) pool[i] = i;
      for (let i = 0; i < k; i++) {
        const j = i + mulHigh(word(), n - i);
        const chosen = pool[j]!;
        pool[j] = pool[i]!;
        pool[i] = chosen;
      }
      return pool.slice(0, k);
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
