import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pairIndex } from '../../src/engine/design.js';
import { allPairs, exactTests, pairsWith } from '../../src/inference/decisions/exact-p.js';

/** Share of all sign vectors over all clusters, those without difference too, that reach what was observed. */
function enumerated(differences: readonly bigint[], observed: bigint): number {
  const size = (x: bigint) => (x < 0n ? -x : x);
  let count = 0;
  for (let k = 0; k < 2 ** differences.length; k += 1) {
    const sum = differences.reduce((total, d, c) => total + ((k >> c) & 1 ? d : -d), 0n);
    if (size(sum) >= size(observed)) count += 1;
  }
  return count / 2 ** differences.length;
}

const sumOf = (values: readonly bigint[]) => values.reduce((a, b) => a + b, 0n);

/** Rows of totals as the tests take them: cluster-major. */
function clusterMajor(rows: readonly (readonly number[])[]): Float64Array {
  return Float64Array.from(rows[0]!.flatMap((_, c) => rows.map((row) => row[c]!)));
}

const someRows = (largest: number) =>
  fc.integer({ min: 0, max: 11 }).chain((clusters) =>
    fc.array(fc.array(fc.integer({ min: -largest, max: largest }), { minLength: clusters, maxLength: clusters }), {
      minLength: 2,
      maxLength: 5,
    }),
  );

describe('the exact p of a sign-flip test (decisions 2.2)', () => {
  it.each([1, 3, 50, 1_000_000])('is the share of all sign vectors, totals up to %d', (largest) => {
    fc.assert(
      fc.property(someRows(largest), (rows) => {
        const n = rows.length;
        const { differing, p } = exactTests({
          totals: clusterMajor(rows),
          rows: n,
          pairs: allPairs(n),
          flips: 100_000,
        });
        for (let i = 0; i < n; i += 1)
          for (let j = i + 1; j < n; j += 1) {
            const d = rows[i]!.map((x, c) => BigInt(x - rows[j]![c]!));
            expect(differing[pairIndex(i, j, n)]).toBe(d.filter((x) => x !== 0n).length);
            expect(p[pairIndex(i, j, n)]).toBe(enumerated(d, sumOf(d)));
          }
      }),
      { numRuns: 60 },
    );
  });

  it('is the same where totals fill 64 bits', () => {
    const value = fc.bigInt({ min: -(2n ** 58n), max: 2n ** 58n });
    const row = fc.array(fc.oneof(value, fc.constant(2n ** 57n)), { minLength: 7, maxLength: 7 });
    fc.assert(
      fc.property(row, row, (left, right) => {
        const totals = BigInt64Array.from(left.flatMap((x, c) => [x, right[c]!]));
        const d = left.map((x, c) => x - right[c]!);
        const found = exactTests({ totals, rows: 2, pairs: allPairs(2), flips: 128 });
        expect(found.p[0]).toBe(enumerated(d, sumOf(d)));
        expect(found.differing[0]).toBe(d.filter((x) => x !== 0n).length);
      }),
      { numRuns: 60 },
    );
  });

  it('is 1 where 64-bit differences cancel', () => {
    const totals = BigInt64Array.of(2n ** 60n, 0n, 0n, 2n ** 60n);
    expect(exactTests({ totals, rows: 2, pairs: allPairs(2), flips: 4 }).p[0]).toBe(1);
  });

  it('takes another observed value than the sum, in 53 bits or more', () => {
    const triple = fc.tuple(
      fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 8, maxLength: 8 }),
      fc.integer({ min: -90, max: 90 }),
      fc.boolean(),
    );
    fc.assert(
      fc.property(triple, ([row, reach, wide]) => {
        const zero = row.map(() => 0);
        const observed = wide ? BigInt64Array.of(BigInt(reach), 0n) : Float64Array.of(reach, 0);
        const { p } = exactTests({
          totals: clusterMajor([row, zero]),
          rows: 2,
          pairs: allPairs(2),
          flips: 256,
          observed,
        });
        expect(p[0]).toBe(enumerated(row.map(BigInt), BigInt(reach)));
      }),
      { numRuns: 80 },
    );
  });

  it('is given while the sign vectors of the clusters that differ are no more than the flips', () => {
    const rows = [
      [1, 2, 3, 4, 5],
      [0, 2, 0, 4, 0],
      [0, 0, 0, 0, 0],
    ];
    const at = (flips: number) => [
      ...exactTests({ totals: clusterMajor(rows), rows: 3, pairs: pairsWith(2, 2), flips }).p,
    ];
    expect(at(32)).toEqual([2 / 32, 2 / 4]);
    expect(at(31)).toEqual([0, 2 / 4]);
    expect(at(3)).toEqual([0, 0]);
    expect(at(0)).toEqual([0, 0]);
  });

  it('is 1 where nothing differs, even with a negative zero among the totals', () => {
    const found = exactTests({ totals: Float64Array.of(0, -0, 5, 5), rows: 2, pairs: allPairs(2), flips: 1 });
    expect([...found.differing, ...found.p]).toEqual([0, 1]);
  });

  it('counts 2^30 sign vectors of differences 1 to 30: those whose minus signs sum to at most 100, twice', () => {
    // Number of subsets of 1..30 with a sum of at most 100: coefficients of the product of (1 + x^k), summed.
    const ways = new Array<number>(101).fill(0);
    ways[0] = 1;
    for (let k = 1; k <= 30; k += 1) for (let x = 100; x >= k; x -= 1) ways[x] = ways[x]! + ways[x - k]!;
    const subsets = ways.reduce((a, b) => a + b, 0);
    const found = exactTests({
      totals: Float64Array.from({ length: 60 }, (_, k) => (k % 2 === 0 ? k / 2 + 1 : 0)),
      rows: 2,
      pairs: allPairs(2),
      flips: 2 ** 30,
      observed: Float64Array.of(465 - 200, 0),
    });
    expect(found.p[0]).toBe((2 * subsets) / 2 ** 30);
  });
});
