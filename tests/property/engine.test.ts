import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClusterDesign, createEngine, type Engine, pairCount, pairIndex } from '../../src/engine/index.js';
import { jointCounts } from '../../src/engine/reference/weights.js';
import { buildDesign, designShape } from '../support/random-design.js';

const philox = (stream: number) => ({ kind: 'philox', seed: 77n, stream }) as const;

/** The design with its rows in another order. */
function permuted(design: ClusterDesign, order: readonly number[]): ClusterDesign {
  const { rows, partTotals } = design;
  return {
    ...design,
    partTotals: partTotals.map((_, at) => {
      const part = Math.floor(at / rows);
      return partTotals[part * rows + order[at % rows]!]!;
    }),
  };
}

describe('engine calls on random designs', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await createEngine({ backend: 'wasm' });
  });
  afterAll(() => engine.close());

  const property = (name: string, check: (design: ClusterDesign, draws: number) => Promise<void>, runs = 25) =>
    it(name, () =>
      fc.assert(
        fc.asyncProperty(designShape(60), fc.integer({ min: 1, max: 200 }), (shape, draws) =>
          check(buildDesign({ ...shape, rows: Math.min(shape.rows, 12) }), draws),
        ),
        { numRuns: runs },
      ),
    );

  // py-econometrics/duckreg#20, Knowledge-Graph-Hub/kg-microbe#708: a set() dropped what was drawn twice.
  property('a joint draw takes as many clusters as there are', async (design) => {
    const one = { ...design, strata: 1, partStratum: design.partStratum.map(() => 0) };
    for (let draw = 0; draw < 5; draw++) {
      const { counts } = jointCounts(one, 3n, 0, draw);
      expect(counts.reduce((a, b) => a + b, 0)).toBe(design.clusters);
    }
  });

  property('exceedances do not depend on the order of rows', async (design, draws) => {
    const { rows } = design;
    const order = Array.from({ length: rows }, (_, m) => (m * 5 + 3) % rows);
    if (new Set(order).size < rows) return;
    const there = await engine.flips(design, { draws, random: philox(1) });
    const here = await engine.flips(permuted(design, order), { draws, random: philox(1) });
    for (let i = 0; i < rows; i++)
      for (let j = i + 1; j < rows; j++) {
        const [a, b] = [Math.min(order[i]!, order[j]!), Math.max(order[i]!, order[j]!)];
        expect(here.pairs[pairIndex(i, j, rows)]).toBe(there.pairs[pairIndex(a, b, rows)]);
      }
  });

  property('rows that never differ are reached by every draw', async (design, draws) => {
    const copy = permuted(design, [0, 0, ...Array.from({ length: design.rows }, (_, m) => m).slice(2)]);
    const counts = await engine.flips(copy, { draws, random: philox(1), maxT: true });
    expect(counts.pairs[0]).toBe(draws);
    if (copy.ranked >= 2) expect(counts.maxT![0]).toBe(draws);
  });

  property('max-T is reached wherever the pair itself is', async (design, draws) => {
    const { pairs, maxT } = await engine.flips(design, { draws, random: philox(1), maxT: true });
    const { rows, ranked } = design;
    for (let i = 0; i < ranked; i++)
      for (let j = i + 1; j < ranked; j++)
        expect(maxT![pairIndex(i, j, ranked)]).toBeGreaterThanOrEqual(pairs[pairIndex(i, j, rows)]!);
  });

  property('ranks are a permutation in every draw, nothing is NaN', async (design, draws) => {
    const summary = await engine.bootstrap(design, {
      draws,
      random: philox(0),
      scheme: 'stratified',
      probabilities: [0.025, 0.975],
      bandProbability: 0.95,
      ranks: 'ordinal',
      pairs: true,
    });
    const { ranked } = design;
    for (let k = 0; k < ranked; k++) {
      let row = 0;
      let rank = 0;
      for (let m = 0; m < ranked; m++) {
        row += summary.rankCounts![k * ranked + m]!;
        rank += summary.rankCounts![m * ranked + k]!;
      }
      expect([row, rank]).toEqual([draws, draws]);
    }
    const numbers = [
      ...summary.points,
      ...summary.standardErrors,
      ...summary.quantiles,
      ...summary.pairQuantiles!,
      summary.bandCritical!,
    ];
    expect(numbers.every(Number.isFinite)).toBe(true);
    expect(summary.pairQuantiles).toHaveLength(2 * pairCount(design.rows));
  });

  // ventolab/CellphoneDB#231: forked workers drew identical shuffles.
  it('draw other numbers in every range of a split', async () => {
    const design = buildDesign({
      rows: 3,
      tasks: 50,
      clusters: 50,
      strata: 1,
      chance: false,
      largest: 10_000,
      degenerate: false,
      negative: false,
      seed: 1,
    });
    const request = { draws: 5000, random: philox(0), scheme: 'joint', probabilities: [] } as const;
    const pool = await createEngine({ backend: 'pool', threads: 3 });
    const { values } = await pool.bootstrapValues(design, request);
    const first = Array.from({ length: 5000 }, (_, draw) => values[draw * 3]!);
    expect(new Set(first).size).toBeGreaterThan(4500);
    await pool.close();
  });

  // OHBA-analysis/osl-dynamics#193: whether a level is halved once absolute values are taken.
  it('reject about 5 in 100 sign-flip tests of equal rows at .05', async () => {
    let rejected = 0;
    const tests = 400;
    for (let test = 0; test < tests; test++) {
      const design = buildDesign({
        rows: 2,
        tasks: 40,
        clusters: 40,
        strata: 1,
        chance: false,
        largest: 1000,
        degenerate: false,
        negative: true,
        seed: 1000 + test,
      });
      const counts = await engine.flips(design, { draws: 199, random: philox(test) });
      if ((counts.pairs[0]! + 1) / 200 <= 0.05) rejected++;
    }
    expect(rejected / tests).toBeGreaterThan(0.02);
    expect(rejected / tests).toBeLessThan(0.09);
  });

  it('are not disturbed by others that run at the same time', async () => {
    const design = buildDesign({
      rows: 6,
      tasks: 30,
      clusters: 30,
      strata: 2,
      chance: true,
      largest: 9,
      degenerate: false,
      negative: false,
      seed: 5,
    });
    const draws = [10, 300, 20, 4000];
    const request = (n: number) => ({ draws: n, random: philox(1), maxT: true });
    const together = await Promise.all(draws.map((n) => engine.flips(design, request(n))));
    for (const [k, n] of draws.entries()) expect(together[k]).toEqual(await engine.flips(design, request(n)));
  });
});
