import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScoreMatrix } from '../../src/core/matrix.js';
import { createEngine, type Engine } from '../../src/engine/index.js';
import { type InferencePlan, runInference } from '../../src/inference/index.js';
import { inferenceResults } from '../../src/inference/inference-document.js';
import { numbersIn, smallMatrix } from '../support/small-matrix.js';

let engine: Engine;
beforeAll(async () => {
  engine = await createEngine({ backend: 'reference' });
});
afterAll(() => engine.close());

const run = async (matrix: ScoreMatrix, plan: Partial<InferencePlan> = {}) => {
  const result = await runInference({ matrix, plan: { draws: 60, flips: 50, ...plan }, engine });
  for (const [path, value] of numbersIn(result)) expect(value, path).not.toBeNaN();
  return result;
};

for (const rng of ['philox', 'numpy'] as const) {
  // scipy/scipy#14804, scipy/scipy#14351, kassambara/rstatix#290: constant data crash or give NaN. openai/evals#1834: n = 1.
  describe(`an inference over data that leave nothing to estimate, ${rng},`, () => {
    it('has defined results for one model', async () => {
      const result = await run(smallMatrix({ rows: [[1000, 2000, 6000]] }), { rng });
      expect(result.pairs).toEqual([]);
      expect(result.top).toBeNull();
      expect(result.resolvedPairs).toBe(0);
      expect(result.models[0]).toMatchObject({
        score: 30,
        rank: 1,
        group: 1,
        rankInterval: [1, 1],
      });
      expect(result.models[0]?.chance).toBeNull();
    });

    it('ties two identical models in every test', async () => {
      const row = [1000, 2000, 6000, 0];
      const result = await run(smallMatrix({ rows: [row, row], chance: [50, 60, 70, 80] }), {
        rng,
      });
      expect(result.pairs[0]).toMatchObject({
        meanDifference: 0,
        interval: [0, 0],
        dz: 0,
        p: 1,
        holm: 1,
        maxTP: 1,
        direction: 'tie',
        degenerate: true,
        exactP: 1,
      });
      const shared = rng === 'philox';
      expect(result.models.map((model) => model.rank)).toEqual(shared ? [1, 1] : [1, 2]);
      expect(result.models.map((model) => model.rankTied)).toEqual(shared ? [true, true] : [null, null]);
      expect(result.models.map((model) => model.group)).toEqual([1, 1]);
      expect(result.models.map((model) => model.rankInterval)).toEqual(
        shared
          ? [
              [1, 2],
              [1, 2],
            ]
          : [
              [1, 1],
              [2, 2],
            ],
      );
      expect(result.models.map((model) => model.rankSet)).toEqual(
        shared
          ? [
              [1, 2],
              [1, 2],
            ]
          : [null, null],
      );
      expect(result.pairs[0]?.verdict?.decision).toBe(shared ? 'identical' : undefined);
    });

    it('has defined results for constant rows', async () => {
      const flat = (value: number) => Array.from({ length: 6 }, () => value);
      const result = await run(smallMatrix({ rows: [flat(5000), flat(3000)], chance: flat(3000) }), { rng });
      const [high, low] = result.models;
      expect(high).toMatchObject({
        standardError: 0,
        pointwise: [50, 50],
        simultaneous: [50, 50],
        degenerate: true,
      });
      expect(result.bandCritical).toBe(0);
      expect(result.pairs[0]).toMatchObject({ dz: null, meanDifference: 20, interval: [20, 20] });
      expect(high?.chance).toMatchObject({ meanDifference: 20, interval: [20, 20] });
      expect(low?.chance).toMatchObject({ meanDifference: 0, p: 1, aboveChance: false });
    });

    it('takes one cluster for what it is: every draw is the data, every flip a tie', async () => {
      const result = await run(
        smallMatrix({
          rows: [
            [10_000, 5000],
            [0, 100],
          ],
          clusters: ['only', 'only'],
          chance: [10, 10],
        }),
        { rng },
      );
      expect(result.clusters).toBe(1);
      expect(result.models[0]).toMatchObject({ standardError: 0, pointwise: [75, 75] });
      expect(result.pairs[0]).toMatchObject({ p: 1, exactP: 1, maxTP: 1, significant: false });
      expect(result.models[0]?.chance?.p).toBe(1);
    });

    it('has defined results for one task', async () => {
      const result = await run(smallMatrix({ rows: [[7], [3]], scale: 1 }), { rng });
      expect(result.pairs[0]).toMatchObject({ dz: null, p: 1, meanDifference: 4 });
      const tied = await run(smallMatrix({ rows: [[7], [7]], scale: 1 }), { rng });
      expect(tied.pairs[0]?.dz).toBe(0);
    });

    it('has defined results for one draw and one flip', async () => {
      const rows = [
        [1, 5, 2, 9],
        [0, 3, 8, 1],
      ];
      const result = await run(smallMatrix({ rows }), { rng, draws: 1, flips: 1 });
      expect(result.models.every((model) => model.standardError === 0)).toBe(true);
      for (const model of result.models) expect(model.pointwise[0]).toBe(model.pointwise[1]);
      expect([0.5, 1]).toContain(result.pairs[0]?.p);
      expect(result.pairs[0]?.exactP).toBeNull();
    });
  });
}

