import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { referenceMapKernels } from '../../src/engine/reference/maps.js';
import { openWasmMapKernels } from '../../src/engine/wasm/maps.js';

const wasm = openWasmMapKernels();
const value = fc.double({ min: -2, max: 2, noNaN: true });

/** A table and two lists of its rows; sizes straddle the blocks of 4 and the panel of 32. */
const gramCase = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 11 })).chain(([count, dims]) =>
  fc.record({
    dims: fc.constant(dims),
    rows: fc
      .array(value, { minLength: count * dims, maxLength: count * dims })
      .map((values) => Float64Array.from(values)),
    left: fc.array(fc.nat(count - 1), { maxLength: 10 }).map((list) => Uint32Array.from(list)),
    right: fc.array(fc.nat(count - 1), { maxLength: 70 }).map((list) => Uint32Array.from(list)),
  }),
);

describe('the gram kernel', () => {
  it('gives the bits of the reference for any shape', () => {
    fc.assert(
      fc.property(gramCase, (request) => {
        expect(wasm.gram(request)).toEqual(referenceMapKernels.gram(request));
      }),
      { numRuns: 150 },
    );
  });

  it('adds in column order: a sum that pairwise addition would round otherwise', () => {
    const rows = Float64Array.of(1e16, 1, -1e16, 1, 1, 1, 1, 1);
    const request = { rows, dims: 4, left: Uint32Array.of(0), right: Uint32Array.of(1) };
    expect(wasm.gram(request)[0]).toBe(1);
    expect(referenceMapKernels.gram(request)[0]).toBe(1);
  });

  it('does not depend on how rows are listed', () => {
    const rows = Float64Array.from({ length: 40 * 7 }, (_, i) => Math.sin(i * i + 1));
    const all = Uint32Array.from({ length: 40 }, (_, i) => i);
    const whole = wasm.gram({ rows, dims: 7, left: all, right: all });
    for (const [i, j] of [
      [0, 39],
      [17, 5],
      [38, 38],
    ] as const) {
      const one = wasm.gram({ rows, dims: 7, left: Uint32Array.of(j), right: Uint32Array.of(i) });
      expect(one[0]).toBe(whole[i * 40 + j]);
    }
  });
});

describe('the kernel taskSimilarities', () => {
  it('gives the bits of the reference for 2 to 16 choices', () => {
    const rows = Float64Array.from({ length: 30 * 5 }, (_, i) => Math.cos(i * 1.7) * 3);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 16 }).chain((choices) =>
          fc.record({
            choices: fc.constant(choices),
            members: fc
              .array(fc.array(fc.nat(29), { minLength: choices + 1, maxLength: choices + 1 }), {
                maxLength: 4,
              })
              .map((lists) => Uint32Array.from(lists.flat())),
          }),
        ),
        ({ choices, members }) => {
          const request = { rows, dims: 5, choices, members };
          expect(wasm.taskSimilarities(request)).toEqual(referenceMapKernels.taskSimilarities(request));
        },
      ),
      { numRuns: 150 },
    );
  });
});
