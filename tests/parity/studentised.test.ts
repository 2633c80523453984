import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Engine, type StudentisedRequest } from '../../src/engine/index.js';
import { buildDesign, designShape } from '../support/random-design.js';

const request = (draws: number, more: Partial<StudentisedRequest> = {}): StudentisedRequest => ({
  ...{ draws, random: { kind: 'philox', seed: 20260820n, stream: 0 }, scheme: 'joint', tail: 0.025 },
  ...more,
});
const shape = { rows: 5, tasks: 40, clusters: 12, strata: 1, chance: false, largest: 100 };
const plain = { ...shape, degenerate: false, negative: false, seed: 4 };

const said = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    const { warnings: _, ...rest } = (await work) as { warnings?: unknown };
    return rest;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('studentised draws', () => {
  let reference: Engine;
  let others: Engine[];
  beforeAll(async () => {
    reference = await createEngine({ backend: 'reference' });
    others = await Promise.all([
      createEngine({ backend: 'wasm' }),
      // Eight rows at a time, so that draws are made again.
      createEngine({ backend: 'wasm', valueBytes: 1 }),
      createEngine({ backend: 'pool', threads: 2 }),
      createEngine({ backend: 'pool', threads: 3 }),
    ]);
  });
  afterAll(() => Promise.all([reference, ...others].map((engine) => engine.close())));

  const same = async (design: Parameters<Engine['studentised']>[0], asked: StudentisedRequest): Promise<unknown> => {
    const expected = await said(reference.studentised(design, asked));
    for (const engine of others) expect(await said(engine.studentised(design, asked))).toEqual(expected);
    return expected;
  };

  it('have the digits of the reference on every backend, over random designs', async () => {
    let summaries = 0;
    const scheme = fc.constantFrom('joint', 'stratified');
    await fc.assert(
      fc.asyncProperty(designShape(90), fc.integer({ min: 1, max: 700 }), scheme, async (drawn, draws, how) => {
        const design = buildDesign({ ...drawn, rows: Math.min(drawn.rows, 20) });
        if (typeof (await same(design, request(draws, { scheme: how }))) !== 'string') summaries += 1;
      }),
      { numRuns: 14 },
    );
    expect(summaries).toBeGreaterThan(6);
  });

  it.each([
    ['0 and 1, so that many draws have no error', { ...plain, largest: 1, clusters: 6, tasks: 7 }],
    ['equal clusters', { ...plain, clusters: 40 }],
    ['clusters that span strata', { ...plain, strata: 3 }],
    ['strata of one cluster', { ...plain, tasks: 5, clusters: 5, strata: 4 }],
    ['one cluster', { ...plain, clusters: 1 }],
    [
      'rows past one tile, some constant, some equal, below zero',
      { ...plain, rows: 19, degenerate: true, negative: true },
    ],
    ['totals past the integers of doubles', { ...plain, largest: 2 ** 46 }],
  ] as const)('have them for %s', async (_, given) => {
    const design = buildDesign(given);
    for (const scheme of ['joint', 'stratified'] as const)
      expect(await same(design, request(900, { scheme }))).toHaveProperty('quantiles');
  });

  it.each([
    ['jointly', { ...plain, tasks: 9, clusters: 5 }, 'joint'],
    ['over strata that clusters span', { ...plain, tasks: 14, clusters: 5, strata: 2, largest: 1 }, 'joint'],
    ['stratum by stratum', { ...plain, tasks: 8, clusters: 6, strata: 2 }, 'stratified'],
  ] as const)('have them when all multisets are taken %s', async (_, given, scheme) => {
    const asked = request(20_000, { scheme, enumerate: true, tail: 0.05 });
    expect(await same(buildDesign(given), asked)).toHaveProperty('quantiles');
  });

  it('are refused where they are none', async () => {
    const design = buildDesign(plain);
    for (const engine of [reference, others[0]!])
      for (const wrong of [{ draws: 0 }, { tail: 0.5 }, { random: { kind: 'numpy', seed: 1n, batch: 10 } as const }])
        await expect(engine.studentised(design, request(10, wrong))).rejects.toMatchObject({ code: 'USAGE' });
  });
});
