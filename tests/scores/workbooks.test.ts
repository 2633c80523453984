import { describe, expect, it } from 'vitest';
import { filledDown } from '../../src/io/xlsx/filled-down.js';
import { scoresOf } from '../../src/scores/read-scores.js';
import { type BookCell, workbook } from '../support/workbook.js';

const day = (number: number, format = 'yyyy-mm-dd'): BookCell => ({ number, format });
const read = (rows: readonly (readonly BookCell[])[], parts: Parameters<typeof workbook>[1] = {}, options = {}) =>
  scoresOf([{ name: 'x.xlsx', bytes: workbook(rows, parts) }], options);

describe('a cell of a workbook that is formatted as a date (reading 1.7)', () => {
  it('is no score: a column of dates is left out and named', async () => {
    const { reading } = await read([
      ['model', 'released', 't1', 't2'],
      ['a', day(45444), 1, 0],
      ['b', day(45488), 0, 1],
    ]);
    expect(reading.text).toBe('2 models x 2 tasks, 0 and 1, from model / t1, t2; left out: released; read as Excel');
  });

  it('names no model where nothing else does, and is a name where a task or a column has it', async () => {
    const dated = [['on', 't1'], ...[1, 0].map((value, i) => [day(45444 + i), value])];
    await expect(read(dated)).rejects.toThrow('column "on" holds dates such as "2024-06-01", which name no models');
    const heads = await read([
      ['model', day(45444), day(45474)],
      ['a', 1, 0],
      ['b', 0, 1],
    ]);
    expect(heads.matrix.tasks).toEqual(['2024-06-01', '2024-07-01']);
    const long = ['a', 'b'].flatMap((model) => [45444, 45474].map((on, t) => [model, day(on), t]));
    expect((await read([['model', 'task', 'score'], ...long])).matrix.tasks).toEqual(['2024-06-01', '2024-07-01']);
  });

  it('that a spreadsheet made of a score is refused with its place', async () => {
    const rows = [
      ['model', 't1', 't2'],
      ['a', 0.5, 1],
      ['b', day(46054, 'd-mmm'), 0],
    ];
    await expect(read(rows)).rejects.toMatchObject({
      code: 'CELL_NOT_INTEGER',
      message: expect.stringContaining('2026-02-01'),
    });
  });

  it.each([
    ['yyyy-mm-dd', 45444.5625, '2024-06-01 13:30:00'],
    ['14', 1, '1900-01-01'],
    ['22', 60, '1900-02-29'],
    ['[$-409]mmm\\ d', 61, '1900-03-01'],
    ['47', 0.5, '12:00:00'],
    ['46', 1.5, '36:00:00'],
    ['[hh]:mm', 2.25, '54:00:00'],
    ['[Red]h:mm AM/PM;@', 0.75, '18:00:00'],
    ['yyyy', 2958465, '9999-12-31'],
  ])('%s of %d reads %s', async (format, number, text) => {
    const { matrix } = await read([
      ['model', day(number, format)],
      ['a', 1],
      ['b', 0],
    ]);
    expect(matrix.tasks).toEqual([text]);
  });

  it.each([
    ['0.00'],
    ['#,##0 "days"'],
    ['General'],
    ['0.0%'],
    ['[Red]0;[Blue]-0'],
    ['0_d'],
    ['0\\d'],
    ['$#,##0'],
    ['0E+00'],
  ])('is what %s shows none of', async (format) => {
    const { matrix } = await read([
      ['model', 't'],
      ['a', day(2, format)],
      ['b', day(1, format)],
    ]);
    expect([...matrix.values]).toEqual([2, 1]);
  });

  it('counts from 1904 where the workbook says so, and is a number past the year 9999', async () => {
    const { matrix } = await read(
      [
        ['model', day(44623), day(2_957_004)],
        ['a', 1, 1],
        ['b', 0, 1],
      ],
      { date1904: true },
    );
    expect(matrix.tasks).toEqual(['2026-03-04', '2957004']);
  });

  it('is a number where the code of its format is longer than any may be', async () => {
    const { matrix } = await read([
      ['model', day(44623, 'd'.repeat(255)), day(44624, `${'['.repeat(2_000_000)}d`)],
      ['a', 1, 1],
      ['b', 0, 1],
    ]);
    expect(matrix.tasks).toEqual(['2022-03-03', '44624']);
  });
});

