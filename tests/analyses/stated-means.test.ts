import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { aboutDifferences, followInputs, matrixDigest } from '../../src/analyses/about.js';
import type { AnalysisInputs } from '../../src/analyses/inputs.js';
import { meansMatrix } from '../../src/analyses/weights/stated-means.js';
import { weights } from '../../src/analyses/weights/weights.js';
import { statedMeans } from '../../src/cli/inference-input.js';
import type { ScoreMatrix } from '../../src/core/matrix.js';
import { createEngine } from '../../src/engine/index.js';
import { runInference } from '../../src/inference/infer.js';
import { inferenceDigest, inferenceDocument } from '../../src/inference/inference-document.js';
import { inferencePlan } from '../../src/inference/plan.js';
import { canonicalJson } from '../../src/io/canonical.js';
import { pyFloat, pySealed, pyStored } from '../../src/io/pyjson.js';
import { smallMatrix } from '../support/small-matrix.js';

const folder = mkdtempSync(join(tmpdir(), 'stated-means-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'inference.json');

async function inferred(matrix: ScoreMatrix, strata: 'panel-family' | 'family' = 'panel-family') {
  const engine = await createEngine();
  const plan = inferencePlan({ draws: 20, flips: 20, rank_sets: 'none', strata });
  const inference = await runInference({ matrix, plan, engine });
  await engine.close();
  const run = { backend: 'wasm', threads: 1, reason: 'test', warnings: [] };
  const { text, document } = inferenceDocument({ matrix, inference, inputs: [], run });
  writeFileSync(file, text);
  return document.results;
}

const inputs = (matrix: ScoreMatrix, stated: boolean) =>
  ({ familyMeans: async () => ({ matrix, stated }) }) as unknown as AnalysisInputs;

/** Uneven strata in one or two panels; a scale of decimals, of percent, or of three attempts. */
const tables = fc
  .record({
    panels: fc.integer({ min: 1, max: 2 }),
    families: fc.integer({ min: 2, max: 3 }),
    models: fc.integer({ min: 2, max: 5 }),
    sizes: fc.array(fc.integer({ min: 2, max: 7 }), { minLength: 8, maxLength: 8 }),
    scale: fc.constantFrom(1, 100, 3, 700),
    values: fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 280, maxLength: 280 }),
  })
  .map(({ panels, families, models, sizes, scale, values }) => {
    const tasks = Array.from({ length: panels * families }, (_, s) =>
      Array.from({ length: sizes[s]! }, () => [`p/${s % panels}`, `f${Math.floor(s / panels)}`] as const),
    ).flat();
    return smallMatrix({
      rows: Array.from({ length: models }, (_, m) => tasks.map((_, t) => scale * values[m * 56 + t]!)).map((row) =>
        scale === 3 ? row.map((value, t) => value + (t % 3)) : row,
      ),
      panels: tasks.map(([panel]) => panel),
      families: tasks.map(([, family]) => family),
      scale,
    });
  });

describe('weightings of the families of an inference.json', () => {
  it('give the digits that the matrix gives, whatever its strata and its unit', async () => {
    await fc.assert(
      fc.asyncProperty(tables, async (matrix) => {
        await inferred(matrix);
        const stated = await weights.run(inputs(statedMeans(file).matrix, true), { order: 'model-id' } as never);
        const cells = await weights.run(inputs(matrix, false), { order: 'model-id' } as never);
        expect(canonicalJson([stated.plan, stated.results])).toBe(canonicalJson([cells.plan, cells.results]));
      }),
      { numRuns: 12 },
    );
  });

  const matrix = smallMatrix({
    rows: [
      [1, 2, 3, 4],
      [4, 3, 2, 2],
    ],
    families: ['f', 'f', 'g', 'g'],
  });

  it('are bound to the results that they read, and to no matrix', async () => {
    const results = await inferred(matrix);
    const { matrix: means, sha256 } = statedMeans(file);
    expect(sha256).toBe(inferenceDigest(results));
    const followed = followInputs({ ...inputs(means, true), inferenceSha256: () => sha256 });
    await weights.run(followed.inputs, { order: 'model-id' } as never);
    const about = await followed.about();
    expect(about).toMatchObject({ models: ['m0', 'm1'], matrix_sha256: null, inference_sha256: sha256 });
    const leaderboard = {
      models: ['m0', 'm1'],
      matrix_sha256: () => matrixDigest(matrix),
      inference_sha256: () => sha256,
    };
    expect(aboutDifferences(about, leaderboard, weights.needs.inputs)).toEqual([]);
    const other = { ...leaderboard, inference_sha256: () => 'f'.repeat(64) };
    expect(aboutDifferences(about, other, weights.needs.inputs)).toEqual([
      { at: 'about.inference_sha256', expected: 'f'.repeat(64), found: sha256 },
    ]);
    const neither = { ...about, inference_sha256: null };
    expect(aboutDifferences(neither, leaderboard, weights.needs.inputs)).toEqual([
      { at: 'about.matrix_sha256', expected: matrixDigest(matrix), found: 'none' },
    ]);
  });

  it('are refused where the document was changed, or pools its panels', async () => {
    const results = await inferred(matrix);
    const document = { schema: 'x', plan: {}, results };
    writeFileSync(file, JSON.stringify(document));
    expect(() => statedMeans(file)).toThrow(expect.objectContaining({ code: 'DIGEST_MISMATCH' }));
    await inferred(matrix, 'family');
    expect(() => statedMeans(file)).toThrow(/pool the panels/);
  });

  it('are not looked for in a released document, which is whole but in another form', () => {
    writeFileSync(file, pyStored(pySealed({ analysis: {}, score: pyFloat(50) })));
    expect(() => statedMeans(file)).toThrow(
      expect.objectContaining({
        code: 'SCHEMA_INVALID',
        hint: expect.stringContaining('that `flavourbench infer` wrote'),
      }),
    );
  });

  it.each([
    ['a label without a family', [{ label: 'f', tasks: 2 }], {}, /"f" does not tell its panel and family/],
    ['a missing mean', [{ label: 'p/f', tasks: 2 }], {}, /"m" has no mean of stratum "p\/f"/],
    ['a mean of no whole cells', [{ label: 'p/f', tasks: 2 }], { 'p/f': Math.SQRT2 }, /no whole cells/],
    ['a label of two readings', [{ label: 'p/x/f', tasks: 2 }], { 'p/x/f': 1 }, /"p\/x\/f" does not tell/],
  ])('are refused for %s', (_what, strata, means, message) => {
    const stated = { families: ['f', 'x/f'], strata, models: [{ id: 'm', means }] };
    expect(() => meansMatrix(stated, { file })).toThrow(message);
  });
});
