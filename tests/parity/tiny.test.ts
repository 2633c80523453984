import { describe, expect, it } from 'vitest';
import { type ClusterDesign, createEngine } from '../../src/engine/index.js';
import { bothEngines } from '../support/both-engines.js';
import { wholeTable } from '../support/whole-table.js';

const random = { kind: 'philox', seed: 4n, stream: 1 } as const;
/** The least number that are gone through sixteen at a time, and a few that fill no vector. */
const draws = 20_005;

/** What the pairs of a table are observed at: their difference over the root of its squares. */
function statistics({ rows, partTotals }: ClusterDesign): Set<number> {
  const found = new Set<number>();
  for (let i = 0; i < rows; i++)
    for (let j = i + 1; j < rows; j++) {
      let [sum, squares] = [0, 0];
      for (let at = 0; at < partTotals.length; at += rows) {
        const apart = partTotals[at + i]! - partTotals[at + j]!;
        sum += apart;
        squares += apart * apart;
      }
      if (squares > 0) found.add(Math.abs(sum) / Math.sqrt(squares));
    }
  return found;
}

describe('sums whose differences do not pass 63', () => {
  const engines = bothEngines();

  it.each([
    ['0 and 1', wholeTable(9, 12)],
    ['rows that differ in more than 31 clusters', wholeTable(7, 60, { seed: 2n })],
    ['a common divisor', wholeTable(8, 14, { unit: 100, largest: 4 })],
    ['the last difference that fits', wholeTable(6, 9, { largest: 7 })],
    ['the first that does not', wholeTable(6, 8, { largest: 8 })],
    ['one cluster', wholeTable(5, 1)],
  ])('count and step down as the reference does: %s', async (_, design) => {
    const request = { draws, random, maxT: true, stepDown: { alpha: 0.2 } };
    expect(await engines.wasm.flips(design, request)).toEqual(await engines.reference.flips(design, request));
  });

  it('count as the reference does where rows reach more levels than a byte holds', async () => {
    const design = wholeTable(60, 20, { seed: 6n, largest: 3 });
    expect(statistics(design).size).toBeGreaterThan(280);
    const request = { draws, random, maxT: true };
    expect(await engines.wasm.flips(design, request)).toEqual(await engines.reference.flips(design, request));
  });

  it('count as the reference does beside a row that is none of the ranked, and under the centred test', async () => {
    const design = { ...wholeTable(7, 16), ranked: 6 };
    const strata = { ...design, strata: 2, partStratum: design.partStratum.map((_, p) => Number(p > 7)) };
    for (const of of [design, strata])
      for (const test of ['sign-flip', 'centred'] as const) {
        const request = { draws, random, maxT: true, test, stepDown: { alpha: 0.1 } };
        expect(await engines.wasm.flips(of, request)).toEqual(await engines.reference.flips(of, request));
      }
  });

  it('step down rank sets, and what is left where pairs are excluded, as the reference does', async () => {
    const design = wholeTable(9, 14, { seed: 3n });
    const excluded = Uint8Array.from({ length: 36 }, (_, pair) => Number(pair % 5 === 0));
    const alpha = 0.3;
    const request = { draws, random, maxT: true, stepDown: { alpha, excluded }, rankSets: { alpha, excluded } };
    expect(await engines.wasm.flips(design, request)).toEqual(await engines.reference.flips(design, request));
  });

  it('step down as the reference does where most pairs reach their threshold in every draw', async () => {
    const design = wholeTable(24, 6, { seed: 8n });
    const request = { draws, random, maxT: true, stepDown: { alpha: 0.9 } };
    expect(await engines.wasm.flips(design, request)).toEqual(await engines.reference.flips(design, request));
  });

  it('count the same on threads', async () => {
    const pool = await createEngine({ backend: 'pool', threads: 2 });
    const design = wholeTable(66, 30, { seed: 5n });
    const request = { draws: 40_000, random, maxT: true, stepDown: { alpha: 0.05 } };
    expect(await pool.flips(design, request)).toEqual(await engines.wasm.flips(design, request));
    await pool.close();
  });
});
