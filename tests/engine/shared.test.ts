import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Engine } from '../../src/engine/index.js';
import { sharedEngine } from '../../src/engine/shared.js';
import type { PlacedPart } from '../../src/shares/shares.js';
import { mergedShares, recordingShares } from '../../src/shares/shares.js';
import { buildDesign, designShape, everything, rankSetRequest } from '../support/random-design.js';

let engines: Engine[];
beforeAll(async () => {
  engines = await Promise.all((['reference', 'wasm'] as const).map((backend) => createEngine({ backend })));
});
afterAll(() => Promise.all(engines.map((engine) => engine.close())));

const HEAD = { version: '', kernels: '', call: [''], inputs: [] };

/** What shards of some work over an engine come to. */
async function partsOf(
  engine: Engine,
  count: number,
  work: (engine: Engine) => Promise<unknown>,
): Promise<PlacedPart[]> {
  const parts: PlacedPart[] = [];
  for (let index = 1; index <= count; index += 1) {
    const shares = recordingShares({ index, count });
    await work(sharedEngine(engine, shares));
    parts.push({ file: `part-${index}`, part: { ...HEAD, shard: { index, count }, pieces: shares.recorded } });
  }
  return parts;
}

/** An engine that makes no draw itself. */
const idle = (engine: Engine): Engine => ({
  ...engine,
  bootstrapValues: () => Promise.reject(new Error('drew again')),
});

describe('an engine whose draws are done by shares', () => {
  it('gives the digits of one that does them all, over random designs', async () => {
    await fc.assert(
      fc.asyncProperty(
        designShape(60),
        fc.integer({ min: 1, max: 400 }),
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        fc.integer({ min: 1, max: 5 }),
        async (shape, draws, seed, count) => {
          const design = buildDesign({ ...shape, rows: Math.min(shape.rows, 12) });
          for (const engine of engines) {
            const all = (by: Engine) => everything(by, design, draws, seed);
            const expected = await all(engine);
            // Where strata are so small that no draw counts, a call ends with that error, and so does each share of it: there is nothing to merge.
            fc.pre(Object.values(expected).every((result) => typeof result !== 'string'));
            const parts = await partsOf(engine, count, all);
            expect(await all(sharedEngine(idle(engine), mergedShares(parts.toReversed())))).toEqual(expected);
          }
        },
      ),
      { numRuns: 12 },
    );
  });

  it.each([
    ['an odd number of shares', 700, 300, 7, 0],
    ['shares of which some have no draw', 3, 2, 5, 1],
    ['more shares than draws', 2, 1, 11, 9],
    ['one share', 90, 40, 1, 0],
  ])('steps down from counts of shares as from its own: %s', async (_, flipDraws, draws, count, empty) => {
    const shape = { rows: 9, tasks: 40, clusters: 30, strata: 2, chance: false, largest: 100 };
    const design = buildDesign({ ...shape, degenerate: false, negative: false, seed: 8 });
    const random = { kind: 'philox', seed: 5n, stream: 1 } as const;
    const rankSets = rankSetRequest(design, 0.05);
    const flips = { draws: flipDraws, random, maxT: true, stepDown: { alpha: 0.05 }, rankSets };
    const drawn = { draws, random, scheme: 'joint', probabilities: [0.1], rankSets } as const;
    const work = async (by: Engine) => [await by.flips(design, flips), await by.bootstrap(design, drawn)];
    for (const engine of engines) {
      const parts = await partsOf(engine, count, work);
      expect(await work(sharedEngine(engine, mergedShares(parts)))).toEqual(await work(engine));
      expect(parts.filter(({ part }) => part.pieces.length === 0)).toHaveLength(empty);
    }
  });

  it('forms in a share nothing that all draws decide', async () => {
    const shape = { rows: 5, tasks: 20, clusters: 20, strata: 1, chance: false, largest: 100 };
    const design = buildDesign({ ...shape, degenerate: false, negative: false, seed: 3 });
    const random = { kind: 'philox', seed: 5n, stream: 1 } as const;
    const rankSets = rankSetRequest(design, 0.05);
    const asked: object[] = [];
    const engine = engines[1]!;
    const watched: Engine = {
      ...engine,
      flips(of, request) {
        asked.push(request);
        return engine.flips(of, request);
      },
      bootstrap(of, request) {
        asked.push(request);
        return engine.bootstrap(of, request);
      },
    };
    const share = sharedEngine(watched, recordingShares({ index: 2, count: 3 }));
    const flips = { draws: 90, random, maxT: true, stepDown: { alpha: 0.05 }, rankSets };
    const { maxTStep, rankSets: sets } = await share.flips(design, flips);
    await share.bootstrap(design, { draws: 90, random, scheme: 'joint', probabilities: [0.1], rankSets });
    expect(asked).toHaveLength(2);
    for (const request of asked) {
      expect(request).not.toHaveProperty('stepDown.alpha');
      expect(request).not.toHaveProperty('rankSets.alpha');
    }
    expect([...maxTStep!.exceedances]).toEqual(Array(10).fill(90));
    expect(sets!.simultaneous).toEqual(new Uint8Array(25));
  });

  it('makes no share of a replayed stream', async () => {
    const shape = { rows: 3, tasks: 9, clusters: 9, strata: 1, chance: false, largest: 9 };
    const design = buildDesign({ ...shape, degenerate: false, negative: false, seed: 1 });
    const share = sharedEngine(engines[1]!, recordingShares({ index: 1, count: 2 }));
    const random = { kind: 'numpy', seed: 12n, batch: 77 } as const;
    await expect(share.flips(design, { draws: 100, random })).rejects.toMatchObject({ code: 'USAGE' });
  });
});

