import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pairCount, pairIndex } from '../../src/engine/design.js';
import { type RankSetOptions, rankSetSource, rankSets } from '../../src/inference/decisions/rank-sets.js';
import { holm } from '../../src/inference/p-values.js';

const M = 4;
const all = new Uint8Array(M * M).fill(1);
const none = new Uint8Array(M * M);
const pairs = pairCount(M);

/** Four models in order of rank, every pair rejected by everything unless said otherwise. */
const sure = (over: Partial<RankSetOptions> = {}): RankSetOptions => ({
  models: M,
  sets: { simultaneous: all, marginalAbove: all, marginalBelow: all },
  constant: new Uint8Array(pairs),
  direction: new Int8Array(pairs).fill(1),
  p: new Float64Array(pairs).fill(1e-6),
  rejected: new Uint8Array(pairs).fill(1),
  multiplicity: 'holm',
  alpha: 0.05,
  ...over,
});

describe('rank sets (decisions 1.3, 1.4)', () => {
  it('are single ranks where the step-down and the test in force tell all pairs apart', () => {
    const found = rankSets(sure());
    expect([...found.simultaneous]).toEqual([1, 1, 2, 2, 3, 3, 4, 4]);
    expect([...found.marginal]).toEqual([1, 1, 2, 2, 3, 3, 4, 4]);
  });

  it('are everything where the step-down rejects nothing', () => {
    const found = rankSets(sure({ sets: { simultaneous: none, marginalAbove: none, marginalBelow: none } }));
    expect([...found.simultaneous, ...found.marginal]).toEqual(new Array(8).fill([1, 4]).flat());
  });

  it('join two models that the test in force does not tell apart, whatever the draws say', () => {
    const rejected = new Uint8Array(pairs).fill(1);
    rejected[pairIndex(1, 2, M)] = 0;
    expect([...rankSets(sure({ rejected })).simultaneous]).toEqual([1, 1, 2, 3, 2, 3, 4, 4]);
  });

  it('follow the test alone for a pair with a constant difference', () => {
    const constant = new Uint8Array(pairs);
    constant[pairIndex(0, 3, M)] = 1;
    const sets = { simultaneous: none, marginalAbove: none, marginalBelow: none };
    const found = rankSets(sure({ sets, constant }));
    expect([...found.simultaneous]).toEqual([1, 3, 1, 4, 1, 4, 2, 4]);
    expect([...found.marginal]).toEqual([1, 3, 1, 4, 1, 4, 2, 4]);
    const open = rankSets(
      sure({ sets, constant, rejected: new Uint8Array(pairs), p: new Float64Array(pairs).fill(0.3) }),
    );
    expect([...open.simultaneous, ...open.marginal]).toEqual(new Array(8).fill([1, 4]).flat());
  });

  it('for one model alone take Holm over its own pairs: .012 three times passes, .02 does not', () => {
    const p = new Float64Array(pairs).fill(0.016);
    const rejected = new Uint8Array(pairs);
    expect([...rankSets(sure({ p, rejected })).marginal]).toEqual([1, 1, 2, 2, 3, 3, 4, 4]);
    expect([...rankSets(sure({ p, rejected })).simultaneous]).toEqual(new Array(4).fill([1, 4]).flat());
    const high = new Float64Array(pairs).fill(0.02);
    expect([...rankSets(sure({ p: high, rejected })).marginal]).toEqual(new Array(4).fill([1, 4]).flat());
    expect([...rankSets(sure({ p: high, rejected, multiplicity: 'max-t' })).marginal]).toEqual([
      1, 1, 2, 2, 3, 3, 4, 4,
    ]);
  });

  it('of one model alone lie inside the simultaneous ones, and hold the point rank, on random evidence', () => {
    const evidence = fc.record({
      points: fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 5, maxLength: 5 }),
      p: fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 10, maxLength: 10 }),
      bits: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 25, maxLength: 25 }),
      constant: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 10, maxLength: 10 }),
    });
    fc.assert(
      fc.property(evidence, ({ points, p: raw, bits, constant }) => {
        const p = Float64Array.from(raw, (x) => (x + 1) / 800);
        const direction = new Int8Array(10);
        for (let i = 0; i < 5; i += 1)
          for (let j = i + 1; j < 5; j += 1) direction[pairIndex(i, j, 5)] = Math.sign(points[i]! - points[j]!);
        const simultaneous = Uint8Array.from(bits, (b) => Number(b === 3));
        const wider = (own: (j: number, k: number) => number) =>
          Uint8Array.from(bits, (b, at) => Number(b > 1 || simultaneous[own(Math.floor(at / 5), at % 5)]));
        const found = rankSets({
          models: 5,
          sets: {
            simultaneous,
            marginalAbove: wider((j, k) => 5 * j + k),
            marginalBelow: wider((j, k) => 5 * k + j),
          },
          constant: constant.map((x) => Number(x === 0)),
          direction,
          p,
          rejected: holm(p).map((x) => Number(x < 0.05)),
          multiplicity: 'holm',
          alpha: 0.05,
        });
        for (let m = 0; m < 5; m += 1) {
          const above = points.filter((x) => x > points[m]!).length;
          const belowOrEqual = points.filter((x) => x >= points[m]!).length;
          expect(found.simultaneous[2 * m]).toBeLessThanOrEqual(found.marginal[2 * m]!);
          expect(found.simultaneous[2 * m + 1]).toBeGreaterThanOrEqual(found.marginal[2 * m + 1]!);
          expect(found.marginal[2 * m]).toBeLessThanOrEqual(1 + above);
          expect(found.marginal[2 * m + 1]).toBeGreaterThanOrEqual(belowOrEqual);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('what rank sets are formed from (decisions 1.4)', () => {
  it.each([
    [200, [0.01, 0.001], 'bootstrap'],
    [50, [0.01], 'bootstrap'],
    [49.99, [0.01], 'flips'],
    [200, [0.01, 1], 'flips'],
    [200, [0.05], 'flips'],
  ] as const)('is, with %d effective clusters and floors %j, %s', (effectiveClusters, floors, source) => {
    expect(rankSetSource({ effectiveClusters, floors, alpha: 0.05 })).toBe(source);
  });
});
