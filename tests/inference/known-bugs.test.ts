import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScoreMatrix } from '../../src/core/matrix.js';
import { createEngine, type Engine, pairIndex } from '../../src/engine/index.js';
import { holm, type InferencePlan, pValue, runInference } from '../../src/inference/index.js';
import { inferenceResults } from '../../src/inference/inference-document.js';
import { smallMatrix } from '../support/small-matrix.js';

let engine: Engine;
beforeAll(async () => {
  engine = await createEngine({ backend: 'reference' });
});
afterAll(() => engine.close());

const run = (matrix: ScoreMatrix, plan: Partial<InferencePlan> = {}) =>
  runInference({ matrix, plan: { draws: 40, flips: 200, ...plan }, engine });

const matrices = fc
  .record({
    models: fc.integer({ min: 2, max: 5 }),
    tasks: fc.integer({ min: 1, max: 9 }),
    values: fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 45, maxLength: 45 }),
    clusters: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 9, maxLength: 9 }),
  })
  .map(({ models, tasks, values, clusters }) =>
    smallMatrix({
      rows: Array.from({ length: models }, (_, m) => values.slice(m * tasks, (m + 1) * tasks)),
      clusters: clusters.slice(0, tasks).map((c) => `c${c}`),
      scale: 1,
    }),
  );

/** Each case is a bug that resampling software in use has had. */
describe('bugs that other resampling software has had:', () => {
  // scipy/scipy#16459, tidymodels/infer#458, tidymodels/infer#538: p = 0 after few permutations.
  // SeldonIO/alibi-detect#960: the observed statistic left out, at ten sites. Here one function makes every p.
  it('a p-value is never zero, not even after one draw', () => {
    expect(pValue(0, 1)).toBe(0.5);
    expect(pValue(0, 100_000)).toBe(1 / 100_001);
    expect(pValue(100_000, 100_000)).toBe(1);
  });

  // tidymodels/infer#206, rasbt/mlxtend#718, scverse/pertpy#1094: > where >= belongs.
  it('ties count: data that tie in every draw give p = 1', async () => {
    const constant = await run(smallMatrix({ rows: [[5], [1]] }));
    expect(constant.pairs[0]?.p).toBe(1);
    const zero = await run(
      smallMatrix({
        rows: [
          [4, 4, 4],
          [4, 4, 4],
        ],
      }),
    );
    expect(zero.pairs[0]?.p).toBe(1);
  });

  // scipy/scipy#15869: float noise splits ties. mne-tools/mne-python#4953, mne-tools/mne-python#4979: p follows the order of
  // the data.
  it('rounding cannot split ties: any order of rows gives the same p', async () => {
    await fc.assert(
      fc.asyncProperty(matrices, fc.integer({ min: 0, max: 1000 }), async (matrix, shuffle) => {
        const n = matrix.models.length;
        const tasks = matrix.tasks.length;
        const order = Array.from({ length: n }, (_, m) => m).sort(
          (a, b) => ((a * 7919 + shuffle) % 13) - ((b * 7919 + shuffle) % 13) || a - b,
        );
        const moved: ScoreMatrix = {
          ...matrix,
          models: order.map((m) => matrix.models[m]!),
          values: Float64Array.from(order.flatMap((m) => [...matrix.values.subarray(m * tasks, (m + 1) * tasks)])),
        };
        const [before, after] = [await run(matrix), await run(moved)];
        for (let i = 0; i < n; i += 1)
          for (let j = i + 1; j < n; j += 1) {
            const a = order[i]!;
            const b = order[j]!;
            const old = before.pairs[pairIndex(Math.min(a, b), Math.max(a, b), n)]!;
            const now = after.pairs[pairIndex(i, j, n)]!;
            expect(now.p).toBe(old.p);
            expect(now.maxTP).toBe(old.maxTP);
            expect(now.exactP).toBe(old.exactP);
            expect(now.holm).toBe(old.holm);
            expect(now.meanDifference + 0).toBe((a < b ? 1 : -1) * old.meanDifference + 0);
          }
      }),
      { numRuns: 25 },
    );
  });

  // vegandevs/vegan#132, vegandevs/vegan#136: p far below what the number of permutations can reach.
  it('exact p keeps above its floor and inside the limits of the sampled one', async () => {
    await fc.assert(
      fc.asyncProperty(matrices, async (matrix) => {
        const { pairs, clusters } = await run(matrix, { flips: 4000, draws: 1 });
        for (const pair of pairs) {
          expect(pair.exactP).toBeGreaterThanOrEqual(2 / 2 ** clusters);
          const [low, high] = pair.pInterval99!;
          const slack = 4 * Math.sqrt((pair.exactP! * (1 - pair.exactP!)) / 4000);
          expect(pair.exactP).toBeGreaterThanOrEqual(low - slack);
          expect(pair.exactP).toBeLessThanOrEqual(high + slack);
        }
      }),
      { numRuns: 15 },
    );
  });

  // AutoX-AI-Labs/AutoR#247: past 18 pairs only the first 18 were enumerated.
  it('enumeration is whole or not at all', async () => {
    const matrix = smallMatrix({
      rows: [
        [1, 2, 3, 4, 5, 6],
        [0, 0, 0, 0, 0, 0],
      ],
    });
    const all = await run(matrix, { flips: 64 });
    expect(all.pairs[0]?.exactP).toBe(2 / 64);
    const permuted = await run(
      smallMatrix({
        rows: [
          [6, 1, 5, 2, 4, 3],
          [0, 0, 0, 0, 0, 0],
        ],
      }),
      { flips: 64 },
    );
    expect(permuted.pairs[0]?.exactP).toBe(2 / 64);
    expect((await run(matrix, { flips: 63 })).pairs[0]?.exactP).toBeNull();
  });

  // AutoX-AI-Labs/AutoR#247 went wrong past 18.
  it.each([18, 19, 20])('enumeration of %i clusters reaches every sign, whatever their order', async (n) => {
    const wasm = await createEngine({ backend: 'wasm' });
    const values = Array.from({ length: n }, (_, t) => 100 + t);
    for (const row of [values, [...values].reverse()]) {
      const matrix = smallMatrix({ rows: [row, row.map(() => 0)] });
      const inference = await runInference({ matrix, plan: { draws: 1, flips: 2 ** n }, engine: wasm });
      expect(inference.pairs[0]?.exactP).toBe(2 / 2 ** n);
    }
    await wasm.close();
  });

  // betagouv/ComparIA#470: the median of the draws was shown in place of the estimate.
  it('the score is the point estimate of all data, whatever the draws were', async () => {
    const rows = [
      [100, 900, 400, 0, 700],
      [300, 300, 100, 800, 0],
    ];
    for (const draws of [1, 2, 500]) {
      const { models } = await run(smallMatrix({ rows }), { draws });
      expect(models.map((model) => model.score)).toEqual([4.2, 3]);
    }
  });

  // edwardjkim/dl4astro#2, py-why/dowhy#1063: a 90 % interval that was called 95 %.
  it('an interval of another level does not call itself 95 %', async () => {
    const matrix = smallMatrix({
      rows: [
        [100, 900, 400, 0, 700],
        [1, 2, 3, 4, 5],
      ],
    });
    const at = async (alpha: number) => {
      const inference = await run(matrix, { alpha, draws: 400 });
      const { models, pairwise_comparisons: pairs } = inferenceResults({ matrix, inference }) as {
        models: Record<string, number[]>[];
        pairwise_comparisons: Record<string, number[]>[];
      };
      return { model: models[0]!, pair: pairs[0]! };
    };
    const wide = await at(0.05);
    const narrow = await at(0.5);
    expect(Object.keys(narrow.model).filter((key) => key.includes('95'))).toEqual([]);
    expect(Object.keys(narrow.pair).filter((key) => key.includes('95'))).toEqual([]);
    expect(wide.model.score_pointwise_95_ci![0]).toBeLessThan(narrow.model.score_pointwise_ci![0]!);
    expect(wide.pair.bootstrap_95_ci![1]).toBeGreaterThan(narrow.pair.bootstrap_ci![1]!);
  });

  // jgreathouse9/mlsynth#533, bcallaway11/did#244: a simultaneous band narrower than the pointwise one.
  it('a simultaneous band is never narrower than what one model alone needs', async () => {
    const rows = Array.from({ length: 4 }, (_, m) =>
      Array.from({ length: 12 }, (_, t) => ((m * 37 + t * 101) % 17) * 10),
    );
    const together = await run(smallMatrix({ rows }), { draws: 500 });
    for (const row of rows) {
      const alone = await run(smallMatrix({ rows: [row] }), { draws: 500 });
      expect(together.bandCritical).toBeGreaterThanOrEqual(alone.bandCritical);
    }
  });

  it('a design with a clear winner finds it, and its mirror image the same one', async () => {
    const strong = Array.from({ length: 16 }, (_, t) => 900 + t);
    const weak = Array.from({ length: 16 }, (_, t) => t);
    const forward = await run(smallMatrix({ rows: [strong, weak] }), { flips: 2000 });
    const backward = await run(smallMatrix({ rows: [weak, strong] }), { flips: 2000 });
    expect(forward.top).toBe(0);
    expect(backward.top).toBe(1);
    expect(backward.models.map((model) => model.group)).toEqual([2, 1]);
    expect(backward.pairs[0]?.direction).toBe('right_higher');
  });
});

