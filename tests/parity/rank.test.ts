import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bothEngines } from '../support/both-engines.js';
import { buildDesign, designShape } from '../support/random-design.js';

describe('ranks on the kernels', () => {
  const engines = bothEngines();

  const random = { kind: 'philox', seed: 1n, stream: 0 } as const;
  const request = { draws: 65, random, scheme: 'joint', probabilities: [] } as const;

  it.each([
    ['by pairs', 31, 'ordinal'],
    ['by pairs', 31, 'shared'],
    ['by sorting', 150, 'ordinal'],
    ['by sorting', 150, 'shared'],
  ] as const)('%s of %i rows, many of them equal, are those of the reference: %s', async (_, rows, ranks) => {
    const shape = { rows, tasks: 12, clusters: 12, strata: 1, chance: true, largest: 3 };
    const design = buildDesign({ ...shape, degenerate: true, negative: false, seed: 2 });
    const counted = await engines.wasm.bootstrap(design, { ...request, ranks });
    expect(counted).toEqual(await engines.reference.bootstrap(design, { ...request, ranks }));
    expect(counted.rankCounts === null).toBe(ranks === 'shared');
  });

  it.each(['ordinal', 'shared'] as const)(
    'of rows that crowd beside one far away are those of the reference: %s',
    async (ranks) => {
      const shape = { rows: 90, tasks: 12, clusters: 12, strata: 1, chance: false, largest: 30 };
      const made = buildDesign({ ...shape, degenerate: true, negative: false, seed: 6 });
      const design = {
        ...made,
        partTotals: made.partTotals.map((total, at) => (at % 90 === 40 ? total + 1e9 : total)),
      };
      expect(await engines.wasm.bootstrap(design, { ...request, ranks })).toEqual(
        await engines.reference.bootstrap(design, { ...request, ranks }),
      );
    },
  );

  it('take the whole range of a group of equal rows: best first, worst last', async () => {
    const shape = { rows: 4, tasks: 9, clusters: 9, strata: 1, chance: false, largest: 0 };
    const design = buildDesign({ ...shape, degenerate: false, negative: false, seed: 3 });
    const { bestRankCounts, worstRankCounts } = await engines.wasm.bootstrap(design, { ...request, ranks: 'shared' });
    for (let m = 0; m < 4; m++) {
      expect([...bestRankCounts!.subarray(4 * m, 4 * m + 4)]).toEqual([65, 0, 0, 0]);
      expect([...worstRankCounts!.subarray(4 * m, 4 * m + 4)]).toEqual([0, 0, 0, 65]);
    }
  });

  it('follow the rows when these change places', async () => {
    await fc.assert(
      fc.asyncProperty(designShape(30), fc.constantFrom(1, 3, 100), async (shape, largest) => {
        const design = buildDesign({ ...shape, rows: Math.min(shape.rows, 12), largest, chance: false });
        const { rows, partTotals } = design;
        const turned = partTotals.map((_, at) => partTotals[at - (at % rows) + (rows - 1 - (at % rows))]!);
        const scheme = 'stratified';
        const here = await engines.wasm.bootstrap(design, { ...request, scheme, ranks: 'shared' });
        const there = await engines.wasm.bootstrap(
          { ...design, partTotals: turned },
          { ...request, scheme, ranks: 'shared' },
        );
        for (const counts of ['bestRankCounts', 'worstRankCounts'] as const)
          for (let m = 0; m < rows; m++) {
            const row = here[counts]!.subarray(m * rows, (m + 1) * rows);
            expect(there[counts]!.subarray((rows - 1 - m) * rows, (rows - m) * rows)).toEqual(row);
          }
      }),
      { numRuns: 25 },
    );
  });
});