it('an inference draws again where a draw misses a stratum', async () => {
  const rows = [Array.from({ length: 3 }, (_, t) => t)];
  const families = ['substitution', 'pairing', 'constraint'];
  const found = await run(smallMatrix({ rows, families }));
  expect(found.redraws).toBeGreaterThan(0);
});

it('an inference of more models than one document has pairs for is refused', async () => {
  const rows = Array.from({ length: 1025 }, () => [1, 2]);
  await expect(runInference({ matrix: smallMatrix({ rows }), engine })).rejects.toMatchObject({
    code: 'BOUND_EXCEEDED',
    message: expect.stringContaining('1,025 models make 524,800 pairs'),
  });
});

it('an inference keeps the ids of a replication whatever a panel is called', async () => {
  const matrix = smallMatrix({ rows: [[1, 2]], panels: ['model_id', 'difference'] });
  const inference = await run({ ...matrix, families: ['f', 'f'] });
  const { panel_replication } = inferenceResults({ matrix, inference });
  expect(panel_replication).toMatchObject({ models: [{ model_id: 'm0', difference: 0.01 }] });
});

// UKGovernmentBEIS/inspect_ai#4714: a cluster without a label meant one thing here and another there.
it('an inference is refused for a task without a cluster and for a cell that is no integer', async () => {
  const matrix = smallMatrix({ rows: [[1, 2]], clusters: ['a', ''] });
  await expect(runInference({ matrix, engine })).rejects.toMatchObject({
    code: 'CLUSTER_MISSING',
    message: expect.stringContaining('"t1"'),
  });
  for (const value of [0.5, Number.NaN, Number.POSITIVE_INFINITY])
    await expect(runInference({ matrix: smallMatrix({ rows: [[1, value]] }), engine })).rejects.toMatchObject({
      code: 'CELL_NOT_INTEGER',
      message: expect.stringMatching(/"m0".*"t1"/),
    });
  await expect(
    runInference({
      matrix: smallMatrix({
        rows: [
          [1e18, 1],
          [1, 2],
        ],
      }),
      engine,
    }),
  ).rejects.toMatchObject({ message: expect.stringContaining('out of range') });
  await expect(
    runInference({ matrix: { ...matrix, models: [], values: new Float64Array() }, engine }),
  ).rejects.toMatchObject({ code: 'SCHEMA_INVALID' });
});

it.each([
  [{ draws: 0 }],
  [{ flips: 1.5 }],
  [{ seed: -1n }],
  [{ seed: 1n << 64n }],
  [{ alpha: 0 }],
  [{ alpha: 1 }],
  [{ alpha: Number.NaN }],
  [{ rng: 'mt19937' as 'numpy' }],
  [{ strata: 'panel' as 'family' }],
  [{ rng: 'numpy', scheme: 'stratified' }],
] as [Partial<InferencePlan>][])('an inference with the plan %o is refused', async (plan) => {
  await expect(run(smallMatrix({ rows: [[1, 2]] }), plan)).rejects.toMatchObject({
    code: 'USAGE',
    exit: 2,
  });
});