const ps = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 30 });

describe('the Holm adjustment', () => {
  // HomericIntelligence/Scylla#288, tanghaibao/goatools#281, mne-tools/mne-python#7354: not monotone, above 1, or a crash.
  it('is monotone, at least p, at most 1, and the same in any order', () => {
    fc.assert(
      fc.property(ps, (p) => {
        const adjusted = holm(p);
        p.forEach((value, i) => {
          expect(adjusted[i]).toBeGreaterThanOrEqual(value);
          expect(adjusted[i]).toBeLessThanOrEqual(1);
          p.forEach((other, j) => {
            if (value <= other) expect(adjusted[i]).toBeLessThanOrEqual(adjusted[j]!);
          });
        });
        expect([...holm([...p].reverse())].reverse()).toEqual([...adjusted]);
      }),
    );
  });

  it('keeps one hypothesis as it is and leaves ones alone', () => {
    expect([...holm([0.03])]).toEqual([0.03]);
    expect([...holm([1, 1, 1])]).toEqual([1, 1, 1]);
    expect([...holm([])]).toEqual([]);
  });

  // tleonardi/nanocompore#41, paulegradie/Sailfish#253: one NaN poisons all, or ranks first.
  it.each([Number.NaN, -0.1, 1.1])('is refused for p = %s, with its place', (value) => {
    expect(() => holm([0.5, value])).toThrow(/hypothesis 1/);
  });
});
