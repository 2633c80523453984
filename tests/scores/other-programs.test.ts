import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { scoresOf } from '../../src/scores/read-scores.js';
import type { ScoreTable } from '../../src/scores/score-table.js';
import { readTable } from '../../src/scores/table-file.js';

/** What DuckDB, polars, parquet-wasm, apache-arrow, exceljs, pandas, numpy and R made of one table; the programs stand beside. */
const FOLDER = new URL('../../fixtures/tables/', import.meta.url);
const MODELS = ['a', 'b', 'c', 'd é'];
const TASKS = ['t0', 't1', 't2', 't3', 't4', 't5'];
/** The table, by hand: 17 more a model and 29 more a task, the last two digits, in hundredths. */
const SCORES = [
  [0, 0.29, 0.58, 0.87, 0.16, 0.45],
  [0.17, 0.46, 0.75, 0.04, 0.33, 0.62],
  [0.34, 0.63, 0.92, 0.21, 0.5, 0.79],
  [0.51, 0.8, 0.09, 0.38, 0.67, 0.96],
];

const bytesOf = (name: string) => readFileSync(new URL(name, FOLDER));
const read = (name: string, options = {}) => readTable(bytesOf(name), name, options);

/** Scores of a long table, by name, and by the order in which codes number the names. */
function longScores(table: ScoreTable, models: readonly string[], tasks: readonly string[]): number[][] {
  const [model, task] = [table.coded('model')!, table.coded('task')!];
  const value = table.column('value')!;
  const scores = models.map(() => tasks.map(() => Number.NaN));
  for (let row = 0; row < table.rows; row += 1) {
    const m = models.indexOf(String(model.values[model.codes[row]!]));
    scores[m]![tasks.indexOf(String(task.values[task.codes[row]!]))] = Number(value[row]);
  }
  return scores;
}

/** Scores of a wide one: rows in order, the columns after the first. */
const wideScores = (table: ScoreTable, columns: readonly string[]): number[][] =>
  Array.from({ length: table.rows }, (_, row) => columns.map((name) => Number(table.column(name)![row])));

const LONG: Readonly<Record<string, string>> = {
  'arrow-js-dictionary-float32.arrow': 'Arrow file',
  'arrow-js-float16.arrow': 'Arrow file',
  'arrow-js-stream.arrows': 'Arrow stream',
  'duckdb-decimal-enum-list.parquet': 'Parquet',
  'duckdb-long-bars.csv': 'CSV, bars',
  'duckdb-long-brotli.parquet': 'Parquet',
  'duckdb-long-gzip.parquet': 'Parquet',
  'duckdb-long-lz4.parquet': 'Parquet',
  'duckdb-long-snappy.parquet': 'Parquet',
  'duckdb-long-uncompressed.parquet': 'Parquet',
  'duckdb-long-v2.parquet': 'Parquet',
  'duckdb-long-zstd.parquet': 'Parquet',
  'duckdb-long.csv.zst': 'CSV, Zstandard',
  'duckdb-long.json': 'JSON, list of objects',
  'duckdb-long.jsonl.gz': 'JSON Lines, gzip',
  'pandas-long-bars.csv.gz': 'CSV, bars, gzip',
  'pandas-long-columns.json': 'JSON, pandas columns',
  'pandas-long-decimal-comma.csv': 'CSV, semicolons',
  'pandas-long-index.csv': 'CSV',
  'pandas-long-index.json': 'JSON, object of objects',
  'pandas-long-quoted.csv': 'CSV',
  'pandas-long-records.json': 'JSON, list of objects',
  'pandas-long-split.json': 'JSON, pandas split',
  'pandas-long-table.json': 'JSON, pandas table',
  'pandas-long-utf16.tsv': 'TSV, UTF-16',
  'pandas-long.csv.zip': 'CSV, zip',
  'pandas-long.jsonl': 'JSON Lines',
  'pandas-long.xlsx': 'Excel',
  'pandas-merged-dates.xlsx': 'Excel, merged cells filled down',
  'pandas-scores-named.npz': 'numpy archive',
  'parquet-wasm-brotli.parquet': 'Parquet',
  'parquet-wasm-gzip.parquet': 'Parquet',
  'parquet-wasm-lz4-raw.parquet': 'Parquet',
  'parquet-wasm-snappy-v2.parquet': 'Parquet',
  'parquet-wasm-zstd.parquet': 'Parquet',
  'polars-categorical.arrow': 'Arrow file',
  'polars-long-brotli.parquet': 'Parquet',
  'polars-long-gzip.parquet': 'Parquet',
  'polars-long-lz4.arrow': 'Arrow file',
  'polars-long-lz4.parquet': 'Parquet',
  'polars-long-semicolon.csv': 'CSV, semicolons',
  'polars-long-snappy.parquet': 'Parquet',
  'polars-long-uncompressed.arrow': 'Arrow file',
  'polars-long-zstd.arrow': 'Arrow file',
  'polars-long-zstd.parquet': 'Parquet',
  'polars-long.json': 'JSON, list of objects',
  'polars-long.jsonl': 'JSON Lines',
  'polars-stream.arrows': 'Arrow stream',
  'r-long-utf16.tsv': 'TSV, UTF-16',
  'r-long.csv': 'CSV',
  'r-long.csv.gz': 'CSV, gzip',
  'r-long.tsv': 'TSV',
  'r-long2.csv': 'CSV, semicolons',
};