describe('numbers of parts', () => {
  const key = 'a'.repeat(64);
  const work = {
    ...{ what: 'units', key: () => key, units: 4 },
    lengths: (_: number, count: number) => ({ made: count }),
    range: async (first: number, count: number) => ({
      made: Float64Array.from({ length: count }, (_, k) => first + k),
    }),
  };
  const piece = { what: 'units', key, units: 4, count: 2, arrays: { made: Float64Array.of(7, 8) } };
  const part = (index: number, ...pieces: readonly (typeof piece)[]): PlacedPart => ({
    file: `part-${index}`,
    part: { ...HEAD, shard: { index, count: 2 }, pieces: pieces.map((one) => ({ first: 2 * (index - 1), ...one })) },
  });

  it('are taken in the order of shards', async () => {
    const made = await mergedShares([
      part(2, { ...piece, arrays: { made: Float64Array.of(1, 2) } }),
      part(1, piece),
    ]).pieces(work);
    expect(made.map(({ made: numbers }) => [...numbers!])).toEqual([
      [7, 8],
      [1, 2],
    ]);
  });

  it('are not made again where no part has them', async () => {
    await expect(mergedShares([part(1), part(2)]).pieces(work)).rejects.toMatchObject({
      code: 'SHARDS_DIFFER',
      where: { file: 'part-1' },
    });
  });

  it.each([
    ['that one part lacks', [part(1, piece), part(2)], 'part-2', 'lacks its units'],
    [
      'of another name',
      [part(1, { ...piece, arrays: { other: Float64Array.of(1, 2) } as never }), part(2, piece)],
      'part-1',
      'numbers other',
    ],
    [
      'too few',
      [part(1, piece), part(2, { ...piece, arrays: { made: Float64Array.of(1) } })],
      'part-2',
      '2 are expected',
    ],
    [
      'that are none',
      [part(1, piece), part(2, { ...piece, arrays: { made: Float64Array.of(1, Number.NaN) } })],
      'part-2',
      'number 2',
    ],
    ['of another number of units', [part(1, { ...piece, units: 5 }), part(2, piece)], 'part-1', 'of 5 units'],
  ])('%s are refused', async (_, parts, file, words) => {
    await expect(mergedShares(parts).pieces(work)).rejects.toMatchObject({
      code: 'PART_INVALID',
      where: { file },
      message: expect.stringContaining(words),
    });
  });
});
