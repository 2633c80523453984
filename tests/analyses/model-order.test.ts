import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnalysisInputs } from '../../src/analyses/inputs.js';
import { SENSITIVITY } from '../../src/analyses/list.js';
import type { ScoreMatrix } from '../../src/core/matrix.js';
import { createEngine } from '../../src/engine/index.js';
import { canonicalJson } from '../../src/io/canonical.js';

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
