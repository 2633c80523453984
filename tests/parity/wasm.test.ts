import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Engine } from '../../src/engine/index.js';
import { goldenDesign } from '../support/golden-design.js';
import { buildDesign, designShape, everything } from '../support/random-design.js';
import { noShared } from '../support/shared.js';

describe('wasm gives the digits of the reference', () => {
  let reference: Engine;
  let wasm: Engine;
  beforeAll(async () => {
    reference = await createEngine({ backend: 'reference' });
    wasm = await createEngine({ backend: 'wasm' });
  });
  afterAll(() => Promise.all([reference.close(), wasm.close()]));

  it('over random designs', async () => {
    await fc.assert(
      fc.asyncProperty(
        designShape(120),
        fc.integer({ min: 1, max: 300 }),
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        async (shape, draws, seed) => {
          const design = buildDesign(shape);
          expect(await everything(wasm, design, draws, seed)).toEqual(
            await everything(reference, design, draws, seed),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it('up to 2,000 clusters and 64 rows', async () => {
    for (const [rows, tasks, largest] of [
      [64, 2300, 10_000],
      [3, 2000, 2 ** 45],
    ] as const) {
      const shape = { rows, tasks, clusters: 2000, strata: 5, chance: true, largest };
      const design = buildDesign({ ...shape, degenerate: true, negative: true, seed: 5 });
      expect(await everything(wasm, design, 37, 7n)).toEqual(
        await everything(reference, design, 37, 7n),
      );
    }
  });

  it('over all sign vectors', async () => {
    for (const tasks of [1, 2, 7, 9, 11]) {
      const shape = { rows: 5, tasks, clusters: tasks, strata: 1, chance: true, largest: 3 };
      const design = buildDesign({ ...shape, degenerate: true, negative: true, seed: tasks });
      const counts = await wasm.exactFlips(design, { maxT: true });
      expect(counts).toEqual(await reference.exactFlips(design, { maxT: true }));
      expect(counts.draws).toBe(2 ** tasks);
    }
  });

  it('in the replayed NumPy streams', async () => {
    await fc.assert(
      fc.asyncProperty(
        designShape(60),
        fc.integer({ min: 1, max: 120 }),
        fc.integer({ min: 1, max: 50 }),
        async (shape, draws, batch) => {
          const design = buildDesign(shape);
          const random = { kind: 'numpy', seed: BigInt(shape.seed), batch } as const;
          const run = async (engine: Engine) => [
            await engine
              .bootstrap(design, { draws, random, scheme: 'joint', probabilities: [0, 1] })
              .catch((error: Error) => error.message.replace(/draw \d+/, 'draw')),
            await engine.flips(design, { draws, random }),
          ];
          expect(await run(wasm)).toEqual(await run(reference));
        },
      ),
      { numRuns: 30 },
    );
  });

  it.skipIf(noShared)('in passes when the values do not fit', async () => {
    const design = goldenDesign('c', 'panel-family');
    const small = await createEngine({ backend: 'wasm', valueBytes: 3 * 8 * 500 });
    expect(await everything(small, design, 500, 1n)).toEqual(
      await everything(wasm, design, 500, 1n),
    );
    await small.close();
  });

  it('with tails that are found by scanning', async () => {
    const shape = { rows: 4, tasks: 30, clusters: 30, strata: 2, chance: true, largest: 9 };
    const design = buildDesign({ ...shape, degenerate: true, negative: false, seed: 2 });
    const request = {
      draws: 5000,
      random: { kind: 'philox', seed: 1n, stream: 0 },
      scheme: 'joint',
      probabilities: [0.0005, 0.025, 0.975, 0.9999],
      pairs: true,
    } as const;
    expect(await wasm.bootstrap(design, request)).toEqual(
      await reference.bootstrap(design, request),
    );
  });
});