const WIDE: Readonly<Record<string, readonly [string, string, (readonly string[])?]>> = {
  'duckdb-wide.parquet': ['Parquet', 'model'],
  'pandas-wide-index.json': ['JSON, object of objects', '', ['']],
  'pandas-wide-split.json': ['JSON, pandas split', '', ['']],
  'pandas-wide-table.json': ['JSON, pandas table', 'model', ['model']],
  'pandas-wide-unnamed.csv': ['CSV', '', ['']],
  'pandas-wide.csv': ['CSV', 'model'],
  'pandas-wide.tex': ['LaTeX', 'model'],
  'pandas-wide.xlsx': ['Excel', 'model'],
  'r-wide-bars.txt': ['CSV, bars', '', ['']],
  'r-wide-row-names.csv': ['CSV', '', ['']],
};

/** Each is read or refused in a test of its own. */
const OTHERS = [
  'duckdb-struct.parquet',
  'exceljs-second-sheet.xlsx',
  'pandas-long-values.json',
  'pandas-runs.npz',
  'pandas-scores-fortran-f4.npy',
  'pandas-scores.npy',
  'pandas-structured.npy',
  'pandas-wide-columns.json',
  'pandas-wide-records.json',
];

describe('tables that other programs wrote', () => {
  it('are all in a test here', () => {
    const files = readdirSync(FOLDER).filter((name) => !name.startsWith('make-'));
    expect([...Object.keys(LONG), ...Object.keys(WIDE), ...OTHERS].sort()).toEqual(files.sort());
  });

  it.each(Object.entries(LONG))('%s is read as %s', async (name, kind) => {
    const table = await read(name);
    expect(table.kind).toBe(kind);
    expect(table.rows).toBe(24);
    expect(longScores(table, MODELS, TASKS)).toEqual(SCORES);
  });

  it.each(Object.entries(WIDE))('%s is read with its index', async (name, [kind, first, index]) => {
    const table = await read(name);
    expect([table.kind, table.names, table.index]).toEqual([kind, [first, ...TASKS], index]);
    expect(Array.from(table.column(first)!)).toEqual(MODELS);
    expect(wideScores(table, TASKS)).toEqual(SCORES);
  });

  it('a sheet is read by its name, formulas by the values stored with them', async () => {
    const table = await read('exceljs-second-sheet.xlsx', { sheet: 'scores' });
    expect(table.kind).toBe('Excel, sheet "scores"');
    expect(longScores(table, MODELS, TASKS)).toEqual(SCORES);
    expect((await read('exceljs-second-sheet.xlsx')).names).toEqual(['about these scores']);
    await expect(read('exceljs-second-sheet.xlsx', { sheet: 'score' })).rejects.toThrow(
      'no sheet "score"; found "notes", "scores"',
    );
  });

  it('an array of runs x tasks takes names of rows, of columns or of both', async () => {
    const names = ['pandas-scores.npy', 'pandas-scores-fortran-f4.npy'];
    const tasks = TASKS.map((_, i) => `task ${i + 1}`);
    for (const name of names) {
      expect(longScores(await read(name), ['run 1', 'run 2', 'run 3', 'run 4'], tasks)).toEqual(SCORES);
      expect(longScores(await read(name, { names: MODELS }), MODELS, tasks)).toEqual(SCORES);
      expect(longScores(await read(name, { names: [...MODELS, ...TASKS] }), MODELS, TASKS)).toEqual(SCORES);
      await expect(read(name, { names: ['a'] })).rejects.toThrow('1 names for an array of 4 rows and 6 columns');
    }
  });

  it('an archive of an array a model has its runs as attempts', async () => {
    const table = await read('pandas-runs.npz', { names: TASKS });
    expect(table.names).toEqual(['model', 'task', 'value', 'attempt']);
    expect(table.rows).toBe(48);
    expect([...new Set(Array.from(table.column('attempt')!))]).toEqual([1, 2]);
    expect(longScores(table, MODELS, TASKS)).toEqual(SCORES);
  });

  it('an object of columns by index has what stands outside in its rows, for nothing in it says which of the two are models', async () => {
    const table = await read('pandas-wide-columns.json');
    expect([table.names, table.index]).toEqual([['', ...MODELS], ['']]);
    expect(wideScores(table, MODELS)).toEqual(TASKS.map((_, t) => SCORES.map((row) => row[t])));
  });

  it('records without their index have no names of rows', async () => {
    const table = await read('pandas-wide-records.json');
    expect([table.names, table.index]).toEqual([TASKS, undefined]);
    expect(wideScores(table, TASKS)).toEqual(SCORES);
  });

  it('what holds parts of its own is refused with the commands that flatten it', async () => {
    const nested = await read('duckdb-struct.parquet');
    expect(nested.names).toEqual(['model', 'task', 'result']);
    await expect(scoresOf([{ name: 's.parquet', bytes: bytesOf('duckdb-struct.parquet') }])).rejects.toMatchObject({
      code: 'PARQUET_INVALID',
      message: 's.parquet: column "result" is nested: it holds parts of its own',
      hint: expect.stringContaining(`SELECT * EXCLUDE ("result"), unnest("result") FROM 's.parquet'`),
    });
    await expect(read('pandas-structured.npy')).rejects.toMatchObject({
      code: 'NPY_INVALID',
      message: expect.stringContaining('its rows have named fields'),
      hint: expect.stringContaining('pandas.DataFrame(numpy.load("pandas-structured.npy")).to_csv'),
    });
  });

  it('values alone are refused with the reason', async () => {
    await expect(read('pandas-long-values.json')).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message: expect.stringContaining('a list of 24 lists, which name neither models nor tasks'),
    });
  });
});
