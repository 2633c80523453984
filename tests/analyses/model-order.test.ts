import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnswerGrid } from '../../src/analyses/candidates.js';
import type { AnalysisInputs } from '../../src/analyses/inputs.js';
import { SENSITIVITY } from '../../src/analyses/list.js';
import type { ScoreMatrix } from '../../src/core/matrix.js';
import { createEngine } from '../../src/engine/index.js';
import { canonicalJson } from '../../src/io/canonical.js';
import type { CorePlan } from '../../src/tasks/coreplan.js';
import type { Task } from '../../src/tasks/task.js';
import { PORTFOLIOS } from '../../src/tasks/task.js';

const FAMILIES = ['f', 'g', 'h', 'i'];
const IDS = ['zeta', 'alpha', 'Mid', 'beta', 'é', 'b'];

/** Few values, so that models and subsets tie. */
const tables = fc.record({
  models: fc.integer({ min: 2, max: 6 }),
  values: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 96, maxLength: 96 }),
  turn: fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6, maxLength: 6 }),
});

function matrixOf(rows: readonly number[], values: readonly number[]): ScoreMatrix {
  const tasks = Array.from({ length: 16 }, (_, t) => `t${t}`);
  return {
    models: rows.map((m) => IDS[m]!),
    tasks,
    panels: tasks.map(() => 'p'),
    families: tasks.map((_, t) => FAMILIES[t % 4]!),
    clusters: tasks.map((_, t) => `c${Math.floor(t / 8)}${t % 4}`),
    values: Float64Array.from(rows.flatMap((m) => values.slice(16 * m, 16 * (m + 1)))),
    scale: 1,
  };
}

describe('the order of the models', () => {
  it.each(['precision', 'generalizability', 'weights'])('changes no digit of %s', async (name) => {
    const analysis = SENSITIVITY.find((one) => one.name === name)!;
    const engine = await createEngine();
    const run = async (matrix: ScoreMatrix) => {
      const row = (id: string) => matrix.models.indexOf(id);
      const inputs: Partial<AnalysisInputs> = {
        matrix: async () => matrix,
        familyMeans: async () => ({ matrix, stated: false }),
        matrixWarnings: async () => [],
        resolved: async () => [[row('alpha'), row('zeta')]],
        engine: async () => engine,
      };
      const options = { rng: 'philox', alpha: 0.05, draws: 30, sizes: [4, 9], target: 0.8 };
      const { plan, results, models } = await analysis.run(inputs as AnalysisInputs, options);
      return canonicalJson({ plan, results, models: models.map(({ modelId, rank }) => [modelId, rank]) });
    };
    await fc.assert(
      fc.asyncProperty(tables, async ({ models, values, turn }) => {
        const rows = Array.from({ length: models }, (_, m) => m);
        const turned = turn.filter((m) => m < models);
        expect(await run(matrixOf(turned, values))).toBe(await run(matrixOf(rows, values)));
      }),
      { numRuns: name === 'weights' ? 5 : 25 },
    );
    await engine.close();
  });

  it.each(['metrics', 'roster', 'filter', 'checkpoints'])('changes no digit of %s', async (name) => {
    const analysis = SENSITIVITY.find((one) => one.name === name)!;
    const ids = Array.from({ length: 16 }, (_, t) => `t${t}`);
    const tasks = ids.map((id, t) => ({
      ...{ id, panel: 'p', family: FAMILIES[t % 2]!, category: `k${t % 3}`, chance: 3000, margin: 5 * t },
      scores: Uint16Array.from({ length: 56 }, (_, k) => (k === t ? 10_000 : 100 * (k % 7))),
    }));
    const engine = await createEngine();
    const run = async (matrix: ScoreMatrix) => {
      const values = [...matrix.values];
      const inputs: Partial<AnalysisInputs> = {
        matrix: async () => matrix,
        answers: async () => ({
          models: matrix.models,
          tasks: tasks as unknown as AnswerGrid['tasks'],
          actions: Int32Array.from(values, (value, at) => (value === 2 ? at % 16 : 20 + 3 * value)),
        }),
        candidates: async () => ({
          models: matrix.models,
          tasks,
          valid: Uint8Array.from(values, (value, at) => (at % 16 > 9 && value === 0 ? 0 : 1)),
          scores: Float64Array.from(values, (value) => 1000 * value),
        }),
        core: async () =>
          ({
            seed: 's',
            ids: ids.slice(0, 8),
            strata: [0, 1].map((f) => ({
              panel: 'p',
              family: FAMILIES[f]!,
              ids: ids.slice(0, 8).filter((_, t) => t % 2 === f),
            })),
          }) as unknown as CorePlan,
        tasks: async () => new Map(tasks.map((task) => [task.id, task as unknown as Task])),
        otherMaps: async () => [
          {
            name: 'other',
            maps: tasks.map(({ id, family, panel, scores }, t) => ({
              ...{ id, family, panel, keys: PORTFOLIOS, task: null },
              scores: scores.map((score, k) => score + ((7 * t + k) % 5)),
            })),
          },
        ],
        engine: async () => engine,
      };
      const { plan, results } = await analysis.run(inputs as AnalysisInputs, { rng: 'philox', alpha: 0.05, draws: 20 });
      return canonicalJson({ plan, results });
    };
    await fc.assert(
      fc.asyncProperty(tables, async ({ models, values, turn }) => {
        const rows = Array.from({ length: Math.max(3, models) }, (_, m) => m);
        const turned = turn.filter((m) => m < rows.length);
        expect(await run(matrixOf(turned, values))).toBe(await run(matrixOf(rows, values)));
      }),
      { numRuns: 25 },
    );
    await engine.close();
  });

  it('is that of the rows for documents of version 1 and for replays', async () => {
    const { rulesOf, statedOptions, ORDER, SAMPLING } = await import('../../src/analyses/declared-options.js');
    expect(rulesOf({})).toEqual({ order: 'model-id', sampling: 'clusters' });
    expect(rulesOf({ rng: 'numpy' })).toEqual({ order: 'rows', sampling: 'tasks' });
    for (const more of [{ sampling: 'clusters' }, { order: 'model-id' }] as const)
      expect(() => rulesOf({ rng: 'numpy', ...more })).toThrow(expect.objectContaining({ code: 'USAGE' }));
    const old = { plan: { target: 0.9 }, rng: null, seed: null };
    expect(statedOptions([ORDER, SAMPLING], old)).toEqual({ order: 'rows', sampling: 'tasks' });
    const now = { plan: { order: 'model-id', sampling: 'clusters' }, rng: null, seed: null };
    expect(statedOptions([ORDER, SAMPLING], now)).toEqual({ order: 'model-id', sampling: 'clusters' });
  });
});
