import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Engine } from '../../src/engine/index.js';
import { openBuffers, openDevice, openPass } from '../../src/engine/webgpu/device.js';
import { hasAdapter, noAdapterReason } from '../support/adapter.js';
import { buildDesign, designShape, everything } from '../support/random-design.js';

/** Counts how often each workgroup ran, numbered as the kernels number theirs. */
const COUNT_GROUPS = `
@group(0) @binding(0) var<storage, read_write> runs: array<atomic<u32>>;
@compute @workgroup_size(1)
fn count(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let id = group.y * groups.x + group.x;
  if (id < 70001u) { atomicAdd(&runs[id], 1u); }
}`;

describe.skipIf(!hasAdapter)(`the backend webgpu gives the digits of the reference${noAdapterReason}`, () => {
  let reference: Engine;
  let device: Engine;
  beforeAll(async () => {
    reference = await createEngine({ backend: 'reference' });
    device = await createEngine({ backend: 'webgpu', threads: 2 });
  });
  afterAll(() => Promise.all([reference.close(), device.close()]));

  // scikit-bio/scikit-bio#2509: sums in float32 were five percent off. Here they are integers.
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

  // tensorflow/tfjs#8373, pytorch/executorch#20583: at most 65,535 workgroups in one dimension.
  it('with more workgroups than one dimension of a dispatch takes: none is left out, none runs twice', async () => {
    const groups = 70_001;
    const dawn = { gpu: ((await import('webgpu')) as unknown as { create(options: string[]): GPU }).create([]) };
    const opened = await openDevice(dawn.gpu);
    expect(opened.limits.maxComputeWorkgroupsPerDimension).toBeLessThan(groups);
    const buffers = openBuffers(opened);
    const runs = buffers.output(4 * groups);
    const encoder = opened.device.createCommandEncoder();
    openPass(opened, COUNT_GROUPS, 'count', [0]).encode(encoder, [runs], groups);
    opened.device.queue.submit([encoder.finish()]);
    const counts = new Uint32Array(await buffers.read(runs, 4 * groups));
    expect(counts.length).toBe(groups);
    expect(counts.every((count) => count === 1)).toBe(true);
    buffers.free();
    opened.device.destroy();
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
