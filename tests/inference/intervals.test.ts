import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClusterDesign } from '../../src/engine/design.js';
import { createEngine, type Engine } from '../../src/engine/index.js';
import { layoutOf } from '../../src/engine/layout.js';
import { constantPairs } from '../../src/inference/decisions/constant-pairs.js';
import { bootstrapT } from '../../src/inference/intervals/bootstrap-t.js';
import { constantRows, isConstant } from '../../src/inference/intervals/constant.js';
import { loneStrata } from '../../src/inference/intervals/lone-strata.js';
import { studentErrors } from '../../src/inference/intervals/student.js';
import { tQuantile } from '../../src/inference/intervals/t-quantile.js';
import { exactTotals } from '../../src/inference/totals.js';
import { designOf } from '../support/golden-design.js';
import { buildDesign } from '../support/random-design.js';

interface Case {
  readonly name: string;
  readonly design: { cluster: number[]; stratum: number[]; table: number[][]; scale: number };
  readonly range: [number, number];
  readonly student: { degreesOfFreedom: number; errors: number[]; intervals: [number, number][] };
  readonly bootstrapT: { intervals: [number, number][]; unbounded: number[] };
  /** Over all ordered draws; null where there are too many. */
  readonly enumerated: { intervals: [number, number][]; unbounded: number[] } | null;
}

/** Made by intervals.py from explicit matrices. */
const { quantiles, cases } = JSON.parse(readFileSync('tests/inference/interval-cases.json', 'utf8')) as {
  quantiles: [number, number, number][];
  cases: Case[];
};

const designOfCase = ({ design }: Case): ClusterDesign => ({
  ...designOf({ ...design, ranked: design.table.length }),
  scale: design.scale,
});
let engine: Engine;
beforeAll(async () => {
  engine = await createEngine({ backend: 'wasm' });
});
afterAll(() => engine.close());

const OPEN = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;
const student = (design: ClusterDesign, range: readonly [number, number] = OPEN, alpha = 0.05) =>
  studentErrors({ design, exact: exactTotals(design), alpha, range });
const drawsOf = (draws: number) =>
  ({ draws, random: { kind: 'philox', seed: 20260820n, stream: 0 }, scheme: 'joint' }) as const;

const close = (found: ArrayLike<number>, expected: readonly number[], relative = 1e-9) => {
  expect(found).toHaveLength(expected.length);
  expected.forEach((value, i) => {
    expect(Math.abs(found[i]! - value)).toBeLessThanOrEqual(relative * Math.max(1, Math.abs(value)));
  });
};

describe('the quantile of t', () => {
  it.each(quantiles)('with P(T > t) = %d and %d degrees of freedom is %d', (tail, df, expected) => {
    expect(Math.abs(tQuantile(tail, df) / expected - 1)).toBeLessThanOrEqual(1e-9);
  });

  it('is refused outside its domain', () => {
    for (const [tail, df] of [
      [0, 3],
      [0.5, 3],
      [0.1, 0],
      [Number.NaN, 2],
    ] as const)
      expect(() => tQuantile(tail, df)).toThrow(RangeError);
  });
});

describe.each(cases)('intervals of $name', (given) => {
  const design = designOfCase(given);

  it('have the errors, degrees of freedom and Student limits of explicit matrices, for rows and pairs', () => {
    const made = student(design)!;
    const rows = made.rows();
    const pairs = made.pairs();
    const all = [...rows.intervals, ...pairs.intervals];
    expect(Math.abs(rows.degreesOfFreedom / given.student.degreesOfFreedom - 1)).toBeLessThanOrEqual(1e-9);
    close([...rows.errors, ...pairs.errors], given.student.errors);
    close(all, given.student.intervals.flat());
  });

  it('have the bootstrap-t limits of draws written out cluster by cluster', async () => {
    const made = await bootstrapT({ design, engine, draws: drawsOf(400), alpha: 0.1, range: given.range });
    close(made.intervals, given.bootstrapT.intervals.flat());
    expect([...made.unbounded]).toEqual(given.bootstrapT.unbounded);
  });
});

describe.each(cases.flatMap((given) => (given.enumerated ? [{ ...given, all: given.enumerated }] : [])))(
  'intervals of $name',
  ({ all, ...given }) => {
    it('have the bootstrap-t limits of all ordered draws when multisets are enumerated', async () => {
      const draws = { ...drawsOf(1000), enumerate: true };
      const made = await bootstrapT({ engine, design: designOfCase(given), draws, alpha: 0.1, range: given.range });
      close(made.intervals, all.intervals.flat());
      expect([...made.unbounded]).toEqual(all.unbounded);
    });
  },
);

