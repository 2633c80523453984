import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mulHigh, philoxDraw } from '../../src/engine/index.js';
import { openArena } from '../../src/engine/wasm/arena.js';
import { openWasmDraws } from '../../src/engine/wasm/draw-words.js';
import { kernelModule } from '../../src/engine/wasm/module.js';

const { kernels, take, get } = openArena(kernelModule());
const out = take(8192);

const place = fc.record({
  seed: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  stream: fc.nat(2 ** 32 - 1),
  draw: fc.maxSafeInteger().map(Math.abs),
  count: fc.integer({ min: 1, max: 1000 }),
  attempt: fc.integer({ min: 0, max: 100 }),
});

function kernelWords(
  { seed, stream, draw, count, attempt }: typeof place extends fc.Arbitrary<infer T> ? T : never,
  scale: number,
): Uint32Array {
  kernels.philoxWords({
    out,
    count,
    first: attempt * 2 ** 22,
    drawLow: draw >>> 0,
    drawHigh: Math.floor(draw / 2 ** 32),
    stream,
    seedLow: Number(seed & 0xffffffffn),
    seedHigh: Number(seed >> 32n),
    scale,
  });
  return get(out, new Uint32Array(count));
}

describe('the Philox kernel', () => {
  it('makes the words of the reference, in order, for any seed, stream, draw and attempt', () => {
    fc.assert(
      fc.property(place, (at) => {
        const words = philoxDraw({ ...at, offset: at.attempt * 2 ** 24 });
        expect([...kernelWords(at, 0)]).toEqual(Array.from({ length: at.count }, words.word));
      }),
    );
  });

  it('makes the same cluster indices, in any order', () => {
    fc.assert(
      fc.property(place, fc.integer({ min: 1, max: 2 ** 24 }), (at, n) => {
        const words = philoxDraw({ ...at, offset: at.attempt * 2 ** 24 });
        const expected = Uint32Array.from({ length: at.count }, () => mulHigh(words.word(), n));
        expect([...kernelWords(at, n).sort()]).toEqual([...expected.sort()]);
      }),
    );
  });

  it('gives the draws of a stream in any order, past the words that are made at once', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(place, fc.array(fc.nat(2 ** 20), { minLength: 1, maxLength: 4 }), sizes, (at, steps, lengths) => {
        const open = openWasmDraws({ seed: at.seed, stream: at.stream, run: at.count % 70 });
        for (const step of steps) {
          const draw = Math.max(0, at.draw - step);
          const [made, expected] = [open(draw), philoxDraw({ ...at, draw })];
          for (const n of lengths) expect(made.subset(n, n >> 1)).toEqual(expected.subset(n, n >> 1));
          expect(made.signs(40)).toEqual(expected.signs(40));
          expect(made.word()).toBe(expected.word());
        }
      }),
    );
  });
});
