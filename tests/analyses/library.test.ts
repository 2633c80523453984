import { describe, expect, it } from 'vitest';
import { coverage, matrixFromRows, power, rankAudit } from '../../src/analyses/index.js';
import { createEngine } from '../../src/engine/index.js';
import { matrixFromCsv } from '../../src/scores/matrix-file.js';
import { cliInline } from '../support/cli-inline.js';
import { suiteFolder } from '../support/folders.js';

const { write: auditFile } = suiteFolder('audit-');

const models = ['a', 'b', 'c'];
const tasks = Array.from({ length: 30 }, (_, t) => `t${t}`);
const values = models.map((_, m) => tasks.map((__, t) => Number((7 * t + 3 * m) % 10 < 3 + 3 * m)));
const text = `model,${tasks.join()}\n${models.map((model, m) => `${model},${values[m]!.join()}`).join('\n')}\n`;

describe('a matrix of rows', () => {
  it('is that of the same table, with labels and truth values', () => {
    const read = matrixFromCsv(text, { file: 'x.csv', scale: 1 }).matrix;
    expect(matrixFromRows({ models, tasks, values })).toEqual(read);
    expect(matrixFromRows({ models, tasks, values: values.map((row) => row.map((v) => v === 1)) })).toEqual(read);
    const labelled = matrixFromRows({
      models: ['m'],
      tasks: ['t', 'u'],
      values: [[0.25, 1]],
      quantize: 100,
      families: ['f', 'g'],
      clusters: ['c', 'c'],
      panels: ['p', 'q'],
    });
    expect(labelled).toMatchObject({ families: ['f', 'g'], clusters: ['c', 'c'], panels: ['p', 'q'], scale: 100 });
    expect([...labelled.values]).toEqual([25, 100]);
  });

  it('is refused where rows, columns and labels do not agree, and withheld where a value is missing', () => {
    const rows = { models: ['a', 'b'], tasks: ['t', 'u'] };
    for (const wrong of [
      { values: [[1, 2]] },
      { values: [[1, 2], [3]] },
      {
        values: [
          [1, 2],
          [3, 4],
        ],
        families: ['f'],
      },
    ])
      expect(() => matrixFromRows({ ...rows, ...wrong })).toThrow(expect.objectContaining({ code: 'SCHEMA_INVALID' }));
    const gaps = {
      ...rows,
      values: [
        [1, null],
        [0, 1],
      ],
    };
    expect(() => matrixFromRows(gaps)).toThrow(expect.objectContaining({ code: 'INCOMPLETE' }));
    expect(matrixFromRows({ ...gaps, missing: 'common-tasks' }).tasks).toEqual(['t']);
    expect(() => matrixFromRows({ ...gaps, missing: 'bounds' })).toThrow(expect.objectContaining({ code: 'USAGE' }));
    expect(() =>
      matrixFromRows({
        ...rows,
        scale: 1,
        values: [
          [1, 0.5],
          [0, 1],
        ],
      }),
    ).toThrow(
      expect.objectContaining({
        code: 'CELL_NOT_INTEGER',
        message: expect.stringContaining('model "a", task "u" is 0.5'),
      }),
    );
  });
});

describe('analyses from a program', () => {
  it('give the results of their commands, with the same defaults', async () => {
    const path = auditFile('wide.csv', text);
    const matrix = matrixFromRows({ models, tasks, values });
    const engine = await createEngine();
    const small = { draws: 200, flips: 500 };
    const flags = ['--draws', '200', '--flips', '500', '--json'];
    const results = async (...call: string[]) => JSON.parse((await cliInline(call)).stdout).results;
    const audit = await rankAudit({ matrix, engine, ...small });
    expect(audit.results).toEqual(await results('rank-audit', path, ...flags));
    expect(audit.words).toContain('3 models');
    const plan = await power({ matrix, engine, difference: 0.3, datasets: 8, flips: 500 });
    expect(plan.results).toEqual(
      await results(
        'power',
        '--scores',
        path,
        '--scale',
        '1',
        '--difference',
        '0.3',
        '--datasets',
        '8',
        '--flips',
        '500',
        '--json',
      ),
    );
    const check = await coverage({ matrix, engine, datasets: 3, ...small });
    expect(check.results).toEqual(
      await results('coverage', '--scores', path, '--scale', '1', '--datasets', '3', ...flags),
    );
    await engine.close();
  });
});
