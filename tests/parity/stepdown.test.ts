import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ClusterDesign, createEngine, type Engine, pairCount, pairIndex } from '../../src/engine/index.js';
import { bothEngines } from '../support/both-engines.js';
import { buildDesign, designShape, rankSetRequest } from '../support/random-design.js';

const random = { kind: 'philox', seed: 11n, stream: 2 } as const;

/** Rows far enough apart that some are told apart in later rounds. */
function spread(rows: number, clusters: number, seed: number, largest = 1000): ClusterDesign {
  const shape = { rows, tasks: clusters, clusters, strata: 1, chance: true, largest };
  const design = buildDesign({ ...shape, degenerate: true, negative: false, seed });
  return {
    ...design,
    partTotals: design.partTotals.map((total, at) => total + Math.round(((at % rows) ** 1.5 * largest) / 25)),
  };
}

describe('step-down on the kernels', () => {
  const engines = bothEngines();

  const flips = (engine: Engine, design: ClusterDesign, draws: number, alpha: number) =>
    engine.flips(design, { draws, random, stepDown: { alpha }, rankSets: rankSetRequest(design, alpha) });
  const bootstrap = (engine: Engine, design: ClusterDesign, draws: number, alpha: number) =>
    engine.bootstrap(design, {
      draws,
      random,
      scheme: 'stratified',
      probabilities: [],
      rankSets: rankSetRequest(design, alpha),
    });

  it('decides as the reference does, over random designs', async () => {
    await fc.assert(
      fc.asyncProperty(
        designShape(60),
        fc.integer({ min: 1, max: 300 }),
        fc.constantFrom(0.01, 0.05, 0.3, 0.9),
        async (shape, draws, alpha) => {
          const design = buildDesign({ ...shape, rows: Math.min(shape.rows, 16) });
          expect(await flips(engines.wasm, design, draws, alpha)).toEqual(
            await flips(engines.reference, design, draws, alpha),
          );
          expect(await bootstrap(engines.wasm, design, draws, alpha)).toEqual(
            await bootstrap(engines.reference, design, draws, alpha),
          );
        },
      ),
      { numRuns: 25 },
    );
  });

  it('decides as the reference does where rows are told apart in several rounds', async () => {
    let told = 0;
    for (const [rows, clusters, seed] of [
      [9, 40, 1],
      [17, 30, 2],
      [20, 12, 3],
    ] as const) {
      const design = spread(rows, clusters, seed);
      const counts = await flips(engines.wasm, design, 600, 0.05);
      expect(counts).toEqual(await flips(engines.reference, design, 600, 0.05));
      const drawn = await bootstrap(engines.wasm, design, 600, 0.05);
      expect(drawn).toEqual(await bootstrap(engines.reference, design, 600, 0.05));
      told += drawn.rankSets!.simultaneous.reduce((a, b) => a + b, 0);
    }
    expect(told).toBeGreaterThan(100);
  });

  it.each([13, 16, 22])(
    'finds which of few differing clusters could be told apart at best, of %i',
    async (clusters) => {
      const shape = { rows: 24, tasks: clusters, clusters, strata: 1, chance: true, largest: 1 };
      const design = buildDesign({ ...shape, degenerate: false, negative: false, seed: clusters });
      const request = { draws: 4000, random, stepDown: { alpha: 0.05 } };
      const counts = await engines.wasm.flips(design, request);
      expect(counts).toEqual(await engines.reference.flips(design, request));
      expect(new Set(counts.maxTStep!.attainable).size).toBe(2);
    },
  );

  it('decides as the reference does over many rows in no order, some pairs left out', async () => {
    const made = spread(71, 24, 3);
    const { rows, ranked } = made;
    const partTotals = made.partTotals.map((_, at) => made.partTotals[at - (at % rows) + (((at % rows) * 31) % 70)]!);
    const design = { ...made, partTotals };
    const excluded = Uint8Array.from({ length: pairCount(ranked) }, (_, pair) => (pair % 7 === 3 ? 1 : 0));
    const request = { draws: 90, random, maxT: true, stepDown: { alpha: 0.1, excluded } };
    const both = { ...request, rankSets: { alpha: 0.1, excluded } };
    expect(await engines.wasm.flips(design, both)).toEqual(await engines.reference.flips(design, both));
    const every = { ...request, stepDown: { alpha: 0.1 } };
    expect(await engines.wasm.flips(design, every)).toEqual(await engines.reference.flips(design, every));
  });

  it('decides over more rows than a block of lanes holds as over the few that are compared', async () => {
    const few = spread(10, 40, 4);
    const places = [3, 4, 120, 254, 255, 256, 257, 290, 299];
    const wide = spread(301, 40, 8);
    const { partTotals } = wide;
    for (let p = 0; p < 40; p++)
      places.forEach((row, k) => {
        partTotals[p * 301 + row] = few.partTotals[p * 10 + k]!;
      });
    const excluded = new Uint8Array(pairCount(300)).fill(1);
    for (const [k, j] of places.entries()) for (const i of places.slice(0, k)) excluded[pairIndex(i, j, 300)] = 0;
    const alpha = 0.1;
    const draws = 700;
    const none = new Uint8Array(pairCount(9));
    const ask = (engine: Engine, design: ClusterDesign, out: Uint8Array) => {
      const rankSets = { alpha, excluded: out };
      return Promise.all([
        engine.bootstrap(design, { draws, random, scheme: 'joint', probabilities: [], rankSets }),
        engine.flips(design, { draws, random, stepDown: { alpha, excluded: out }, rankSets }),
      ]);
    };
    const [boot, flipped] = await ask(engines.wasm, wide, excluded);
    const [fewBoot, fewFlipped] = await ask(engines.wasm, few, none);
    for (const [sets, expected] of [
      [boot.rankSets!, fewBoot.rankSets!],
      [flipped.rankSets!, fewFlipped.rankSets!],
    ] as const)
      for (const kind of ['simultaneous', 'marginalAbove', 'marginalBelow'] as const) {
        const own = places.flatMap((j) => places.map((k) => sets[kind][j * 300 + k]!));
        expect([kind, own]).toEqual([kind, [...expected[kind]]]);
      }
    expect(fewBoot.rankSets!.simultaneous.includes(1)).toBe(true);
    for (const [b, j] of places.entries())
      for (const [a, i] of places.slice(0, b).entries())
        for (const what of ['exceedances', 'attainable'] as const)
          expect([i, j, flipped.maxTStep![what][pairIndex(i, j, 300)]]).toEqual([
            i,
            j,
            fewFlipped.maxTStep![what][pairIndex(a, b, 9)],
          ]);
  });

  it('decides the same in tiles of draws, in blocks of rows and on threads', async () => {
    const design = spread(9, 40, 6);
    const stratified = { ...spread(9, 40, 6, 2 ** 33), strata: 2 };
    stratified.partStratum = stratified.partStratum.map((_, p) => (p < 17 ? 0 : 1));
    const expected = await Promise.all([
      flips(engines.wasm, design, 2600, 0.05),
      flips(engines.wasm, stratified, 2600, 0.05),
      bootstrap(engines.wasm, design, 2600, 0.05),
    ]);
    expect(expected[0]).toEqual(await flips(engines.reference, design, 2600, 0.05));
    expect(expected[1]).toEqual(await flips(engines.reference, stratified, 2600, 0.05));
    expect(expected[2]).toEqual(await bootstrap(engines.reference, design, 2600, 0.05));
    for (const other of [
      await createEngine({ backend: 'wasm', valueBytes: 40_000 }),
      await createEngine({ backend: 'pool', threads: 3 }),
    ]) {
      expect(await flips(other, design, 2600, 0.05)).toEqual(expected[0]);
      expect(await flips(other, stratified, 2600, 0.05)).toEqual(expected[1]);
      expect(await bootstrap(other, design, 2600, 0.05)).toEqual(expected[2]);
      await other.close();
    }
  });

  it('decides as the reference does over all sign vectors', async () => {
    for (const clusters of [1, 4, 9]) {
      const design = spread(6, clusters, clusters, 20);
      const request = { stepDown: { alpha: 0.05 }, rankSets: rankSetRequest(design, 0.05) };
      expect(await engines.wasm.exactFlips(design, request)).toEqual(
        await engines.reference.exactFlips(design, request),
      );
    }
  });

  it('rejects at least what single-step max-T rejects, and keeps p in order', async () => {
    const design = spread(12, 40, 5);
    const { ranked } = design;
    const draws = 999;
    const { maxT, maxTStep } = await engines.wasm.flips(design, {
      draws,
      random,
      maxT: true,
      stepDown: { alpha: 0.05 },
    });
    let more = 0;
    for (let pair = 0; pair < pairCount(ranked); pair++) {
      expect(maxTStep!.exceedances[pair]).toBeLessThanOrEqual(maxT![pair]!);
      if (maxT![pair]! >= 49 && maxTStep!.exceedances[pair]! < 49) more++;
    }
    expect(more).toBeGreaterThan(0);
  });

  it('compares only what is not left out: those with one row need less than all pairs do', async () => {
    const design = spread(10, 40, 11);
    const { ranked } = design;
    const pairs = pairCount(ranked);
    const excluded = new Uint8Array(pairs).fill(1);
    for (let k = 1; k < ranked; k++) excluded[pairIndex(0, k, ranked)] = 0;
    const request = { draws: 700, random, stepDown: { alpha: 0.05, excluded } };
    const { maxTStep } = await engines.wasm.flips(design, request);
    expect(maxTStep).toEqual((await engines.reference.flips(design, request)).maxTStep);
    const all = (await engines.reference.flips(design, { ...request, stepDown: { alpha: 0.05 } })).maxTStep!;
    let fewer = 0;
    for (let pair = 0; pair < pairs; pair++)
      if (excluded[pair]) expect(maxTStep!.exceedances[pair]).toBe(700);
      else if (maxTStep!.exceedances[pair]! < all.exceedances[pair]!) fewer++;
    expect(fewer).toBeGreaterThan(0);
  });

  it('says that a pair of few clusters is out of reach', async () => {
    // Rows 0 and 1 differ in one cluster only: a flip never changes the size of their difference.
    const design = spread(4, 8, 7);
    const partTotals = design.partTotals.slice();
    for (let p = 0; p < 8; p++) partTotals[p * 4 + 1] = partTotals[p * 4]! + (p === 3 ? 500 : 0);
    const counts = await engines.wasm.exactFlips({ ...design, partTotals }, { stepDown: { alpha: 0.05 } });
    expect(counts.maxTStep!.attainable[pairIndex(0, 1, 3)]).toBe(0);
    expect(counts.maxTStep!.attainable[pairIndex(0, 2, 3)]).toBe(1);
  });

  it('never separates a pair that is left out, and both orders never', async () => {
    const design = spread(8, 40, 3);
    const request = rankSetRequest(design, 0.2);
    const { rankSets } = await bootstrap(engines.wasm, design, 500, 0.2);
    const { ranked } = design;
    for (let j = 0; j < ranked; j++)
      for (let k = j + 1; k < ranked; k++) {
        const above = rankSets!.simultaneous[j * ranked + k]!;
        const below = rankSets!.simultaneous[k * ranked + j]!;
        expect(above + below).toBeLessThanOrEqual(request.excluded[pairIndex(j, k, ranked)] ? 0 : 1);
        expect(rankSets!.marginalAbove[j * ranked + k]).toBeGreaterThanOrEqual(above);
        expect(rankSets!.marginalBelow[j * ranked + k]).toBeGreaterThanOrEqual(below);
      }
  });
});
