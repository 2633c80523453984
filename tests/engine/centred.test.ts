import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClusterDesign, createEngine, type Engine, pairIndex } from '../../src/engine/index.js';
import { buildDesign, designShape, rankSetRequest } from '../support/random-design.js';

const base = { chance: false, degenerate: false, negative: true } as const;

/** Share of sign vectors whose |sum| of residuals reaches |T|, in plain floating point from the formulas (decisions 3.2). */
function shareByFormula(design: ClusterDesign, i: number, j: number): number {
  const { rows, clusters, strata, partCluster, partStratum, partTasks, partTotals } = design;
  const D = Float64Array.from(partCluster, (_, p) => partTotals[p * rows + i]! - partTotals[p * rows + j]!);
  const of = (s: number) => [...partStratum.keys()].filter((p) => partStratum[p] === s);
  const sum = (list: number[], value: (p: number) => number) => list.reduce((a, p) => a + value(p), 0);
  const w = 1 / strata;
  const all = Array.from({ length: strata }, (_, s) => s);
  const size = all.map((s) => of(s).length);
  const tasks = all.map((s) => sum(of(s), (p) => partTasks[p]!));
  const mean = all.map((s) => sum(of(s), (p) => D[p]!) / tasks[s]!);
  const T = sum(all, (s) => w * mean[s]!);
  const q = sum(all, (s) => w ** 2 / size[s]!);
  const residual = new Float64Array(clusters);
  partCluster.forEach((c, p) => {
    const s = partStratum[p]!;
    const mu = mean[s]! - (T * w) / size[s]! / q;
    const g = 1 / Math.sqrt(1 - (1 / size[s]! - (w / size[s]!) ** 2 / q));
    residual[c]! += ((g * w) / tasks[s]!) * (D[p]! - mu * partTasks[p]!);
  });
  let reached = 0;
  for (let k = 0; k < 2 ** clusters; k++) {
    const value = residual.reduce((a, r, c) => a + ((k >>> c) & 1 ? r : -r), 0);
    if (Math.abs(value) >= Math.abs(T)) reached++;
  }
  return reached;
}

describe('the centred test', () => {
  let reference: Engine;
  let wasm: Engine;
  beforeAll(async () => {
    reference = await createEngine({ backend: 'reference' });
    wasm = await createEngine({ backend: 'wasm' });
  });
  afterAll(() => Promise.all([reference.close(), wasm.close()]));

  it('counts the sign vectors that the formulas count, nested and spanning strata', async () => {
    for (const [tasks, clusters, strata, seed] of [
      [12, 12, 6, 1],
      [18, 9, 3, 2],
      [40, 10, 4, 3],
      [11, 11, 2, 4],
    ] as const) {
      const design = buildDesign({ ...base, rows: 4, tasks, clusters, strata, largest: 10_000, seed });
      const counts = await reference.exactFlips(design, { test: 'centred' });
      expect(counts.weights.kind).toBe('exact');
      for (let i = 0; i < 4; i++)
        for (let j = i + 1; j < 4; j++)
          expect([i, j, counts.pairs[pairIndex(i, j, 4)]]).toEqual([i, j, shareByFormula(design, i, j)]);
    }
  });

  it('is the plain test, bit for bit, with one stratum', async () => {
    await fc.assert(
      fc.asyncProperty(designShape(60), fc.integer({ min: 1, max: 200 }), async (shape, draws) => {
        const design = buildDesign({ ...shape, rows: Math.min(shape.rows, 8), strata: 1 });
        const request = {
          draws,
          random: { kind: 'philox', seed: 5n, stream: 1 },
          maxT: true,
          stepDown: { alpha: 0.1 },
          rankSets: rankSetRequest(design, 0.1),
        } as const;
        expect(await wasm.flips(design, { ...request, test: 'centred' })).toEqual(await wasm.flips(design, request));
      }),
      { numRuns: 15 },
    );
  });

  it('gives the digits of the reference, rounded past 2^62 too', async () => {
    const kinds = new Set<string>();
    for (const [largest, tasks, strata] of [
      [3, 30, 2],
      [10_000, 120, 6],
      [2 ** 40, 90, 5],
    ] as const) {
      const design = buildDesign({ ...base, rows: 6, tasks, clusters: 20, strata, largest, degenerate: true, seed: 9 });
      const request = {
        draws: 300,
        random: { kind: 'philox', seed: 5n, stream: 1 },
        test: 'centred',
        maxT: true,
        stepDown: { alpha: 0.3 },
        rankSets: rankSetRequest(design, 0.2),
      } as const;
      const counts = await wasm.flips(design, request);
      expect(counts).toEqual(await reference.flips(design, request));
      kinds.add(counts.weights.kind);
    }
    expect([...kinds].sort()).toEqual(['exact', 'rounded']);
  });

  it('finds a shift that strata far apart hide from the plain test', async () => {
    const clusters = 50;
    const design = {
      rows: 2,
      ranked: 2,
      clusters,
      strata: 2,
      scale: 1,
      partCluster: Int32Array.from({ length: clusters }, (_, c) => c),
      partStratum: Int32Array.from({ length: clusters }, (_, c) => (c < 25 ? 0 : 1)),
      partTasks: new Int32Array(clusters).fill(1),
      partTotals: Float64Array.from({ length: 2 * clusters }, (_, at) =>
        at % 2 ? 0 : 50 + (at < clusters ? 600 : -600) + (((at / 2) * 37) % 25) * 8 - 96,
      ),
    };
    const flips = { draws: 2000, random: { kind: 'philox', seed: 5n, stream: 1 } } as const;
    const plain = await wasm.flips(design, flips);
    const centred = await wasm.flips(design, { ...flips, test: 'centred' });
    expect(plain.pairs[0]! / 2000).toBeGreaterThan(0.3);
    expect(centred.pairs[0]! / 2000).toBeLessThan(0.001);
  });

  it('is refused in a replay', async () => {
    const design = buildDesign({ ...base, rows: 2, tasks: 9, clusters: 9, strata: 2, largest: 9, seed: 1 });
    const random = { kind: 'numpy', seed: 1n, batch: 10 } as const;
    await expect(wasm.flips(design, { draws: 10, random, test: 'centred' })).rejects.toMatchObject({ code: 'USAGE' });
    await expect(wasm.flips(design, { draws: 10, random, stepDown: { alpha: 0.1 } })).rejects.toThrow('step-down');
  });
});
