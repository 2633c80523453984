import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ScoreMatrix } from '../../src/core/matrix.js';
import { arrowFile } from '../../src/io/arrow/write-arrow.js';
import { withChance } from '../../src/scores/chance.js';
import {
  matrixFromArrow,
  matrixFromCsv,
  matrixToArrow,
  matrixToCsv,
  readMatrix,
} from '../../src/scores/matrix-file.js';

const HEAD = 'model,task,panel,family,cluster,value';
const small = (...rows: string[]) => `${HEAD}\n${rows.join('\n')}\n`;
const good = small('m1,t1,p,f,c1,10', 'm1,t2,p,g,c2,-20', 'm2,t1,p,f,c1,0', 'm2,t2,p,g,c2,10000');
const from = (text: string, options = {}) => matrixFromCsv(text, { file: 'x.csv', ...options });

const thrown = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    return error as { code: string; message: string };
  }
  throw new Error('nothing was thrown');
};

describe('a matrix in CSV', () => {
  it('keeps models and tasks in the order of first appearance', () => {
    const text = small('b,y,p,f,c1,1', 'b,x,q,g,c2,2', 'a,x,q,g,c2,3', 'a,y,p,f,c1,4');
    const { matrix } = from(text, { scale: 10 });
    expect(matrix.models).toEqual(['b', 'a']);
    expect(matrix.tasks).toEqual(['y', 'x']);
    expect(matrix.panels).toEqual(['p', 'q']);
    expect([...matrix.values]).toEqual([1, 2, 4, 3]);
    expect(matrix.scale).toBe(10);
  });

  it('may have its columns in any order and others beside them', () => {
    const text = 'value,cluster,note,family,panel,task,model\n7,c,hello,f,p,t,m\n';
    expect([...from(text).matrix.values]).toEqual([7]);
  });

  it('is refused with more cells than fit, before room is made for them', () => {
    const rows = Array.from({ length: 8200 }, (_, i) => `m${i},t${i},1`);
    expect(thrown(() => from(`model,task,value\n${rows.join('\n')}\n`))).toMatchObject({
      code: 'BOUND_EXCEEDED',
      message: expect.stringContaining('8200 models and 8200 tasks are 67240000 cells'),
    });
  });

  const wrong: readonly [string, string, string, readonly string[]][] = [
    [
      'a missing cell',
      good.replace('m2,t1,p,f,c1,0\n', ''),
      'INCOMPLETE',
      ['"m2"', '"t1"', '1 of 4 cells is', 'absent'],
    ],
    ['an empty value', good.replace('c1,10\n', 'c1,\n'), 'INCOMPLETE', ['"m1"', '"t1"', 'empty: x.csv, line 2']],
    [
      'a duplicate',
      `${good}m2,t2,p,g,c2,10000\n`,
      'CELL_DUPLICATE',
      ['"m2"', '"t2"', 'line 6', 'first in x.csv, line 5'],
    ],
    ['NaN', good.replace('-20', 'NaN'), 'INCOMPLETE', ['"m1"', '"t2"', 'empty: x.csv, line 3']],
    ['infinity', good.replace('-20', '1e999'), 'CELL_NOT_INTEGER', ['1e999']],
    ['a word', good.replace('-20', 'high'), 'CELL_NOT_INTEGER', ['x.csv, line 3', '"value"', '"high"']],
    ['a number past 2^53', good.replace('-20', '9007199254740993'), 'CELL_NOT_INTEGER', ['"t2"']],
    ['no cluster', good.replace('c1,10', ',10'), 'CLUSTER_MISSING', ['"t1"']],
    ['no family', good.replace('f,c1,10', ',c1,10'), 'SCHEMA_INVALID', ['"t1"', 'family']],
    ['no model', good.replace('m1,t1', ',t1'), 'SCHEMA_INVALID', ['line 2']],
    ['a task in two clusters', good.replace('c1,0', 'c9,0'), 'SCHEMA_INVALID', ['"c9"', '"c1"']],
    ['no rows', `${HEAD}\n`, 'SCHEMA_INVALID', ['x.csv']],
    ['a missing column', 'model,task,points\na,b,1\n', 'SCHEMA_INVALID', ['no column is known to hold the values']],
  ];
  it.each(wrong)('is refused with its line for %s', (_, text, code, words) => {
    const error = thrown(() => from(text));
    expect(error.code).toBe(code);
    for (const word of words) expect(error.message).toContain(word);
  });

  it('needs no panel, family or cluster, long or wide', () => {
    const plain = {
      models: ['a', 'b'],
      tasks: ['t', 'u'],
      panels: ['all', 'all'],
      families: ['all', 'all'],
      clusters: ['t', 'u'],
      scale: 1,
    };
    const long = from('model,task,value\na,t,900\na,u,200\nb,t,3\nb,u,4\n');
    expect(long.matrix).toMatchObject(plain);
    expect(long.warnings).toEqual([]);
    const wide = from('who,t,u\na,900,200\nb,3,4\n');
    expect(wide.matrix).toEqual(long.matrix);
    expect(from('model,task,family,value\na,t,f,1\na,u,g,2\n').matrix).toMatchObject({
      families: ['f', 'g'],
      clusters: ['t', 'u'],
    });
  });

  it('is refused where a column is empty, with what to write', () => {
    for (const text of [good.replace('c1,10', ',10'), good.replace('f,c1,10', ',c1,10')])
      expect(thrown(() => from(text))).toMatchObject({
        hint: expect.stringContaining('or leave the column out'),
      });
  });

  it('takes labels from a file beside it before its own columns', () => {
    const labels = { clusters: new Map([['t1', 'z']]), families: new Map([['t2', 'h']]) };
    expect(from(good, { labels }).matrix).toMatchObject({
      clusters: ['z', 'c2'],
      families: ['f', 'h'],
    });
  });

  it('loses the tasks that some model lacks on request; else every missing cell is listed', () => {
    const gaps = 'model,t,u,v\na,1,,3\nb,4,5,\n';
    const { matrix, dropped } = from(gaps, { missing: 'common-tasks' });
    expect([matrix.tasks, [...matrix.values], dropped]).toEqual([['t'], [1, 4], 2]);
    let told: unknown;
    const withheld = (cells: unknown) => {
      told = cells;
    };
    expect(thrown(() => from(gaps, { withheld }))).toMatchObject({
      code: 'INCOMPLETE',
      exit: 3,
      hint: expect.stringContaining('--missing common-tasks'),
    });
    expect(told).toEqual([
      { model: 'a', task: 'u', reason: 'empty', place: 'x.csv, line 2' },
      { model: 'b', task: 'v', reason: 'empty', place: 'x.csv, line 3' },
    ]);
    expect(thrown(() => from('model,t\na,1\nb,\n', { missing: 'common-tasks' })).message).toContain(
      'no task that every model has',
    );
  });

  it('has the scale that its decimals ask for, unless the call states one', () => {
    const binary = 'model,t,u\na,1,0\nb,0,1\n';
    expect(from(binary).matrix.scale).toBe(1);
    expect(from(binary.replace('a,1', 'a,.731')).matrix).toMatchObject({
      scale: 1000,
      values: Float64Array.of(731, 0, 0, 1000),
    });
    expect(from(binary, { scale: 100 }).matrix).toMatchObject({ scale: 100, values: Float64Array.of(1, 0, 0, 1) });
    expect(from(binary, { quantize: 100 }).matrix.values).toEqual(Float64Array.of(100, 0, 0, 100));
  });

  it('may have whole numbers however they are written', () => {
    expect([...from(small('m,t,p,f,c,1e2', 'm,u,p,f,d,+3.0', 'm,v,p,f,e,-0')).matrix.values]).toEqual([100, 3, 0]);
  });

  it('has real values rounded half to even on request, and the largest change is stated', () => {
    const text = small('m,t,p,f,c,0.125', 'm,u,p,f,d,0.375', 'm,v,p,f,e,50', 'm,w,p,f,g,33.333');
    const { matrix, quantization } = from(text, { quantize: 100 });
    expect([...matrix.values]).toEqual([12, 38, 5000, 3333]);
    expect(matrix.scale).toBe(100);
    expect(quantization?.largestError).toBeCloseTo(0.005, 12);
    expect(thrown(() => from(text.replace('50', '9e18'), { quantize: 100 }))).toMatchObject({
      code: 'CELL_NOT_INTEGER',
      message: expect.stringContaining('"9e18"; a number below 2^53 units is expected'),
    });
  });

  it.each([0, -1, 2.5, Number.NaN, 1e10])('is refused with the scale %s', (scale) => {
    expect(thrown(() => from(good, { scale })).code).toBe('USAGE');
  });
});

