import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pairRuns } from '../../src/explorer/pair-runs.js';
import { PAIR_DECISIONS } from '../../src/inference/result.js';

/** Pairs of up to nine models, and an order of them. */
const designs = fc.integer({ min: 2, max: 9 }).chain((models) => {
  const pairs = (models * (models - 1)) / 2;
  return fc.record({
    models: fc.constant(models),
    decision: fc.array(fc.nat(PAIR_DECISIONS.length - 1), { minLength: pairs, maxLength: pairs }),
    difference: fc.array(fc.integer({ min: -100, max: 100 }), { minLength: pairs, maxLength: pairs }),
    order: fc.shuffledSubarray([...Array(models).keys()], { minLength: models }),
  });
});

describe('runs of pairs', () => {
  it('hold every pair of the order once, by its decision and its part of the largest difference', () => {
    fc.assert(
      fc.property(designs, ({ models, order, ...given }) => {
        const decision = Uint8Array.from(given.decision);
        // A pair that is told apart differs.
        const difference = Float64Array.from(given.difference, (points) => points || 1);
        const found = pairRuns(
          { decision, difference },
          order.map((index) => ({ index })),
        );
        const told = new Map<string, { decision: string; part: number }>();
        for (const { runs, ...look } of found.looks)
          for (const { row, from, to } of runs)
            for (let i = from; i < to; i += 1) {
              expect(told.has(`${i} ${row}`)).toBe(false);
              told.set(`${i} ${row}`, look);
            }
        expect(told.size).toBe(decision.length);
        const isApart = (code: number) => ['higher', 'lower'].includes(PAIR_DECISIONS[code]!);
        const apart = [...difference].filter((_, pair) => isApart(decision[pair]!)).map(Math.abs);
        expect(found.most).toBe(Math.max(0, ...apart));
        let pair = 0;
        for (let a = 0; a < models; a += 1)
          for (let b = a + 1; b < models; b += 1, pair += 1) {
            const [i, j] = [order.indexOf(a), order.indexOf(b)].sort((x, y) => x - y) as [number, number];
            const look = told.get(`${i} ${j}`)!;
            if (!isApart(decision[pair]!)) {
              expect(look).toEqual({ decision: PAIR_DECISIONS[decision[pair]!], part: 0 });
              continue;
            }
            expect(look.decision).toBe('higher');
            expect(Math.abs(look.part - Math.abs(difference[pair]!) / found.most)).toBeLessThanOrEqual(1 / 16 + 1e-9);
          }
      }),
    );
  });

  it('are few where the order is a good one', () => {
    const models = 300;
    const order = Array.from({ length: models }, (_, index) => ({ index }));
    const pairs = order.flatMap(({ index: a }) => order.slice(a + 1).map(({ index: b }) => b - a));
    const table = {
      decision: Uint8Array.from(pairs, (steps) => PAIR_DECISIONS.indexOf(steps > 20 ? 'higher' : 'open')),
      difference: Float64Array.from(pairs),
    };
    const { looks } = pairRuns(table, order);
    const runs = looks.reduce((sum, look) => sum + look.runs.length, 0);
    expect([pairs.length, runs <= 9 * models]).toEqual([44_850, true]);
  });
});
