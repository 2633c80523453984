import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flipTotals } from '../../src/engine/bounds.js';
import { type ClusterDesign, pairIndex } from '../../src/engine/design.js';
import { createEngine, type Engine } from '../../src/engine/index.js';
import { layoutOf } from '../../src/engine/layout.js';
import { marginDesign, marginTests } from '../../src/inference/decisions/margin.js';
import { designOf } from '../support/golden-design.js';

let engine: Engine;
beforeAll(async () => {
  engine = await createEngine({ backend: 'reference' });
});
afterAll(() => engine.close());

const random = { kind: 'philox', seed: 5n, stream: 1 } as const;

async function equalWithin(design: ClusterDesign, margin: number, flips: number) {
  const wide = marginDesign(design, margin);
  const counts = await engine.flips(wide, { draws: flips, random });
  const totals = flipTotals(wide, layoutOf(wide));
  return marginTests({ design: wide, totals, exceedances: counts.pairs, flips, alpha: 0.05 });
}

/** One-sided p of the mean of `values` below zero by all sign vectors: the share of sums at or below the observed one. */
function lowerTail(values: readonly number[]): number {
  const sum = values.reduce((a, b) => a + b, 0);
  if (sum >= 0) return 1;
  let count = 0;
  for (let k = 0; k < 2 ** values.length; k += 1) {
    const flipped = values.reduce((total, x, c) => total + ((k >> c) & 1 ? x : -x), 0);
    if (flipped <= sum) count += 1;
  }
  return count / 2 ** values.length;
}

describe('equal within a margin (decisions 3.3)', () => {
  it('takes the larger of two one-sided p by all sign vectors of the shifted differences', async () => {
    const row = fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 8, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(row, row, fc.integer({ min: 1, max: 6 }), async (left, right, margin) => {
        const each = left.map((_, t) => t);
        const table = [left, right];
        const design = { ...designOf({ table, stratum: each.map(() => 0), cluster: each, ranked: 2 }), scale: 1 };
        const found = await equalWithin(design, margin, 256);
        const difference = left.map((x, t) => x - right[t]!);
        const above = lowerTail(difference.map((d) => d - margin));
        const below = lowerTail(difference.map((d) => -d - margin));
        expect(found.p[0]).toBe(Math.max(above, below));
        expect(found.equalWithin[0]).toBe(Number(Math.max(above, below) < 0.05));
      }),
      { numRuns: 60 },
    );
  });

  it('moves by the margin in every task: clusters of two tasks in strata of two sizes', async () => {
    const stratum = [0, 0, 0, 0, 1, 1, 1, 1, 1, 1];
    const cluster = [0, 0, 1, 2, 3, 3, 4, 5, 6, 6];
    const left = [5, 2, 7, 7, 1, 4, 4, 6, 2, 2];
    const right = [4, 2, 6, 8, 2, 3, 4, 5, 2, 3];
    const design = { ...designOf({ table: [left, right], stratum, cluster, ranked: 2 }), scale: 1 };
    const found = await equalWithin(design, 2, 128);
    // Weighted by 12 / N: 3 a task of stratum 0, 2 of stratum 1.
    const shifted = (sign: number) =>
      [0, 1, 2, 3, 4, 5, 6].map((c) =>
        cluster.reduce(
          (sum, at, t) => sum + (at === c ? (stratum[t] ? 2 : 3) * (sign * (left[t]! - right[t]!) - 2) : 0),
          0,
        ),
      );
    expect(found.p[0]).toBe(Math.max(lowerTail(shifted(1)), lowerTail(shifted(-1))));
  });

  it('runs Holm over all pairs, and may call equal what is also told apart', async () => {
    const base = Array.from({ length: 12 }, (_, t) => (t * 7) % 5);
    const table = [base, base.map((x) => x + 1), base.map((x) => x + 9)];
    const each = base.map((_, t) => t);
    const design = { ...designOf({ table, stratum: each.map(() => 0), cluster: each, ranked: 3 }), scale: 1 };
    const found = await equalWithin(design, 2, 4096);
    expect([...found.equalWithin]).toEqual([1, 0, 0]);
    expect(found.p[pairIndex(0, 1, 3)]).toBe(1 / 4096);
    expect(found.holm[0]).toBe(3 / 4096);
  });

  it('halves a sampled two-sided p where sign vectors are too many to count', async () => {
    const base = Array.from({ length: 40 }, (_, t) => (t * 7) % 5);
    const each = base.map((_, t) => t);
    const design = {
      ...designOf({ table: [base, base], stratum: each.map(() => 0), cluster: each, ranked: 2 }),
      scale: 1,
    };
    expect((await equalWithin(design, 3, 199)).p[0]).toBe(1 / 200 / 2);
  });

  it('reads decimal margins exactly: .25 points at scale 10 make units of a hundredth', () => {
    const design = { ...designOf({ table: [[3], [4]], stratum: [0], cluster: [0], ranked: 2 }), scale: 10 };
    const wide = marginDesign(design, 0.25);
    expect(wide.scale).toBe(100);
    expect([...wide.partTotals]).toEqual([30, 40, 55, 65]);
    expect([...marginDesign({ ...design, scale: 100 }, 0.1).partTotals]).toEqual([3, 4, 13, 14]);
    for (const margin of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1 / 3])
      expect(() => marginDesign(design, margin)).toThrow(expect.objectContaining({ code: 'USAGE' }));
    const large = { ...design, partTotals: Float64Array.of(2 ** 53 - 1, 0) };
    expect(() => marginDesign(large, 0.25)).toThrow(expect.objectContaining({ code: 'BOUND_EXCEEDED' }));
  });
});
