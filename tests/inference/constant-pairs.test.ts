import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ClusterDesign, pairCount, pairIndex } from '../../src/engine/design.js';
import { constantPairs } from '../../src/inference/decisions/constant-pairs.js';
import { designOf } from '../support/golden-design.js';
import { buildDesign, designShape } from '../support/random-design.js';

/** The rule, pair by pair and part by part. */
function byRule({ rows, ranked, strata, partStratum, partTasks, partTotals }: ClusterDesign): number[] {
  const difference = (p: number, i: number, j: number) =>
    BigInt(partTotals[p * rows + i]!) - BigInt(partTotals[p * rows + j]!);
  const flags = new Array<number>(pairCount(ranked)).fill(0);
  for (let i = 0; i < ranked; i += 1)
    for (let j = i + 1; j < ranked; j += 1) {
      const tasks = new Array<bigint>(strata).fill(0n);
      const sums = new Array<bigint>(strata).fill(0n);
      partStratum.forEach((s, p) => {
        tasks[s] = tasks[s]! + BigInt(partTasks[p]!);
        sums[s] = sums[s]! + difference(p, i, j);
      });
      const constant = [...partStratum].every(
        (s, p) => difference(p, i, j) * tasks[s]! === BigInt(partTasks[p]!) * sums[s]!,
      );
      flags[pairIndex(i, j, ranked)] = Number(constant);
    }
  return flags;
}

describe('pairs of models with a constant difference (decisions 1.3)', () => {
  it('are those whose difference a task is one number in each stratum, another one in the next included', () => {
    const base = [3, 1, 4, 1, 5, 9];
    const design = designOf({
      table: [
        base,
        base.map((x) => x + 2),
        base.map((x, t) => x + (t < 3 ? 7 : -1)),
        base.map((x, t) => x + (t % 2)),
        base,
      ],
      stratum: [0, 0, 0, 1, 1, 1],
      cluster: [0, 0, 1, 1, 2, 3],
      ranked: 5,
    });
    const found = constantPairs(design);
    const named = [0, 1, 2, 3, 4].flatMap((i) =>
      [0, 1, 2, 3, 4].filter((j) => j > i && found[pairIndex(i, j, 5)]).map((j) => `${i}${j}`),
    );
    expect(named).toEqual(['01', '02', '04', '12', '14', '24']);
  });

  it('are found by totals: tasks of one cluster may differ where their sum does not', () => {
    const design = designOf({
      table: [
        [0, 2, 1, 1],
        [1, 1, 0, 2],
      ],
      stratum: [0, 0, 0, 0],
      cluster: [0, 0, 1, 1],
      ranked: 2,
    });
    expect([...constantPairs(design)]).toEqual([1]);
  });

  it('are told apart past 2^53, where doubles would not', () => {
    const wide = 2 ** 52;
    const design = (last: number) =>
      designOf({
        table: [
          [wide, wide, wide, wide],
          [wide - 1, wide - 1, wide - 1, last],
        ],
        stratum: [0, 0, 0, 0],
        cluster: [0, 1, 2, 3],
        ranked: 2,
      });
    expect([...constantPairs(design(wide - 1))]).toEqual([1]);
    expect([...constantPairs(design(wide - 2))]).toEqual([0]);
  });

  it('are those of the rule on random designs', () => {
    fc.assert(
      fc.property(designShape(12), fc.boolean(), (shape, chance) => {
        const design = buildDesign({ ...shape, rows: Math.min(shape.rows, 9), chance });
        expect([...constantPairs(design)]).toEqual(byRule(design));
      }),
      { numRuns: 150 },
    );
  });
});
