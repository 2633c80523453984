import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ClusterDesign } from '../../src/engine/design.js';
import {
  chooseInterval,
  defaultOf,
  holds,
  intervalSituation,
  intervalWarning,
} from '../../src/inference/intervals/interval-choice.js';
import { type GridCell, INTERVAL_GRID } from '../../src/inference/intervals/interval-grid.js';
import { valueRange } from '../../src/inference/intervals/value-range.js';
import { designOf } from '../support/golden-design.js';

interface Counted {
  readonly below: number;
  readonly above: number;
  readonly alone: number;
  readonly percentile_alone: number;
  readonly median_width: number | null;
}

interface MeasuredCell {
  readonly kind: string;
  readonly sizes: string;
  readonly clusters: number;
  readonly effective_clusters: number;
  readonly constant: number;
  readonly intervals: Readonly<Record<string, Counted>>;
}

/** What bench/interval-grid.js counted. */
const grid = JSON.parse(readFileSync('bench/interval-grid.json', 'utf8')) as {
  alpha: number;
  datasets: number;
  cells: MeasuredCell[];
};
const measured = (cell: GridCell) =>
  grid.cells.find(
    ({ kind, sizes, clusters }) => kind === cell.kind && sizes === cell.sizes && clusters === cell.clusters,
  )!;
const missed = ({ below, above }: Counted) => below + above;
const cellOf = (kind: string, sizes: string, clusters: number) =>
  INTERVAL_GRID.find((cell) => cell.kind === kind && cell.sizes === sizes && cell.clusters === clusters)!;
const named = INTERVAL_GRID.map((cell) => [`${cell.kind}, ${cell.clusters} ${cell.sizes}`, cell] as const);

describe('the grid of intervals', () => {
  it('has 2,000 data sets of each kind, size and number of clusters', () => {
    expect(grid.datasets).toBe(2000);
    expect(INTERVAL_GRID.map(({ kind, sizes, clusters }) => `${kind} ${sizes} ${clusters}`)).toEqual(
      ['normal', 'binary', 'skewed', 'strata'].flatMap((kind) =>
        ['equal', 'unequal'].flatMap((sizes) => [5, 10, 20, 50, 200].map((clusters) => `${kind} ${sizes} ${clusters}`)),
      ),
    );
  });

  it.each(named)('stands in the program as it was counted: %s', (_, cell) => {
    const { intervals, effective_clusters } = measured(cell);
    expect(cell.effective).toBe(effective_clusters);
    expect(cell.bare).toBe(missed(intervals.percentile_bare!));
    const kinds = Object.keys(intervals).filter((name) => name !== 'percentile_bare');
    expect(Object.keys(cell.missed)).toEqual(kinds);
    for (const name of kinds as (keyof GridCell['missed'])[]) {
      const one = intervals[name]!;
      expect(cell.missed[name]).toBe(missed(one));
      if (one.median_width === null) expect(cell.widths[name]).toBeNull();
      else expect(cell.widths[name]).toBeCloseTo(one.median_width / intervals.percentile!.median_width!, 3);
      expect(missed(one) - missed(intervals.percentile!)).toBe(one.alone - one.percentile_alone);
    }
  });

  it.each(named)('has a default that errs no more than percentile and is at most half again as wide: %s', (_, cell) => {
    const { intervals } = measured(cell);
    const { alone, percentile_alone: saved, median_width: width } = intervals[defaultOf(cell)]!;
    const error = Math.sqrt(alone + saved - (alone - saved) ** 2 / grid.datasets);
    expect(alone - saved).toBeLessThanOrEqual(1.96 * error);
    expect(width!).toBeLessThanOrEqual(1.5005 * intervals.percentile!.median_width!);
  });

  it.each(named)('has its misses and its default in the page: %s', (_, cell) => {
    const page = readFileSync('docs/intervals.md', 'utf8');
    const { intervals, effective_clusters } = measured(cell);
    const rate = (name: string) => ((100 * missed(intervals[name]!)) / grid.datasets).toFixed(1);
    const line = page
      .split('\n')
      .filter((text) =>
        text.startsWith(
          `| ${cell.clusters} ${cell.sizes} | ${Number(effective_clusters.toFixed(1))} | ${rate('percentile')} |`,
        ),
      );
    const chosen = holds(cell, defaultOf(cell)) ? defaultOf(cell) : `*${defaultOf(cell)}*`;
    expect(line.some((text) => text.includes(` ${rate('student')} `) && text.endsWith(`| ${chosen} |`))).toBe(true);
  });

  it('shows what it is for: percentile intervals too narrow with few clusters, Student intervals not', () => {
    const share = (count: number) => count / grid.datasets;
    expect(share(cellOf('normal', 'equal', 10).missed.percentile!)).toBeGreaterThan(0.075);
    expect(share(cellOf('binary', 'equal', 10).bare)).toBeGreaterThan(0.2);
    for (const clusters of [10, 20, 50, 200])
      expect(share(cellOf('normal', 'equal', clusters).missed.student!)).toBeLessThan(0.062);
    expect(holds(cellOf('normal', 'equal', 10), 'percentile')).toBe(false);
    expect(holds(cellOf('binary', 'unequal', 10), 'student')).toBe(false);
    expect(holds(cellOf('normal', 'equal', 10), 'binomial')).toBe(false);
  });
});