describe('Student intervals', () => {
  const five = designOf({
    table: [
      [0, 1, 1, 1, 1],
      [3, 3, 3, 3, 3],
      [1, 2, 2, 2, 2],
    ],
    stratum: [0, 0, 0, 0, 0],
    cluster: [0, 1, 2, 3, 4],
    ranked: 3,
  });

  it('end at the range of values, and at the range of differences for pairs', () => {
    const far = designOf({
      table: [
        [0, 0, 0, 0, 3],
        [3, 3, 3, 3, 0],
      ],
      stratum: [0, 0, 0, 0, 0],
      cluster: [0, 1, 2, 3, 4],
      ranked: 2,
    });
    const open = student(far)!;
    expect(open.rows().intervals[0]).toBeLessThan(0);
    expect(open.pairs().intervals[0]).toBeLessThan(-0.03);
    const made = student(far, [0, 0.03])!;
    expect(made.rows().intervals[0]).toBe(0);
    expect(made.rows().intervals[1]).toBe(open.rows().intervals[1]);
    expect(made.rows().intervals[3]).toBe(0.03);
    expect(made.pairs().intervals[0]).toBe(-0.03);
  });

  it('are one point for constant rows and pairs, found on integers', () => {
    const made = student(five)!;
    expect([...made.rows().degenerate]).toEqual([0, 1, 0]);
    expect([...made.rows().intervals.subarray(2, 4)]).toEqual([0.03, 0.03]);
    expect([...made.pairs().degenerate]).toEqual([0, 1, 0]);
    expect([...made.pairs().intervals.subarray(2, 4)]).toEqual([-0.01, -0.01]);
  });

  it('against one row are those of its pairs, turned where the row comes first', () => {
    const made = student(five)!;
    const pairs = made.pairs();
    const third = made.against(2);
    expect([...third.intervals.subarray(0, 4)]).toEqual([...pairs.intervals.subarray(2, 6)]);
    expect([...third.degenerate]).toEqual([1, 0, 1]);
    const first = made.against(0).intervals;
    expect([...first.subarray(2, 4)]).toEqual([-pairs.intervals[1]!, -pairs.intervals[0]!]);
  });

  it('are null where a stratum has one cluster', () => {
    const design = designOf({ table: [[1, 2, 3]], stratum: [0, 0, 1], cluster: [0, 1, 2], ranked: 1 });
    expect(student(design)).toBeNull();
    expect(loneStrata(design)).toEqual([1]);
  });

  it('have the errors and degrees of freedom of the matrix that they are defined by, whatever clusters span', () => {
    let compared = 0;
    for (let seed = 0; seed < 60; seed += 1) {
      const design = buildDesign({
        ...{
          rows: 3,
          tasks: 24 + seed,
          clusters: 8 + (seed % 40),
          strata: 1 + (seed % 6),
          chance: false,
          largest: 100,
        },
        ...{ degenerate: false, negative: seed % 2 === 0, seed },
      });
      const made = student(design)?.rows();
      if (!made) continue;
      const expected = bruteForce(design);
      close(made.errors, expected.errors);
      expect(Math.abs(made.degreesOfFreedom / expected.degreesOfFreedom - 1)).toBeLessThanOrEqual(1e-9);
      compared += 1;
    }
    expect(compared).toBeGreaterThan(40);
  });

  it('do not depend on the order of rows, nor on a common multiple of scores and scale', () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const design = buildDesign({
        ...{ rows: 4, tasks: 40, clusters: 15, strata: 3, chance: false, largest: 100, degenerate: false },
        ...{ negative: false, seed },
      });
      const made = student(design)?.rows();
      if (!made) continue;
      const rows = design.rows;
      const turned = {
        ...design,
        partTotals: design.partTotals.map((_, i, of) => of[i - (i % rows) + rows - 1 - (i % rows)]!),
      };
      const back = student(turned)!.rows().intervals;
      for (let m = 0; m < rows; m += 1)
        expect([...back.subarray(2 * (rows - 1 - m), 2 * (rows - m))]).toEqual([
          ...made.intervals.subarray(2 * m, 2 * m + 2),
        ]);
      const many = {
        ...design,
        scale: design.scale * 2 ** 40,
        partTotals: design.partTotals.map((total) => total * 2 ** 40),
      };
      close(student(many)!.rows().intervals, [...made.intervals], 1e-13);
      expect(made.degreesOfFreedom).toBeGreaterThanOrEqual(1);
      expect(made.degreesOfFreedom).toBeLessThanOrEqual(design.clusters - 1);
    }
  });
});

