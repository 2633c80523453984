import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEngine, type Engine } from '../../src/engine/index.js';
import { bothEngines } from '../support/both-engines.js';
import { buildDesign, designShape, everything } from '../support/random-design.js';

describe('bootstraps on the kernels', () => {
  const engines = bothEngines();

  it('give the digits of the reference, over random designs, joint and stratified', async () => {
    await fc.assert(
      fc.asyncProperty(
        designShape(120),
        fc.integer({ min: 1, max: 300 }),
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        async (shape, draws, seed) => {
          const design = buildDesign(shape);
          expect(await everything(engines.wasm, design, draws, seed)).toEqual(
            await everything(engines.reference, design, draws, seed),
          );
        },
      ),
      { numRuns: 40 },
    );
  });

  it('say the largest number of draws that fits', async () => {
    const shape = { rows: 3, tasks: 20, clusters: 5, strata: 1, chance: false, largest: 100 };
    const design = buildDesign({ ...shape, degenerate: false, negative: false, seed: 1 });
    await expect(everything(engines.wasm, design, 1e9, 1n)).rejects.toMatchObject({
      code: 'BOUND_EXCEEDED',
      message: '1000000000 bootstrap draws: at most 71902354 fit in memory with 1 thread',
    });
  });

  it('give the digits of the reference over 2,000 clusters and 64 rows', async () => {
    for (const [rows, tasks, largest] of [
      [64, 2300, 10_000],
      [3, 2000, 2 ** 41],
    ] as const) {
      const shape = { rows, tasks, clusters: 2000, strata: 5, chance: true, largest };
      const design = buildDesign({ ...shape, degenerate: true, negative: true, seed: 5 });
      expect(await everything(engines.wasm, design, 37, 7n)).toEqual(
        await everything(engines.reference, design, 37, 7n),
      );
    }
  });

  it('give the digits of the reference in the replayed NumPy stream, redraws among them', async () => {
    let redraws = 0;
    await fc.assert(
      fc.asyncProperty(
        designShape(60),
        fc.integer({ min: 1, max: 120 }),
        fc.integer({ min: 1, max: 50 }),
        async (shape, draws, batch) => {
          const design = buildDesign(shape);
          const random = { kind: 'numpy', seed: BigInt(shape.seed), batch } as const;
          const run = (engine: Engine) =>
            engine
              .bootstrap(design, { draws, random, scheme: 'joint', probabilities: [0, 1] })
              .catch((error: Error) => error.message.replace(/draw \d+/, 'draw'));
          const result = await run(engines.wasm);
          expect(result).toEqual(await run(engines.reference));
          if (typeof result !== 'string') redraws += result.redraws;
        },
      ),
      { numRuns: 40 },
    );
    expect(redraws).toBeGreaterThan(0);
  });

  // scipy/scipy#14645, facebookarchive/bootstrapped#16: memory for draws x data at once.
  it('give the digits of the reference in several passes, when the values do not fit into memory', async () => {
    const shape = { rows: 9, tasks: 40, clusters: 35, strata: 2, chance: true, largest: 50 };
    const design = buildDesign({ ...shape, degenerate: true, negative: false, seed: 12 });
    const small = await createEngine({ backend: 'wasm', valueBytes: 4 * 8 * 520 });
    expect(await everything(small, design, 500, 1n)).toEqual(await everything(engines.wasm, design, 500, 1n));
    await small.close();
  });
});
