import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differingCounter, type Integers } from '../../src/inference/decisions/differing-clusters.js';

/** What two loops count. */
function counted(totals: Integers, rows: number, i: number, j: number): number {
  let count = 0;
  for (let at = 0; at < totals.length; at += rows) if (totals[at + i] !== totals[at + j]) count += 1;
  return count;
}

function assertCounts(totals: Integers, rows: number): void {
  const countOf = differingCounter(totals, rows);
  for (let i = 0; i < rows; i += 1)
    for (let j = 0; j < rows; j += 1) expect(countOf(i, j)).toBe(counted(totals, rows, i, j));
}

const table = <T>(value: fc.Arbitrary<T>) =>
  fc
    .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 70 }))
    .chain(([rows, clusters]) =>
      fc.tuple(fc.constant(rows), fc.array(value, { minLength: rows * clusters, maxLength: rows * clusters })),
    );

describe('the clusters in which two rows differ', () => {
  it.each([0, 1, 2, 300, 65_535, 65_536, 2 ** 40])('are counted of totals from -%d on', (most) => {
    fc.assert(
      fc.property(table(fc.integer({ min: -most, max: most })), ([rows, values]) => {
        assertCounts(Float64Array.from(values), rows);
      }),
      { numRuns: 40 },
    );
  });

  it('are counted of totals of 64 bits that numbers would make equal', () => {
    const low = 2n ** 60n;
    fc.assert(
      fc.property(table(fc.bigInt({ min: low, max: low + 3n })), ([rows, values]) => {
        assertCounts(BigInt64Array.from(values), rows);
      }),
      { numRuns: 40 },
    );
  });

  it('are none where one zero is negative', () => {
    assertCounts(Float64Array.of(0, -0, -0, 0, 1, 0), 2);
    expect(differingCounter(Float64Array.of(0, -0), 2)(0, 1)).toBe(0);
  });

  it('are counted of a thousand values in a cluster', () => {
    const totals = Float64Array.from({ length: 40 * 1100 }, (_, k) => (k * 7919) % 1100);
    const countOf = differingCounter(totals, 1100);
    for (const [i, j] of [
      [0, 1],
      [3, 1099],
      [511, 512],
      [7, 7],
    ] as const)
      expect(countOf(i, j)).toBe(counted(totals, 1100, i, j));
  });
});
