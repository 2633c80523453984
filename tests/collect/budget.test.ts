import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeBudget } from '../../src/collect/budget.js';

const start = { spentMicros: 0, spentTokens: 0, uncertainMicros: 0 };

describe('a budget with a hard cap', () => {
  it('admits what fits, waits for reservations that may come back, then refuses for good', async () => {
    const budget = makeBudget({ ...start, capMicros: 100, capTokens: null });
    const hold = { micros: 60, tokens: 1 };
    expect(await budget.reserve(hold)).toBe(true);
    const second = budget.reserve(hold);
    budget.settle(hold, { micros: 10, tokens: 1, uncertain: false });
    expect(await second).toBe(true);
    budget.settle(hold, { micros: 50, tokens: 1, uncertain: false });
    expect(await budget.reserve(hold)).toBe(false);
    expect(await budget.reserve({ micros: 1, tokens: 0 })).toBe(false);
    expect(budget.state()).toMatchObject({ spentMicros: 60, heldMicros: 0, exhausted: true });
  });

  it('keeps the reservation of a request whose fate nobody knows', async () => {
    const budget = makeBudget({ ...start, capMicros: 100, capTokens: null });
    const hold = { micros: 70, tokens: 0 };
    await budget.reserve(hold);
    budget.settle(hold, { micros: 0, tokens: 0, uncertain: true });
    expect(budget.state()).toMatchObject({ spentMicros: 0, uncertainMicros: 70 });
    expect(await budget.reserve(hold)).toBe(false);
  });

  it('caps tokens as well as money', async () => {
    const budget = makeBudget({ ...start, capMicros: 1000, capTokens: 10 });
    const hold = { micros: 1, tokens: 6 };
    expect(await budget.reserve(hold)).toBe(true);
    budget.settle(hold, { micros: 1, tokens: 6, uncertain: false });
    expect(await budget.reserve(hold)).toBe(false);
  });

  it('counts what the ledger had spent before', async () => {
    const budget = makeBudget({
      capMicros: 100,
      capTokens: null,
      spentMicros: 60,
      spentTokens: 0,
      uncertainMicros: 30,
    });
    expect(await budget.reserve({ micros: 11, tokens: 0 })).toBe(false);
  });

  it('is never exceeded by concurrent workers, and never stuck', async () => {
    const request = fc.record({
      hold: fc.integer({ min: 1, max: 50 }),
      share: fc.integer({ min: 0, max: 100 }),
      ending: fc.constantFrom('charged', 'uncertain', 'released'),
      turns: fc.integer({ min: 0, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { maxLength: 40 }),
        fc.integer({ min: 0, max: 400 }),
        fc.integer({ min: 1, max: 8 }),
        async (requests, capMicros, workers) => {
          const budget = makeBudget({ ...start, capMicros, capTokens: null });
          const queue = [...requests];
          const check = (): void => {
            const { spentMicros, uncertainMicros, heldMicros } = budget.state();
            expect(spentMicros + uncertainMicros + heldMicros).toBeLessThanOrEqual(capMicros);
          };
          const work = async (): Promise<void> => {
            for (let next = queue.shift(); next; next = queue.shift()) {
              const hold = { micros: next.hold, tokens: 0 };
              if (!(await budget.reserve(hold))) return;
              check();
              for (let i = 0; i < next.turns; i += 1) await Promise.resolve();
              const micros = Math.floor((next.hold * next.share) / 100);
              if (next.ending === 'released') budget.release(hold);
              else {
                const uncertain = next.ending === 'uncertain';
                budget.settle(hold, { micros: uncertain ? 0 : micros, tokens: 0, uncertain });
              }
              check();
            }
          };
          await Promise.all(Array.from({ length: workers }, work));
          expect(budget.state().heldMicros).toBe(0);
        },
      ),
      { numRuns: 200 },
    );
  });
});