/** Cells of one model from a rule; clusters are numbers of `cluster`. */
function situation(values: readonly number[], more: { cluster?: number[]; stratum?: number[]; scale?: number } = {}) {
  const tasks = values.length;
  const design: ClusterDesign = {
    ...designOf({
      table: [[...values]],
      stratum: more.stratum ?? new Array<number>(tasks).fill(0),
      cluster: more.cluster ?? Array.from({ length: tasks }, (_, t) => t),
      ranked: 1,
    }),
    scale: more.scale ?? 1,
  };
  return intervalSituation({ values, design });
}

const graded = (tasks: number) => Array.from({ length: tasks }, (_, t) => 10 + ((7 * t) % 31));
const successes = (tasks: number) => Array.from({ length: tasks }, (_, t) => (t % 8 === 3 ? 0 : 1));

describe('the cell of the grid that a table is like', () => {
  it.each([
    ['graded scores of 12 tasks', graded(12), {}, 'normal equal 10'],
    ['graded scores of 15 tasks', graded(15), {}, 'normal equal 20'],
    ['scores that are high for one task of 20', [...graded(19), 500], {}, 'skewed equal 20'],
    ['two strata', graded(60), { stratum: graded(60).map((_, t) => t % 2) }, 'strata equal 50'],
    [
      'clusters of one and of nine tasks',
      graded(40),
      { cluster: graded(40).map((_, t) => (t < 4 ? t : 4 + Math.floor((t - 4) / 9))) },
      'normal unequal 5',
    ],
    ['0/1 tasks', successes(9), {}, 'binary equal 10'],
    [
      '0/1 tasks in clusters of two',
      successes(40),
      { cluster: successes(40).map((_, t) => t >> 1) },
      'binary unequal 20',
    ],
    ['scores that do not vary', new Array<number>(6).fill(7), {}, 'normal equal 5'],
    ['one cluster', graded(3), { cluster: [0, 0, 0] }, 'normal equal 5'],
    ['a thousand tasks', graded(1000), {}, 'normal equal 200'],
  ])('is found for %s', (_, values, more, expected) => {
    const { cell } = situation(values, more);
    expect(`${cell.kind} ${cell.sizes} ${cell.clusters}`).toBe(expected);
  });
});

