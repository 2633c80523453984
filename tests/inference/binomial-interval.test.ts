import { describe, expect, it } from 'vitest';
import { clopperPearson } from '../../src/inference/binomial.js';
import { binomialIntervals, outcomesOf, showBinomial } from '../../src/inference/intervals/binomial-interval.js';
import { type StudentIntervals, studentErrors } from '../../src/inference/intervals/student.js';
import { exactTotals } from '../../src/inference/totals.js';
import { designOf } from '../support/golden-design.js';

describe('binomial intervals', () => {
  const table = [
    [1, 1, 1, 1],
    [0, 1, 1, 1],
  ];
  const alone = (given = table, cluster = [0, 1, 2, 3], stratum = [0, 0, 0, 0]) => ({
    ...designOf({ table: given, stratum, cluster, ranked: given.length }),
    scale: 1,
  });

  it('are Clopper-Pearson limits of the share of successes, strata of one size pooled', () => {
    const expected = [4, 3].flatMap((count) => clopperPearson({ count, trials: 4, confidence: 0.95 }));
    expect([...binomialIntervals(alone(), 0.05)!]).toEqual(expected);
    expect([...binomialIntervals(alone(table, [0, 1, 2, 3], [0, 0, 1, 1]), 0.05)!]).toEqual(expected);
    const percent = table.map((row) => row.map((value) => 100 * value));
    expect([...binomialIntervals(alone(percent), 0.05)!]).toEqual(expected.map((end) => end * 100));
  });

  it('are null for clusters of several tasks, strata of unequal size and data that are not 0/1', () => {
    expect(binomialIntervals(alone(table, [0, 1, 2, 2]), 0.05)).toBeNull();
    expect(binomialIntervals(alone(table, [0, 1, 2, 3], [0, 0, 0, 1]), 0.05)).toBeNull();
    expect(binomialIntervals(alone([[0, 1, 2, 1]]), 0.05)).toBeNull();
  });

  it('are what constant rows show, and those alone', () => {
    const design = alone();
    const binomial = binomialIntervals(design, 0.05)!;
    const range = [0, 1] as const;
    const made: StudentIntervals = studentErrors({ design, exact: exactTotals(design), alpha: 0.05, range })!.rows();
    const shown = showBinomial(made, binomial);
    expect([...shown.subarray(0, 2)]).toEqual([...binomial.subarray(0, 2)]);
    expect([...shown.subarray(2)]).toEqual([...made.intervals.subarray(2)]);
    expect([...showBinomial(made, null).subarray(0, 2)]).toEqual([1, 1]);
  });

  it.each([
    [[0, 1, 1], 1, { one: 1 }],
    [[0, 100, 100], 1, { one: 100 }],
    [[0, 7, 7], 1, { one: 7 }],
    [[7, 7], 1, null],
    [[100, 100], 1, { one: 100 }],
    [[100, 100], 100, { one: 100 }],
    [[0, 0], 100, { one: 100 }],
    [[0, 1, 2], 1, null],
    [[0, -1], 1, null],
  ] as const)('take %j at scale %i for outcomes %j', (values, scale, expected) => {
    expect(outcomesOf(values, scale)).toEqual(expected);
  });
});