const matrices = fc
  .record({
    models: fc.uniqueArray(
      fc.string({ minLength: 1 }).filter((s) => !/[\r\0]/.test(s)),
      {
        minLength: 1,
        maxLength: 4,
      },
    ),
    tasks: fc.uniqueArray(
      fc.string({ minLength: 1 }).filter((s) => !/[\r\0]/.test(s)),
      {
        minLength: 1,
        maxLength: 5,
      },
    ),
    seed: fc.array(fc.integer({ min: -(2 ** 40), max: 2 ** 40 }), { minLength: 20, maxLength: 20 }),
    scale: fc.integer({ min: 1, max: 1000 }),
  })
  .map(
    ({ models, tasks, seed, scale }): ScoreMatrix => ({
      models,
      tasks,
      panels: tasks.map((_, t) => `panel_${(t % 2) + 1}`),
      families: tasks.map((_, t) => `f${t % 3}`),
      clusters: tasks.map((_, t) => `c${t % 4}`),
      values: Float64Array.from({ length: models.length * tasks.length }, (_, i) => seed[i % 20]!),
      scale,
    }),
  );

describe('a matrix on disk', () => {
  it('is the same when it is read back from CSV and Arrow', async () => {
    await fc.assert(
      fc.asyncProperty(matrices, async (matrix) => {
        const { values, scale } = from(matrixToCsv(matrix), { quantize: matrix.scale }).matrix;
        expect([[...values], scale]).toEqual([[...matrix.values], matrix.scale]);
        const { matrix: again } = await matrixFromArrow(await matrixToArrow(matrix), {
          file: 'x.arrow',
        });
        expect(again).toEqual(matrix);
      }),
      { numRuns: 40 },
    );
  });

  it('keeps chance in Arrow, and its format is told by its first bytes', async () => {
    const { matrix } = from(good);
    const known = withChance(matrix, 'task,value\nt2,4\nt1,3\nother,1\n', { file: 'chance.csv' });
    expect([...known.chance!]).toEqual([3, 4]);
    const bytes = Buffer.from(await matrixToArrow(known));
    expect((await readMatrix(bytes, { file: 'x' })).matrix).toEqual(known);
    expect((await readMatrix(Buffer.from(good), { file: 'x' })).matrix).toEqual(matrix);
  });

  it('is refused with wrong chance values, each named', () => {
    const { matrix } = from(good);
    const code = (text: string) => thrown(() => withChance(matrix, text, { file: 'chance.csv' })).code;
    expect(code('task,value\nt1,1\n')).toBe('CELL_MISSING');
    expect(code('task,value\nt1,1\nt1,1\n')).toBe('CELL_DUPLICATE');
    expect(code('task,value\nt1,1\nt2,x\n')).toBe('CELL_NOT_INTEGER');
    const finer = withChance(matrix, 'task,value\nt1,0.25\nt2,1\n', { file: 'chance.csv' });
    expect([finer.scale, [...finer.chance!], finer.values[0]]).toEqual([100, [25, 100], 1000]);
    expect(code('task,chance\nt1,1\n')).toBe('SCHEMA_INVALID');
  });

  it('is refused for a null and a missing column in Arrow', async () => {
    const table = (values: (number | null)[]) =>
      arrowFile({
        columns: [
          ...['model', 'task', 'panel', 'family', 'cluster'].map((name) => ({
            name,
            kind: 'text' as const,
            values: values.map((_, i) => `${name}${name === 'model' ? '' : i}`),
          })),
          { name: 'value', kind: 'float64', values },
        ],
      });
    const read = async (values: (number | null)[]) => matrixFromArrow(await table(values), { file: 'x.arrow' });
    expect([...(await read([1, 2])).matrix.values]).toEqual([1, 2]);
    await expect(read([1, null])).rejects.toMatchObject({ code: 'INCOMPLETE' });
    expect((await read([1, 0.5])).matrix).toMatchObject({ scale: 10, values: Float64Array.of(10, 5) });
    const bare = arrowFile({ columns: [{ name: 'model', kind: 'text', values: ['a'] }] });
    await expect(matrixFromArrow(bare, { file: 'x' })).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
    });
  });
});
