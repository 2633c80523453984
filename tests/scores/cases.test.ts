import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type ScoreOptions, scoresOf } from '../../src/scores/read-scores.js';

const CASES = fileURLToPath(new URL('../../fixtures/cases/', import.meta.url));
const read = (name: string, options: ScoreOptions = {}) =>
  scoresOf([{ name, bytes: readFileSync(`${CASES}${name}`) }], options);

/** Scores of the same four models on eight tasks, which several files hold. */
const FOUR = [
  [30, 37, 35, 33, 31, 38, 36, 34],
  [38, 36, 43, 41, 39, 37, 35, 42],
  [46, 44, 42, 40, 47, 45, 43, 41],
  [45, 52, 50, 48, 46, 53, 51, 49],
];
const names = (letter: string, n: number) => Array.from({ length: n }, (_, i) => `${letter}${i}`);

describe('the tables that failed before', () => {
  it.each([
    ['tables/long-capital-names.csv', 'Model / Task / Value'],
    ['tables/wide-datasets-in-rows.csv', 'a, b, c, d / dataset: rows are tasks'],
    ['tables/long-semicolon.csv', 'model / task / value; read as CSV, semicolons'],
    ['tables/long.tsv', 'model / task / value; read as TSV'],
    ['tables/long-lz4.feather', 'model / task / value; read as Arrow file'],
    ['tables/wide-pandas-index.parquet', 'model / t0, t1, t2, t3, t4, t5, t6, t7; read as Parquet'],
  ])('%s holds four models on eight tasks, from %s', async (file, from) => {
    const { matrix, reading, warnings } = await read(file);
    expect(matrix).toMatchObject({ models: ['a', 'b', 'c', 'd'], tasks: names('t', 8), scale: 100 });
    expect([...matrix.values]).toEqual(FOUR.flat());
    expect(reading.text).toBe(`4 models x 8 tasks, 0.3 to 0.53 (scale 100), from ${from}`);
    expect(warnings).toEqual([]);
  });

  it('true and false are 1 and 0', async () => {
    const { matrix, reading } = await read('tables/long-boolean.csv');
    expect([...matrix.values]).toEqual([
      ...[0, 0, 0, 0, 0, 0, 0, 0],
      ...[0, 0, 1, 1, 0, 0, 0, 1],
      ...[1, 1, 1, 0, 1, 1, 1, 1],
      ...[1, 1, 1, 1, 1, 1, 1, 1],
    ]);
    expect(reading.text).toBe('4 models x 8 tasks, 0 and 1, from model / task / value');
  });

  it('NA is a missing cell, long and wide', async () => {
    for (const [file, cell] of [
      ['long-NA', ['a', 't3']],
      ['na', ['a', 't1']],
    ] as const) {
      const name = `tables/${file}.csv`;
      await expect(read(name)).rejects.toMatchObject({
        code: 'INCOMPLETE',
        exit: 3,
        message: expect.stringContaining(`"${cell[0]}" "${cell[1]}" (empty`),
      });
      const { matrix, dropped } = await read(name, { missing: 'common-tasks' });
      expect([matrix.tasks.includes(cell[1]), dropped]).toEqual([false, 1]);
    }
  });

  it('params is left out and named, and --only takes it', async () => {
    const { matrix, reading } = await read('tables/params.csv');
    expect([matrix.tasks, [...matrix.values]]).toEqual([
      ['t1', 't2'],
      [1, 0, 0, 1],
    ]);
    expect(reading.text).toBe('2 models x 2 tasks, 0 and 1, from model / t1, t2; left out: params');
    const all = await read('tables/params.csv', { only: ['params,t1'] });
    expect([all.matrix.tasks, [...all.matrix.values]]).toEqual([
      ['params', 't1'],
      [7, 1, 70, 0],
    ]);
  });

  it.each(['model-last.csv', 'steps.parquet'])(
    '%s: a column model names the models wherever it stands',
    async (file) => {
      const { matrix } = await read(`tables/${file}`);
      expect(matrix).toMatchObject({ models: ['1000', '2000', '3000'], tasks: ['aime', 'gpqa', 'mmlu'], scale: 1 });
      expect([...matrix.values]).toEqual([71, 60, 80, 75, 62, 83, 78, 69, 81]);
    },
  );

  it.each([
    ['nfc', 'models that look alike are counted as different: "café" and "café" (normal form)'],
    ['wsrow', 'models that look alike are counted as different: "a" and "a " (blanks)'],
    ['zw', 'models that look alike are counted as different: "a" and "a\\u200b" (characters without width)'],
  ])('%s.csv has two models that look alike, named in a warning', async (file, warning) => {
    const { matrix, warnings } = await read(`tables/${file}.csv`);
    expect([...matrix.values]).toEqual([1, 0, 0, 1]);
    expect(warnings.map((text) => text.normalize('NFC'))).toEqual([warning]);
  });

  it.each([
    ['clusters/transposed.csv', '40 models and 3 tasks, and its models are called "t0", "t1", ...'],
    ['tables/1000-models.csv', '1000 models and 5 tasks; if rows are tasks'],
  ])('%s may lie on its side, and that is said', async (file, said) => {
    const { warnings } = await read(file);
    expect(warnings).toEqual([expect.stringContaining(said)]);
    expect(warnings[0]).toContain('--transpose');
  });

  it('--transpose turns a table', async () => {
    const plain = await read('clusters/transposed.csv');
    const { matrix, reading, warnings } = await read('clusters/transposed.csv', { transpose: true });
    expect([matrix.models, matrix.tasks, warnings]).toEqual([['A', 'B', 'C'], names('t', 40), []]);
    expect(matrix.values[0 * 40 + 2]).toBe(plain.matrix.values[2 * 3 + 0]);
    expect(reading.form).toBe('turned');
  });

  it.each(['pl_oldest.arrow', 'pl_newest.arrow'])(
    '%s, which another program wrote, holds three models',
    async (file) => {
      const { matrix } = await read(`tables/${file}`);
      expect(matrix).toMatchObject({ models: ['a', 'b', 'c'], tasks: ['t', 'u'], scale: 1 });
      expect([...matrix.values]).toEqual([1, 1, 0, 1, 1, 0]);
    },
  );

  it('answers are no scores, and that is said', async () => {
    await expect(read('tables/answers.arrow')).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('answers'),
      hint: expect.stringContaining('flavourbench infer --responses tables/answers.arrow --tasks TASKS'),
    });
  });

  it('120 models on 50 tasks of noughts and ones are that', async () => {
    const { reading, warnings } = await read('tables/120-models.csv');
    expect(reading.text).toBe('120 models x 50 tasks, 0 and 1, from model / 50 columns t0 to t49');
    expect(warnings).toEqual([]);
  });
});