describe('cells of a workbook that are merged (reading 1.7)', () => {
  const rows = [
    ['model', 'task', 'score'],
    ['a', 't', 1],
    [null, 'u', 0],
    ['b', 't', 0],
    [null, 'u', 1],
  ];

  it('over several rows stand in each of them, and that is said', async () => {
    const { matrix, reading } = await read(rows, { merged: ['A2:A3', 'A4:A5'] });
    expect([matrix.models, matrix.tasks, [...matrix.values]]).toEqual([
      ['a', 'b'],
      ['t', 'u'],
      [1, 0, 0, 1],
    ]);
    expect(reading.text).toContain('read as Excel, merged cells filled down');
  });

  it('are not guessed where nothing merges them', async () => {
    await expect(read(rows)).rejects.toThrow('row 3: model "", task "u" has no name');
  });

  it('over columns of the first row are two rows of names, which is said', async () => {
    const names = [
      ['model', 'reasoning', null, 'code'],
      [null, 'mmlu', 'arc', 'humaneval'],
      ['a', 1, 0, 1],
      ['b', 0, 1, 1],
    ];
    await expect(read(names, { merged: ['A1:A2', 'B1:C1'] })).rejects.toMatchObject({
      hint: expect.stringContaining('Two rows name the columns here, the upper one in merged cells: delete it'),
    });
  });

  it('whose range is none, or that overlap without end, are refused', async () => {
    await expect(read(rows, { merged: ['A2'] })).rejects.toMatchObject({ code: 'XLSX_INVALID' });
    const numbers = Array.from({ length: 8000 }, (_, i) => i + 1);
    const merged = numbers.map((top) => ({ top, bottom: 9000, left: 0, right: 0 }));
    const sheet = { numbers, rows: numbers.map(() => ['x']), columns: 1, merged };
    expect(() => filledDown({ ...sheet, merged: [...merged, ...merged] })).toThrow(/cover more than 33554432/);
  });

  it('far to the right of short rows, which they would make long, are refused', () => {
    const numbers = Array.from({ length: 3000 }, (_, i) => i + 1);
    const wide = [...Array.from({ length: 16_383 }, () => null), 'x'];
    const rows = numbers.map((number) => (number === 1 ? wide : ['y']));
    const merged = [{ top: 1, bottom: 3000, left: 16_383, right: 16_383 }];
    expect(() => filledDown({ numbers, rows, merged })).toThrow(/cover more than 33554432/);
  });
});

describe('what a spreadsheet shows otherwise than it holds (reading 1.7)', () => {
  const table = [
    ['model', 't1', 't2'],
    ['a', 1, 0],
    ['b', 0, 1],
    ['c', 1, 1],
  ];

  const withFormula = (stored: string, kind?: string) =>
    read(table.map((row, r) => (r === 2 ? ['b', { formula: '0.4+0.4', stored, ...(kind && { kind }) }, 1] : row)));

  it.each([
    ['no value', ''],
    ['an element without content', '<v/>'],
    ['an empty value', '<v></v>'],
  ])('a formula that was never calculated is refused, and is no empty cell: %s', async (_, stored) => {
    await expect(withFormula(stored)).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message: expect.stringMatching(/^x\.xlsx, row 3: holds a formula whose value was never calculated/),
      hint: expect.stringContaining('save it there'),
    });
  });

  it('a formula that was calculated has its value, be that an empty text', async () => {
    expect((await withFormula('<v>0.8</v>')).matrix.tasks).toEqual(['t1', 't2']);
    await expect(withFormula('<v></v>', 'str')).rejects.not.toMatchObject({
      message: expect.stringContaining('formula'),
    });
  });

  it.each([
    ['rows', { filtered: [3] }],
    ['columns', { columns: '<cols><col min="2" max="2" hidden="1"/></cols>' }],
  ])('hidden %s are read, and that is said', async (_, parts) => {
    const { matrix, reading } = await read(table, parts);
    expect([matrix.models, matrix.tasks]).toEqual([
      ['a', 'b', 'c'],
      ['t1', 't2'],
    ]);
    expect(reading.text).toContain('hidden rows and columns read too');
    expect((await read(table)).reading.text).not.toContain('hidden');
  });
});
