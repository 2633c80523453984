import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { referenceListedTotals } from '../../src/engine/reference/listed.js';
import { openWasmListedTotals } from '../../src/engine/wasm/listed.js';

const request = fc
  .record({
    rows: fc.integer({ min: 1, max: 9 }),
    columns: fc.integer({ min: 1, max: 20 }),
    length: fc.integer({ min: 1, max: 30 }),
    draws: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1020, max: 2060 })),
    salt: fc.nat(),
  })
  .map(({ rows, columns, length, draws, salt }) => ({
    ...{ rows, length, draws },
    columns: Int32Array.from({ length: columns * rows }, (_, i) => ((i * 7919 + salt) % 20011) - 10000),
    lists: Int32Array.from({ length: draws * length }, (_, i) => ((i * 31 + salt) >>> 1) % columns),
  }));

describe('totals over listed columns', () => {
  it('are the same integers on wasm and reference, added to what is there', () => {
    fc.assert(
      fc.property(request, ({ rows, length, draws, columns, lists }) => {
        const [mine, theirs] = [openWasmListedTotals, referenceListedTotals].map((open) => {
          const sums = new Int32Array((draws + 2) * rows).fill(5);
          const add = open({ columns, rows });
          add(sums, 1, lists, length);
          add(sums, 0, lists.subarray(0, length), length);
          return sums;
        });
        expect(mine).toEqual(theirs);
      }),
      { numRuns: 60 },
    );
  });

  it('count a repeated column as often as it is listed', () => {
    const sums = new Int32Array(2);
    openWasmListedTotals({ columns: Int32Array.of(1, 10, 100, 1000), rows: 2 })(sums, 0, Int32Array.of(1, 1, 0), 3);
    expect([...sums]).toEqual([201, 2010]);
  });
});
