import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { philoxDraw } from '../../src/engine/index.js';
import { openArena } from '../../src/engine/wasm/arena.js';
import { kernelModule } from '../../src/engine/wasm/module.js';
import { bothEngines } from '../support/both-engines.js';
import { designOf } from '../support/golden-design.js';
import { buildDesign, designShape } from '../support/random-design.js';

describe('sign flips on the kernels', () => {
  const engines = bothEngines();

  it('count what the reference counts, over random designs, in 32 bits and past them', async () => {
    await fc.assert(
      fc.asyncProperty(
        designShape(120),
        fc.integer({ min: 1, max: 600 }),
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        async (shape, draws, seed) => {
          const design = buildDesign(shape);
          const random = { kind: 'philox', seed, stream: 1 } as const;
          const request = { draws, random, maxT: true };
          expect(await engines.wasm.flips(design, request)).toEqual(await engines.reference.flips(design, request));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('count what the reference counts over 2,000 clusters and 64 rows, totals past 2^53 and rounded weights', async () => {
    const base = { chance: true, degenerate: true, negative: true, seed: 5 };
    for (const [rows, tasks, largest, strata] of [
      [64, 2300, 10_000, 5],
      [3, 2000, 2 ** 45, 6],
      [3, 2000, 2 ** 50, 6],
    ] as const) {
      const design = buildDesign({ ...base, rows, tasks, largest, strata, clusters: 2000 });
      const random = { kind: 'philox', seed: 9n, stream: 1 } as const;
      const request = { draws: 37, random, maxT: true };
      const counts = await engines.wasm.flips(design, request);
      expect(counts).toEqual(await engines.reference.flips(design, request));
      if (largest === 2 ** 50) {
        expect(counts.weights.kind).toBe('rounded');
        expect(counts.weights.relativeError).toBeLessThan(0.5);
      }
    }
  });

  it('count what the reference counts where byte tables are built piece by piece', async () => {
    const shape = { rows: 40, tasks: 9000, clusters: 9000, strata: 2, chance: true };
    const design = buildDesign({
      ...shape,
      largest: 9,
      degenerate: false,
      negative: true,
      seed: 3,
    });
    const random = { kind: 'philox', seed: 1n, stream: 1 } as const;
    const request = { draws: 9, random };
    expect(await engines.wasm.flips(design, request)).toEqual(await engines.reference.flips(design, request));
  });

  it('count what the reference counts over more rows than a block of lanes holds, in 32 bits and past them', async () => {
    for (const [rows, largest] of [
      [66, 100],
      [139, 3],
      [140, 10_000],
      [75, 2 ** 40],
    ] as const) {
      const shape = { rows, tasks: 30, clusters: 30, strata: 1, chance: true, largest };
      const design = buildDesign({ ...shape, degenerate: true, negative: true, seed: rows });
      const random = { kind: 'philox', seed: 2n, stream: 1 } as const;
      const request = { draws: 101, random, maxT: true };
      expect(await engines.wasm.flips(design, request)).toEqual(await engines.reference.flips(design, request));
    }
  });

  it('count what the reference counts where sums past 32 bits lie nearer to what is observed than 32-bit floats tell', async () => {
    // Few values a great way apart, and ones and twos beside them: most draws come near to some pair's difference, many meet it.
    const table = Array.from({ length: 13 }, (_, m) =>
      Array.from({ length: 18 }, (_, t) => ((m * 5 + t * 3 + ((m * t) % 4)) % 3) * 2 ** 36 + ((m * 7 + t) % 3)),
    );
    // Rows that differ by one, and one that is another.
    table.push(
      table[0]!.map((value, t) => value + (t === 3 ? 1 : 0)),
      table[1]!,
    );
    const places = Array.from({ length: 18 }, (_, t) => t);
    for (const ranked of [15, 14]) {
      const design = designOf({ table, stratum: places.map((t) => (t < 7 ? 0 : 1)), cluster: places, ranked });
      for (const stepDown of [undefined, { alpha: 0.2 }]) {
        const random = { kind: 'philox', seed: 4n, stream: 1 } as const;
        const request = { draws: 3000, random, maxT: true, stepDown };
        const counts = await engines.wasm.flips(design, request);
        expect(counts).toEqual(await engines.reference.flips(design, request));
        expect(new Set(counts.pairs).size).toBeGreaterThan(20);
      }
    }
  });

  it('have the sign bits of the reference where the low word of the draw number runs over', () => {
    const clusters = 40;
    const words = 2;
    const { take, get, kernels } = openArena(kernelModule());
    const bits = take(16 * 128);
    kernels.philoxBits({
      ...{ bits, bitStride: 128, draws: 16, words, firstLow: 2 ** 32 - 9, firstHigh: 0 },
      ...{ stream: 1, seedLow: 5, seedHigh: 0 },
    });
    const made = get(bits, new Uint32Array(16 * 32));
    for (let d = 0; d < 16; d++) {
      const signs = philoxDraw({ seed: 5n, stream: 1, draw: 2 ** 32 - 9 + d }).signs(clusters);
      const read = Int8Array.from({ length: clusters }, (_, c) =>
        (made[d * 32 + (c >> 5)]! >>> (c & 31)) & 1 ? 1 : -1,
      );
      expect(read).toEqual(signs);
    }
  });

  it('count what the reference counts over all sign vectors', async () => {
    for (const tasks of [1, 2, 7, 9, 11]) {
      const shape = { rows: 5, tasks, clusters: tasks, strata: 1, chance: true, largest: 3 };
      const design = buildDesign({ ...shape, degenerate: true, negative: true, seed: tasks });
      const counts = await engines.wasm.exactFlips(design, { maxT: true });
      expect(counts).toEqual(await engines.reference.exactFlips(design, { maxT: true }));
      expect(counts.draws).toBe(2 ** tasks);
    }
  });

  it('count what the reference counts in the replayed NumPy stream, whatever the batch', async () => {
    await fc.assert(
      fc.asyncProperty(
        designShape(60),
        fc.integer({ min: 1, max: 120 }),
        fc.integer({ min: 1, max: 50 }),
        async (shape, draws, batch) => {
          const design = buildDesign(shape);
          const random = { kind: 'numpy', seed: BigInt(shape.seed), batch } as const;
          const request = { draws, random, maxT: true };
          expect(await engines.wasm.flips(design, request)).toEqual(await engines.reference.flips(design, request));
        },
      ),
      { numRuns: 40 },
    );
  });
});
