import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gapReport, gapWords } from '../../src/core/gaps.js';
import { fullestRoster } from '../../src/core/roster-search.js';
import { matrixFromCsv } from '../../src/scores/matrix-file.js';

const names = (letter: string, n: number) => Array.from({ length: n }, (_, i) => `${letter}${i}`);

/** Every roster of two models or more, one by one. */
function bestByForce(models: number, tasks: number, absent: Uint8Array): number {
  let best = 0;
  for (let bits = 0; bits < 1 << models; bits += 1) {
    const rows = Array.from({ length: models }, (_, m) => m).filter((m) => (bits >> m) & 1);
    if (rows.length < 2) continue;
    let common = 0;
    for (let t = 0; t < tasks; t += 1) if (rows.every((m) => absent[m * tasks + t] === 0)) common += 1;
    best = Math.max(best, rows.length * common);
  }
  return best;
}

const tables = fc
  .record({
    models: fc.integer({ min: 2, max: 8 }),
    tasks: fc.integer({ min: 1, max: 14 }),
    seed: fc.array(fc.nat(4), { minLength: 112, maxLength: 112 }),
  })
  .map(({ models, tasks, seed }) => ({
    models,
    tasks,
    absent: Uint8Array.from({ length: models * tasks }, (_, i) => (seed[i] === 0 ? 1 : 0)),
  }));

describe('the roster that keeps most cells', () => {
  it('is the best of all rosters wherever they can all be tried', () => {
    fc.assert(
      fc.property(tables, ({ models, tasks, absent }) => {
        const found = fullestRoster({ models, tasks, absent })!;
        const complete = Array.from({ length: tasks }, (_, t) => t).filter((t) =>
          found.rows.every((m) => absent[m * tasks + t] === 0),
        ).length;
        expect(found.exact).toBe(true);
        expect(found.tasks).toBe(complete);
        expect(found.rows.length * found.tasks).toBe(bestByForce(models, tasks, absent));
      }),
      { numRuns: 200 },
    );
  });

  it('is suggested alike for every order of the models', () => {
    fc.assert(
      fc.property(tables, fc.nat(), ({ models, tasks, absent }, turn) => {
        const ids = names('m', models);
        const order = ids.map((_, m) => (m + turn) % models);
        const turned = new Uint8Array(absent.length);
        order.forEach((m, at) => {
          turned.set(absent.subarray(m * tasks, (m + 1) * tasks), at * tasks);
        });
        const [one, two] = [
          gapReport(ids, names('t', tasks), absent),
          gapReport(
            order.map((m) => ids[m]!),
            names('t', tasks),
            turned,
          ),
        ];
        expect(two.thin.toSorted()).toEqual(one.thin.toSorted());
        expect({ ...two, models: [], thin: [], suggestion: two.suggestion?.cells }).toEqual({
          ...one,
          models: [],
          thin: [],
          suggestion: one.suggestion?.cells,
        });
      }),
      { numRuns: 100 },
    );
  });

  it('is one of those compared for a thousand models with random gaps, and said to be no more', () => {
    const [models, tasks] = [1000, 400];
    let state = 12345;
    const absent = Uint8Array.from({ length: models * tasks }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state < 2 ** 32 * 0.01 ? 1 : 0;
    });
    const found = fullestRoster({ models, tasks, absent })!;
    expect(found.exact).toBe(false);
    expect(found.rows.every((m) => m < models)).toBe(true);
    expect(found.rows.length * found.tasks).toBeGreaterThan(20_000);
  });
});

describe('a matrix with gaps', () => {
  const text = 'model,t,u,v,w\na,1,0,1,1\nb,0,1,1,0\nthin,,,1,\nd,1,,0,0\n';
  const from = (options: object) => matrixFromCsv(text, { file: 'x.csv', scale: 1, ...options });

  it('is withheld with its coverage and with what would keep most of it', () => {
    expect(() => from({})).toThrow(
      expect.objectContaining({
        code: 'INCOMPLETE',
        exit: 3,
        hint: '12 of 16 cells are there; every model has 1 of 4 tasks. Fewest: "thin" has 1, "d" has 3. Without "thin" the other 3 models share 3 tasks: no other roster keeps more cells. --without "thin" --missing common-tasks keeps that. --missing common-tasks keeps 1 task; --missing bounds says what holds whatever the missing values are.',
      }),
    );
  });

  it('keeps the tasks that every model has, and reports coverage by model and task', () => {
    const { matrix, dropped, gaps } = from({ missing: 'common-tasks' });
    expect([matrix.tasks, dropped]).toEqual([['v'], 3]);
    expect(gaps).toEqual({
      cells: 16,
      missing: 4,
      models: [
        { model: 'a', tasks: 4 },
        { model: 'b', tasks: 4 },
        { model: 'thin', tasks: 1 },
        { model: 'd', tasks: 3 },
      ],
      tasks: [
        { task: 't', models: 3 },
        { task: 'u', models: 2 },
        { task: 'w', models: 3 },
      ],
      common_tasks: 1,
      thin: ['thin'],
      suggestion: { models: ['a', 'b', 'd'], without: ['thin'], tasks: 3, cells: 9, exact: true },
    });
    expect(gapWords(gaps!)).toContain('every model has 1 of 4 tasks');
  });

  it('lies between two matrices, whose missing cells hold the least and the greatest value', () => {
    const { matrix, bounds, dropped } = from({ missing: 'bounds' });
    expect(dropped).toBe(0);
    expect(matrix).toBe(bounds!.low);
    expect([...bounds!.absent]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 0, 1, 0, 0]);
    expect([...bounds!.low.values].slice(8)).toEqual([0, 0, 1, 0, 1, 0, 0, 0]);
    expect([...bounds!.high.values].slice(8)).toEqual([1, 1, 1, 1, 1, 1, 0, 0]);
    const wide = from({ missing: 'bounds', range: [-1, 2] });
    expect([...wide.bounds!.low.values].slice(8, 11)).toEqual([-1, -1, 1]);
  });

  it('has bounds only where it is known which values a cell can have', () => {
    const points = text.replaceAll('1', '7');
    const read = (options: object) => matrixFromCsv(points, { file: 'x.csv', scale: 1, missing: 'bounds', ...options });
    expect(() => read({})).toThrow(
      expect.objectContaining({ code: 'USAGE', hint: expect.stringContaining('--range LOW,HIGH') }),
    );
    expect(() => read({ range: [0, 5] })).toThrow(expect.objectContaining({ code: 'SCHEMA_INVALID' }));
    const wider = expect.objectContaining({ hint: expect.stringContaining('--range 0,7 holds those that are there') });
    expect(() => read({ range: [0, 5] })).toThrow(wider);
    expect(() => read({ range: [0, 5], missing: 'common-tasks' })).toThrow(wider);
    expect(() => read({ range: [9, 0] })).toThrow(expect.objectContaining({ code: 'USAGE' }));
    expect([...read({ range: [0, 10] }).bounds!.high.values].slice(8)).toEqual([10, 10, 7, 10, 7, 10, 0, 0]);
  });

  it('is complete without gaps, whatever the rule', () => {
    for (const missing of ['withhold', 'common-tasks', 'bounds'] as const) {
      const read = matrixFromCsv('model,t\na,1\nb,0\n', { file: 'x.csv', scale: 1, missing });
      expect([read.gaps, read.bounds, read.dropped]).toEqual([undefined, undefined, 0]);
    }
  });
});