describe('the default interval of an audit', () => {
  it('is Student where the grid allows it, with the figures', () => {
    const given = situation(graded(10));
    const choice = chooseInterval(given);
    expect(choice.interval).toBe('student');
    expect(choice.reason).toMatch(
      /^of 2,000 simulated graded data sets with 10 equal clusters, student missed \d\.\d %, percentile \d\.\d %$/,
    );
    expect(intervalWarning(given, 'student')).toBeNull();
  });

  it('is binomial for 0/1 tasks, and few of them are said to say little', () => {
    const many = situation(successes(60));
    expect(chooseInterval(many).interval).toBe('binomial');
    expect(intervalWarning(many, 'binomial')).toBeNull();
    const few = situation(successes(10));
    expect(chooseInterval(few).interval).toBe('binomial');
    expect(intervalWarning(few, 'binomial')).toMatch(
      /^no interval is good with 10 0\/1 tasks: .*, percentile intervals missed the true score in 2\d\.\d % if rows without variation showed one point, and the binomial interval of a share near \.87, which holds, is 0\.44 wide$/,
    );
  });

  it('is percentile where an honest one is too wide', () => {
    expect(chooseInterval(situation(graded(5))).interval).toBe('percentile');
  });

  it('is bootstrap-t where it alone of those allowed holds', () => {
    expect(defaultOf(cellOf('skewed', 'equal', 20))).toBe('bootstrap-t');
    expect(holds(cellOf('skewed', 'equal', 20), 'student')).toBe(false);
    expect(chooseInterval(situation([...graded(19), 500])).interval).toBe('bootstrap-t');
  });

  it('is percentile beside a stratum of one cluster', () => {
    const given = situation(graded(10), { stratum: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0] });
    expect(chooseInterval(given)).toEqual({
      interval: 'percentile',
      reason: 'student needs two clusters in every stratum',
    });
    expect(intervalWarning(given, 'percentile')).toMatch(/^intervals rest on .* missed the true score in \d+\.\d %$/);
  });
});

describe('the warning of intervals', () => {
  it('says that no interval is good where a good one would be too wide, and names it', () => {
    expect(intervalWarning(situation(graded(5)), 'percentile')).toMatch(
      /^no interval of up to 1\.5 times the usual width is good with 5 effective clusters: .*percentile intervals at 95 % missed the true score in 1\d\.\d %; --interval student missed \d\.\d % and is about 1\.6 times as wide$/,
    );
  });

  it('says that no interval is good for 0/1 scores over few clusters of several tasks', () => {
    const given = situation(successes(30), { cluster: successes(30).map((_, t) => t % 9) });
    expect(chooseInterval(given).interval).toBe('student');
    expect(intervalWarning(given, 'student')).toMatch(
      /^no interval is good with 8\.82 effective clusters: .*and no kind of interval did well$/,
    );
  });

  it('comes for percentile below 50 effective clusters, and below 200 for 0/1 scores', () => {
    expect(intervalWarning(situation(graded(200)), 'percentile')).toBeNull();
    expect(intervalWarning(situation(successes(200)), 'percentile')).toBeNull();
    expect(intervalWarning(situation(graded(20)), 'percentile')).toMatch(
      /^intervals rest on 20 effective clusters: of 2,000 simulated graded data sets with 20 equal clusters, percentile intervals at 95 % missed the true score in 7\.\d %; --interval student missed \d\.\d % and is about 1\.1 times as wide$/,
    );
    expect(intervalWarning(situation(successes(10)), 'percentile')).toMatch(
      /missed the true score in 0\.\d % \(2\d\.\d % if rows without variation showed one point\)$/,
    );
  });

  it('comes for a kind that was asked for and does badly on such a table, and for none that does not exist there', () => {
    expect(intervalWarning(situation(successes(50)), 'student')).toMatch(
      /^intervals rest on 50 effective clusters: .*student intervals at 95 % missed the true score in 1\d\.\d %; --interval binomial/,
    );
    expect(intervalWarning(situation(graded(50)), 'binomial')).toBeNull();
  });
});

describe('the range that intervals are cut at', () => {
  it.each([
    [[0, 1, 1], 1, [0, 1]],
    [[20, 90], 100, [0, 1]],
    [[20, 90], 1, [0, 100]],
    [[0, 10_000], 100, [0, 100]],
    [[-5, 10], 10, [-0.5, 1]],
    [[0, 101], 1, [0, 101]],
  ] as const)('of %j at scale %i is %j', (values, scale, expected) => {
    expect(valueRange(values, scale)).toEqual(expected);
  });
});