/** Errors and degrees of freedom from the matrix M itself, clusters x clusters (decisions 2.4). */
function bruteForce(design: ClusterDesign) {
  const { clusters, rows, strata, scale, partCluster, partStratum, partTasks, partTotals } = design;
  const { stratumTasks, stratumTotals } = layoutOf(design);
  const q = Array.from({ length: clusters }, () => new Float64Array(strata));
  const r = Array.from({ length: clusters }, () => new Float64Array(rows));
  partCluster.forEach((c, p) => {
    const s = partStratum[p]!;
    q[c]![s] = partTasks[p]! / stratumTasks[s]!;
    for (let m = 0; m < rows; m += 1) {
      const mean = stratumTotals[s * rows + m]! / stratumTasks[s]!;
      r[c]![m]! += (partTotals[p * rows + m]! - partTasks[p]! * mean) / stratumTasks[s]! / strata / scale;
    }
  });
  const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, x, i) => sum + x * b[i]!, 0);
  const a = q.map((row) => row.reduce((sum, x) => sum + x, 0) / strata);
  const m = q.map((row, c) => Float64Array.from(q, (other, d) => (c === d ? a[c]! : 0) - dot(row, other) / strata));
  const e = m.map((row, c) => a[c]! ** 2 / dot(row, row));
  let pairs = 0;
  m.forEach((row, c) => {
    m.forEach((other, d) => {
      pairs += e[c]! * e[d]! * dot(row, other) ** 2;
    });
  });
  return {
    degreesOfFreedom: a.reduce((sum, x) => sum + x * x, 0) ** 2 / pairs,
    errors: Array.from({ length: rows }, (_, row) => Math.sqrt(r.reduce((sum, x, c) => sum + e[c]! * x[row]! ** 2, 0))),
  };
}

describe('bootstrap-t intervals', () => {
  it('are the same whether parts of nested clusters are drawn by the same words jointly or in one stratum', async () => {
    const design = buildDesign({
      ...{ rows: 3, tasks: 30, clusters: 12, strata: 1, chance: false, largest: 50, degenerate: false },
      ...{ negative: true, seed: 5 },
    });
    const joint = await bootstrapT({ design, engine, draws: drawsOf(300), alpha: 0.05, range: OPEN });
    const own = await bootstrapT({
      design,
      engine,
      draws: { ...drawsOf(300), scheme: 'stratified' },
      alpha: 0.05,
      range: OPEN,
    });
    expect(own).toEqual(joint);
  });

  it('are the same past 2^53, where sums are formed in big integers', async () => {
    const small = buildDesign({
      ...{ rows: 3, tasks: 30, clusters: 12, strata: 2, chance: false, largest: 1000, degenerate: true },
      ...{ negative: false, seed: 8 },
    });
    const large = {
      ...small,
      scale: small.scale * 2 ** 36,
      partTotals: small.partTotals.map((total) => total * 2 ** 36),
    };
    const options = { engine, draws: drawsOf(200), alpha: 0.05, range: OPEN };
    close(
      (await bootstrapT({ design: large, ...options })).intervals,
      [...(await bootstrapT({ design: small, ...options })).intervals],
      1e-12,
    );
  });
});

describe('constant rows and pairs', () => {
  it('are those whose totals keep the share of tasks in every stratum', () => {
    const design = designOf({
      table: [
        [2, 2, 2, 5, 5],
        [1, 2, 3, 5, 5],
        [3, 3, 3, 5, 5],
        [2, 2, 2, 5, 6],
      ],
      stratum: [0, 0, 0, 1, 1],
      cluster: ['a', 'b', 'b', 'a', 'c'],
      ranked: 4,
    });
    const layout = layoutOf(design);
    expect([...constantRows(design, layout)]).toEqual([1, 0, 1, 0]);
    expect([...constantPairs(design)]).toEqual([0, 1, 0, 0, 0, 0]);
    expect(isConstant(design, layout, 0, 2)).toBe(true);
    expect(isConstant(design, layout, 0, 3)).toBe(false);
    const large = { ...design, partTotals: design.partTotals.map((total) => total * 2 ** 49) };
    expect([...constantRows(large, layoutOf(large))]).toEqual([1, 0, 1, 0]);
  });
});
