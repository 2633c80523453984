import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Engine } from '../../src/engine/index.js';
import { hasAdapter, noAdapterReason } from '../support/adapter.js';
import { buildDesign, designShape, everything } from '../support/random-design.js';

describe.skipIf(!hasAdapter)(`the backend webgpu gives the digits of the reference${noAdapterReason}`, () => {
  let reference: Engine;
  let device: Engine;
  beforeAll(async () => {
    reference = await createEngine({ backend: 'reference' });
    device = await createEngine({ backend: 'webgpu', threads: 2 });
  });
  afterAll(() => Promise.all([reference.close(), device.close()]));

  it('over random designs, narrow and wide', async () => {
    await fc.assert(
      fc.asyncProperty(
        designShape(70),
        fc.integer({ min: 1, max: 90 }),
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        async (shape, draws, seed) => {
          const design = buildDesign({ ...shape, rows: Math.min(shape.rows, 24) });
          expect(await everything(device, design, draws, seed)).toEqual(
            await everything(reference, design, draws, seed),
          );
        },
      ),
      { numRuns: 15 },
    );
  });

  it('with more clusters than one pass over the sign words, and 40 rows', async () => {
    const shape = { rows: 40, tasks: 400, clusters: 300, strata: 3, chance: true, largest: 10_000 };
    const design = buildDesign({ ...shape, degenerate: true, negative: true, seed: 11 });
    expect(await everything(device, design, 21, 9n)).toEqual(await everything(reference, design, 21, 9n));
  });

  it('over all sign vectors', async () => {
    const shape = { rows: 6, tasks: 9, clusters: 9, strata: 2, chance: true, largest: 2 };
    const design = buildDesign({ ...shape, degenerate: true, negative: false, seed: 4 });
    expect(await device.exactFlips(design, { maxT: true })).toEqual(await reference.exactFlips(design, { maxT: true }));
  });

  it('without a warning, for the device did it all', async () => {
    const shape = { rows: 5, tasks: 20, clusters: 20, strata: 2, chance: true, largest: 9 };
    const design = buildDesign({ ...shape, degenerate: false, negative: false, seed: 4 });
    const random = { kind: 'philox', seed: 1n, stream: 1 } as const;
    expect((await device.flips(design, { draws: 10, random })).warnings).toBeUndefined();
    const replay = { kind: 'numpy', seed: 1n, batch: 10 } as const;
    const { warnings, ...counts } = await device.flips(design, { draws: 30, random: replay });
    expect(warnings).toEqual([expect.stringContaining('replayed streams run on the processor')]);
    expect(counts).toEqual(await reference.flips(design, { draws: 30, random: replay }));
  });
});
