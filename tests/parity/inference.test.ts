import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Engine } from '../../src/engine/index.js';
import { runInference } from '../../src/inference/index.js';
import { inferenceResults } from '../../src/inference/inference-document.js';
import { canonicalDigest } from '../../src/io/canonical.js';
import { numbersIn, smallMatrix } from '../support/small-matrix.js';

let engines: readonly Engine[];
beforeAll(async () => {
  engines = await Promise.all([createEngine({ backend: 'reference' }), createEngine({ backend: 'wasm' })]);
});
afterAll(() => Promise.all(engines.map((engine) => engine.close())));

const cases = fc.record({
  models: fc.integer({ min: 1, max: 6 }),
  tasks: fc.integer({ min: 6, max: 30 }),
  values: fc.array(fc.integer({ min: -50, max: 10_000 }), { minLength: 30, maxLength: 200 }),
  clusters: fc.integer({ min: 1, max: 30 }),
  chance: fc.boolean(),
  alpha: fc.constantFrom(0.05, 0.2),
  draws: fc.integer({ min: 1, max: 700 }),
  flips: fc.integer({ min: 1, max: 700 }),
  mode: fc.constantFrom(
    { rng: 'philox', scheme: 'joint' } as const,
    { rng: 'philox', scheme: 'stratified' } as const,
    { rng: 'numpy', scheme: 'joint' } as const,
  ),
  strata: fc.constantFrom('family' as const, 'panel-family' as const),
  seed: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
});

describe('a whole inference', () => {
  it('has one results digest on every backend, and no number in it is NaN or infinite', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ models, tasks, values, mode, ...rest }) => {
        const at = (i: number) => values[(i * 7) % values.length]!;
        const matrix = smallMatrix({
          rows: Array.from({ length: models }, (_, m) => Array.from({ length: tasks }, (_, t) => at(m * tasks + t))),
          clusters: Array.from({ length: tasks }, (_, t) => `c${(t * 5) % rest.clusters}`),
          families: Array.from({ length: tasks }, (_, t) => ['pairing', 'fish', 'soup'][t % 3]!),
          panels: Array.from({ length: tasks }, (_, t) => `panel_${(t % 2) + 1}`),
          ...(rest.chance ? { chance: Array.from({ length: tasks }, (_, t) => at(t)) } : {}),
        });
        const { draws, flips, alpha, strata, seed } = rest;
        const plan = { draws, flips, alpha, strata, seed, ...mode };
        const outcomes = await Promise.all(
          engines.map((engine) =>
            runInference({ matrix, plan, engine }).then(
              (inference) => {
                const results = inferenceResults({ matrix, inference });
                for (const [path, value] of numbersIn(results)) expect(Number.isFinite(value), path).toBe(true);
                return canonicalDigest(results);
              },
              (error: { code: string }) => error.code,
            ),
          ),
        );
        expect(outcomes[1]).toBe(outcomes[0]);
        expect(outcomes[0]).toMatch(/^(?:[0-9a-f]{64}|STRATUM_EMPTY)$/);
      }),
      { numRuns: 60 },
    );
  });
});
