import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { referenceSubsetTotals } from '../../src/engine/reference/subset.js';
import { openWasmSubsetTotals } from '../../src/engine/wasm/subset.js';

const design = fc
  .record({
    rows: fc.integer({ min: 1, max: 9 }),
    sizes: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 5 }),
    draws: fc.integer({ min: 1, max: 40 }),
    seed: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
    stream: fc.integer({ min: 0, max: 0xffffffff }),
    salt: fc.integer(),
  })
  .map(({ rows, sizes, draws, seed, stream, salt }) => {
    const columns = sizes.reduce((a, b) => a + b, 0);
    let next = 0;
    return {
      rows,
      draws,
      seed,
      stream,
      columns: Int32Array.from({ length: columns * rows }, (_, i) => ((i * 7919 + salt) % 20011) - 10000),
      members: sizes.map((size) => Int32Array.from({ length: size }, () => next++)),
      takes: sizes.map((size, s) => (Math.abs(salt) + s) % (size + 1)),
    };
  });

describe('totals over random subsets', () => {
  const wasm = openWasmSubsetTotals();

  it('are the same integers on wasm and reference', () => {
    fc.assert(
      fc.property(design, (request) => {
        expect(wasm(request)).toEqual(referenceSubsetTotals(request));
      }),
      { numRuns: 150 },
    );
  });

  it('give every member once when all are taken', () => {
    const columns = Int32Array.of(1, 10, 100, 1000);
    const totals = wasm({
      columns,
      rows: 1,
      members: [Int32Array.of(0, 1), Int32Array.of(2, 3)],
      takes: [2, 2],
      draws: 5,
      seed: 9n,
      stream: 1,
    });
    expect([...totals]).toEqual([1111, 1111, 1111, 1111, 1111]);
  });

  it('are refused where they do not fit into 32 bits', () => {
    const request = {
      columns: Int32Array.of(2 ** 30, 2 ** 30),
      rows: 1,
      members: [Int32Array.of(0, 1)],
      takes: [2],
      draws: 1,
      seed: 1n,
      stream: 1,
    };
    expect(() => wasm(request)).toThrow(/do not fit 32 bits/);
    expect(() => wasm({ ...request, takes: [3] })).toThrow(/do not fit|cannot be taken/);
  });
});
