import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScoreMatrix } from '../../src/core/matrix.js';
import { createEngine, type Engine, pairIndex } from '../../src/engine/index.js';
import { type Inference, type InferencePlan, runInference } from '../../src/inference/index.js';
import { inferenceResults } from '../../src/inference/inference-document.js';
import { smallMatrix } from '../support/small-matrix.js';

let engine: Engine;
beforeAll(async () => {
  engine = await createEngine({ backend: 'wasm' });
});
afterAll(() => engine.close());

/** Tables with many ties: few different values, few clusters, two strata, equal rows now and then. */
const tables = fc
  .record({
    models: fc.integer({ min: 2, max: 6 }),
    tasks: fc.integer({ min: 2, max: 12 }),
    values: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 72, maxLength: 72 }),
    clusters: fc.array(fc.integer({ min: 0, max: 7 }), { minLength: 12, maxLength: 12 }),
    families: fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 12, maxLength: 12 }),
    copied: fc.boolean(),
    chance: fc.boolean(),
  })
  .map(({ models, tasks, values, clusters, families, copied, chance }): ScoreMatrix => {
    const rows = Array.from({ length: models }, (_, m) => values.slice(m * tasks, (m + 1) * tasks));
    if (copied) rows[models - 1] = rows[0]!;
    const matrix = smallMatrix({
      rows,
      clusters: clusters.slice(0, tasks).map((c) => `c${c}`),
      ...(chance ? { chance: rows[0]!.map((_, t) => t % 2) } : {}),
      scale: 1,
    });
    return { ...matrix, families: families.slice(0, tasks).map((f) => `f${f}`) };
  });

const permutations = (n: number) =>
  fc.shuffledSubarray(
    Array.from({ length: n }, (_, i) => i),
    { minLength: n },
  );

function permuted(matrix: ScoreMatrix, order: readonly number[]): ScoreMatrix {
  const width = matrix.tasks.length;
  return {
    ...matrix,
    models: order.map((m) => matrix.models[m]!),
    values: Float64Array.from(order.flatMap((m) => [...matrix.values.subarray(m * width, (m + 1) * width)])),
  };
}

/** What an inference says of a model and of a pair, without where they stand. */
const modelOf = (inference: Inference, row: number) => {
  const { index: _, openWith, ...model } = inference.models[row]!;
  return { ...model, openWith: openWith?.map((m) => inference.models[m]!.modelId).sort() };
};

describe('the order of the rows of a table', () => {
  const plans: Partial<InferencePlan>[] = [
    {},
    { multiplicity: 'max-t' },
    { test: 'centred', interval: 'percentile' },
    { flips: 4000, draws: 20 },
  ];
  for (const plan of plans)
    it(`changes no digit of an inference with ${JSON.stringify(plan)}`, async () => {
      const found = fc.sample(
        tables.chain((matrix) => fc.tuple(fc.constant(matrix), permutations(matrix.models.length))),
        { numRuns: 12, seed: 20260820 },
      );
      for (const [matrix, order] of found) {
        const settings = { draws: 60, flips: 100, seed: 5n, ...plan };
        const before = await runInference({ matrix, plan: settings, engine });
        const after = await runInference({ matrix: permuted(matrix, order), plan: settings, engine });
        order.forEach((m, row) => {
          expect(modelOf(after, row)).toEqual(modelOf(before, m));
        });
        const n = order.length;
        for (let i = 0; i < n; i += 1)
          for (let j = i + 1; j < n; j += 1) {
            const now = after.pairs[pairIndex(i, j, n)]!;
            const [a, b] = [order[i]!, order[j]!];
            const old = before.pairs[pairIndex(Math.min(a, b), Math.max(a, b), n)]!;
            const sign = a < b ? 1 : -1;
            expect(now.meanDifference).toBe(sign * old.meanDifference + 0);
            expect([...now.interval]).toEqual(
              sign > 0 ? [...old.interval] : [0 - old.interval[1], 0 - old.interval[0]],
            );
            expect(now.verdict?.decision).toBe(
              sign > 0 || !['higher', 'lower'].includes(old.verdict!.decision)
                ? old.verdict?.decision
                : { higher: 'lower', lower: 'higher' }[old.verdict!.decision as 'higher' | 'lower'],
            );
            for (const key of ['p', 'holm', 'maxTP', 'maxTStepP', 'exactP', 'significant'] as const)
              expect(now[key]).toBe(old[key]);
          }
        for (const key of ['bandCritical', 'resolvedPairs', 'redraws', 'warnings', 'effectiveClusters'] as const)
          expect(after[key]).toEqual(before[key]);
      }
    });

  it('is that of the document: a model stands where its row stood', async () => {
    const matrix = smallMatrix({
      rows: [
        [3, 1, 4],
        [1, 5, 9],
        [2, 6, 5],
      ],
      scale: 1,
    });
    const turned = { ...matrix, models: ['z', 'a', 'm'] };
    const inference = await runInference({ matrix: turned, plan: { draws: 50, flips: 50 }, engine });
    expect(inference.models.map(({ modelId }) => modelId)).toEqual(['z', 'a', 'm']);
    expect(inference.pairs.map(({ left, right }) => [left, right])).toEqual([
      [0, 1],
      [0, 2],
      [1, 2],
    ]);
    const results = inferenceResults({ matrix: turned, inference });
    expect(results.models).toMatchObject([{ model_id: 'z' }, { model_id: 'a' }, { model_id: 'm' }]);
  });
});
