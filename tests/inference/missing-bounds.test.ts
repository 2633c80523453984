import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flipTotals } from '../../src/engine/bounds.js';
import { type ClusterDesign, pairCount } from '../../src/engine/design.js';
import { createEngine, type Engine } from '../../src/engine/index.js';
import { layoutOf } from '../../src/engine/layout.js';
import { decidedTests } from '../../src/inference/decisions/deciding-p.js';
import { DECISIONS, decisions } from '../../src/inference/decisions/decisions.js';
import { allPairs, exactTests } from '../../src/inference/decisions/exact-p.js';
import { boundsDesign, boundsOfChance, boundsOfPairs } from '../../src/inference/decisions/missing-bounds.js';
import { holm } from '../../src/inference/p-values.js';
import { direction, exactTotals } from '../../src/inference/totals.js';
import { designOf } from '../support/golden-design.js';

let engine: Engine;
beforeAll(async () => {
  engine = await createEngine({ backend: 'reference' });
});
afterAll(() => engine.close());

const FLIPS = 1024;
/** Ten tasks in two strata, two of them in one cluster. */
const stratum = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1];
const cluster = [0, 0, 1, 2, 3, 4, 5, 6, 7, 8];
const designed = (table: number[][], chance = 0): ClusterDesign =>
  designOf({ table, stratum, cluster, ranked: table.length - chance });

async function evidenceOf(low: number[][], high: number[][], chance = 0) {
  const design = boundsDesign(designed(low, chance), designed(high, chance));
  const totals = flipTotals(design, layoutOf(design));
  const random = { kind: 'philox', seed: 9n, stream: 1 } as const;
  const { pairs } = await engine.flips(design, { draws: FLIPS, random });
  return { design, totals, exceedances: pairs, flips: FLIPS };
}

/** Exact p and sign of every pair of a complete table. */
function complete(table: number[][]) {
  const design = designed(table);
  const { totals } = flipTotals(design, layoutOf(design));
  const pairs = allPairs(table.length);
  const sums = exactTotals(design);
  return {
    p: exactTests({ totals, rows: table.length, pairs, flips: FLIPS }).p,
    sign: Array.from(pairs.left, (i, k) => direction(sums, i, pairs.right[k]!)),
  };
}

/** 0 to 3, or null: missing. */
const cell = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 3 }) },
  { weight: 1, arbitrary: fc.constant(null) },
);
const rowOf = fc.array(cell, { minLength: 10, maxLength: 10 });
const fill = (table: (number | null)[][], value: number) => table.map((row) => row.map((x) => x ?? value));

describe('what holds whatever the missing values are (decisions 4.2)', () => {
  it('is the plain test where nothing is missing', async () => {
    const table = [
      [3, 2, 3, 1, 3, 2, 3, 3, 2, 3],
      [0, 1, 0, 1, 0, 2, 1, 0, 2, 1],
      [0, 1, 0, 1, 0, 2, 1, 0, 2, 1],
    ];
    const found = boundsOfPairs(await evidenceOf(table, table));
    const { p, sign } = complete(table);
    expect([...found.exact.p]).toEqual([...p]);
    expect([...found.direction]).toEqual(sign);
  });

  it('is never contradicted by a filling: any values give the same side, and no larger p', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(rowOf, { minLength: 3, maxLength: 3 }),
        fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 30, maxLength: 30 }),
        async (table, values) => {
          const found = boundsOfPairs(await evidenceOf(fill(table, 0), fill(table, 3)));
          const filled = complete(table.map((row, m) => row.map((x, t) => x ?? values[10 * m + t]!)));
          for (let k = 0; k < pairCount(3); k += 1) {
            if (found.direction[k] === 0) expect(found.exact.p[k]).toBe(1);
            else {
              expect(filled.sign[k]).toBe(found.direction[k]);
              expect(filled.p[k]).toBeLessThanOrEqual(found.exact.p[k]!);
            }
          }
          const rejected = holm(found.exact.p).map((x) => Number(x < 0.3));
          const then = holm(filled.p).map((x) => Number(x < 0.3));
          rejected.forEach((yes, k) => {
            if (yes) expect(then[k]).toBe(1);
          });
        },
      ),
      { numRuns: 80 },
    );
  });

  it('goes through the same decisions: a model that may be above or below is open', async () => {
    const wins = [3, 3, 3, 3, 3, 3, 3, 3, 3, 3];
    const table = [wins, wins.map(() => 0), [3, 3, null, null, null, null, 0, 0, null, null]];
    const evidence = boundsOfPairs(await evidenceOf(fill(table, 0), fill(table, 3)));
    const tests = decidedTests({ ...evidence, flips: FLIPS, multiplicity: 'holm', alpha: 0.05 });
    const said = decisions({
      tests,
      differing: evidence.exact.differing,
      direction: evidence.direction,
      clusters: 9,
      flips: FLIPS,
      multiplicity: 'holm',
      alpha: 0.05,
    });
    expect(DECISIONS[said.decision[0]!]).toBe('higher');
    expect(tests.p[0]).toBe(2 / 512);
    expect(evidence.direction[1]).toBe(1);
    expect(DECISIONS[said.decision[1]!]).not.toBe('higher');
    expect(evidence.direction[2]).toBe(-1);
  });

  it('compares with chance from the side that is worst for the claim', async () => {
    const high = [3, 3, 3, 3, 3, 3, 3, 3, 3, null];
    const table = [high, high.map((x) => (x === null ? null : 0)), [3, 0, null, null, null, null, null, null, 0, 3]];
    const chance = stratum.map(() => 1);
    const low = [...fill(table, 0), chance];
    const found = boundsOfChance(await evidenceOf(low, [...fill(table, 3), chance], 1));
    expect([...found.direction]).toEqual([1, -1, 0]);
    const same = complete([fill(table, 0)[0]!, chance]);
    expect(found.exact.p[0]).toBe(same.p[0]);
  });
});
