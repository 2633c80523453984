import { describe, expect, it } from 'vitest';
import { createEngine } from '../../src/engine/index.js';
import { smallLimits, smallSums, smallTotal, smallUnit } from '../../src/engine/wasm/small-sums.js';
import { bothEngines } from '../support/both-engines.js';
import { rankSetRequest } from '../support/random-design.js';
import { wholeTable } from '../support/whole-table.js';

const random = { kind: 'philox', seed: 3n, stream: 1 } as const;

describe('sums of 16 bits', () => {
  const engines = bothEngines();

  it('take the room that there is, and stop where none is left', () => {
    const roomOf = (totals: number[], bound: number) => smallSums({ totals: Float64Array.from(totals), bound });
    expect(roomOf([0, 1, 1], 56)).toEqual({ divisor: 1, shift: 9 });
    expect(roomOf([0, 300, -100], 32_767 * 100)).toEqual({ divisor: 100, shift: 0 });
    expect(roomOf([0, 1], 32_767)).toEqual({ divisor: 1, shift: 0 });
    expect(roomOf([0, 1], 32_768)).toBeNull();
    expect(roomOf([0, 2], 2 ** 31)).toBeNull();
    expect(roomOf([0, 0], 0)).toEqual({ divisor: 1, shift: 14 });
    const small = { divisor: 100, shift: 2 };
    expect([smallTotal(small, -300, false), smallTotal(small, 300, true)]).toEqual([-12, 12 * 65_536]);
    expect([300, 301].map(smallLimits(small)).concat(smallUnit(small))).toEqual([11, 15, 25]);
  });

  it.each([
    ['0 and 1', wholeTable(9, 12)],
    ['0 and 1, an odd number of rows past a block of lanes', wholeTable(67, 20, { seed: 2n })],
    ['0 and 1, rows past two blocks', wholeTable(131, 15, { seed: 3n })],
    ['a common divisor', wholeTable(12, 14, { unit: 100, largest: 4 })],
    ['the last bit that fits', wholeTable(6, 7, { largest: 4681 })],
    ['the first that does not', wholeTable(6, 7, { largest: 4682 })],
    ['one cluster', wholeTable(5, 1)],
  ])('count what the reference counts: %s', async (_, design) => {
    const draws = Math.ceil(3000 / design.rows);
    const stepped = { stepDown: { alpha: 0.2 }, rankSets: rankSetRequest(design, 0.2) };
    const requests = [
      { draws, random },
      { draws, random, maxT: true },
      { draws: draws >> 1, random, maxT: true, ...stepped },
    ];
    // The oracle steps down over many rows for seconds.
    for (const request of requests.slice(0, design.rows > 100 ? 2 : 3))
      expect(await engines.wasm.flips(design, request)).toEqual(await engines.reference.flips(design, request));
  });

  it('count what the reference counts where rows never differ', async () => {
    const flat = wholeTable(7, 6);
    const design = { ...flat, partTotals: flat.partTotals.map(() => 1) };
    const request = { draws: 50, random, maxT: true, stepDown: { alpha: 0.5 } };
    expect(await engines.wasm.flips(design, request)).toEqual(await engines.reference.flips(design, request));
  });

  it('count what the reference counts beside a row that is none of the ranked, and under the centred test', async () => {
    const design = { ...wholeTable(10, 16), ranked: 9 };
    const strata = { ...design, strata: 2, partStratum: design.partStratum.map((_, p) => Number(p > 7)) };
    for (const of of [design, strata])
      for (const test of ['sign-flip', 'centred'] as const) {
        const request = { draws: 99, random, maxT: true, test, stepDown: { alpha: 0.1 } };
        expect(await engines.wasm.flips(of, request)).toEqual(await engines.reference.flips(of, request));
      }
  });

  it('count the same on threads, and where only draws that matter are gone through again', async () => {
    const pool = await createEngine({ backend: 'pool', threads: 2 });
    const design = wholeTable(66, 30, { seed: 5n });
    const request = { draws: 3000, random, maxT: true, stepDown: { alpha: 0.05 } };
    const excluded = new Uint8Array((66 * 65) / 2);
    const whole = await engines.wasm.flips(design, { ...request, stepDown: { alpha: 0.05, excluded } });
    expect(await engines.wasm.flips(design, request)).toEqual(whole);
    expect(await pool.flips(design, request)).toEqual(whole);
    expect(whole.maxTStep!.exceedances.some((count) => count < 150)).toBe(true);
    await pool.close();
  });
});
