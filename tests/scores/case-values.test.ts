import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import pl from 'nodejs-polars';
import { beforeAll, describe, expect, it } from 'vitest';
import { importEnvironment } from '../../src/environment/import-environment.js';
import { openEnvironment } from '../../src/environment/store.js';
import { scoresOf } from '../../src/scores/read-scores.js';
import { readTable } from '../../src/scores/table-file.js';
import { freshFolder } from '../support/folders.js';

const CASES = fileURLToPath(new URL('../../fixtures/cases/', import.meta.url));
const bytesOf = (name: string) => readFileSync(`${CASES}${name}`);

type Row = Readonly<Record<string, unknown>>;

/** Points of each model and task. */
async function points(name: string): Promise<ReadonlyMap<string, number>> {
  const { matrix } = await scoresOf([{ name, bytes: bytesOf(name) }]);
  const { models, tasks, values, scale } = matrix;
  return new Map(
    models.flatMap((model, m) =>
      tasks.map((task, t) => [`${model} ${task}`, values[m * tasks.length + t]! / scale] as const),
    ),
  );
}

/** The same of rows with a column a task, or with one value each, as another program gives them. */
const pointsOf = (rows: readonly Row[]): ReadonlyMap<string, number> =>
  new Map(
    rows.flatMap(({ model, ...rest }): readonly (readonly [string, number])[] =>
      'task' in rest
        ? [[`${model} ${rest.task}`, Number(rest.value)]]
        : Object.entries(rest).map(([task, value]) => [`${model} ${task}`, Number(value)]),
    ),
  );

let duck: DuckDBConnection;
beforeAll(async () => {
  duck = await (await DuckDBInstance.create(':memory:')).connect();
  return () => duck.closeSync();
});

describe('values of the cases that are too many to write down', () => {
  it.each([
    ['1000-models.csv', 5000],
    ['120-models.csv', 6000],
  ])('%s holds what stands between its commas', async (name, count) => {
    const lines = bytesOf(`tables/${name}`).toString().trimEnd().split('\n');
    const [[, ...tasks], ...rows] = lines.map((line) => line.trim().split(',')) as [string[], ...string[][]];
    const expected = rows.flatMap(([model, ...cells]) =>
      cells.map((cell, t) => [`${model} ${tasks[t]}`, Number(cell)] as const),
    );
    expect(expected).toHaveLength(count);
    expect(await points(`tables/${name}`)).toEqual(new Map(expected));
  });
});

describe('values of the binary cases, as other programs read them', () => {
  it.each([
    ['steps.parquet', 9],
    ['wide-pandas-index.parquet', 32],
  ])('%s holds what DuckDB finds in it', async (name, count) => {
    const found = (await duck.runAndReadAll(`SELECT * FROM '${CASES}tables/${name}'`)).getRowObjectsJS();
    const expected = pointsOf(found);
    expect(expected.size).toBe(count);
    expect(await points(`tables/${name}`)).toEqual(expected);
  });

  it.each([
    ['pl_oldest.arrow', 6],
    ['pl_newest.arrow', 6],
    ['long-lz4.feather', 32],
  ])('%s holds what polars finds in it', async (name, count) => {
    const expected = pointsOf(pl.readIPC(bytesOf(`tables/${name}`)).toRecords() as Row[]);
    expect(expected.size).toBe(count);
    expect(await points(`tables/${name}`)).toEqual(expected);
  });

  it('answers.arrow holds the 216 answers that polars finds in it', async () => {
    const expected = pl.readIPC(bytesOf('tables/answers.arrow')).toRecords() as Row[];
    const table = await readTable(bytesOf('tables/answers.arrow'), 'answers.arrow');
    const columns = table.names.map((name) => [name, table.column(name)!] as const);
    const rows = Array.from({ length: table.rows }, (_, row) =>
      Object.fromEntries(columns.map(([name, column]) => [name, column[row]])),
    );
    expect(rows).toHaveLength(216);
    expect(rows).toEqual(expected);
  });
});

describe('values of the embedding cases', () => {
  const open = (name: string) => openEnvironment({ home: freshFolder(), name: `${CASES}embeddings/${name}` });
  /** Names and numbers of a text, whatever separates them, below so many lines. */
  const inText = (name: string, skipped: number) => {
    const lines = bytesOf(`embeddings/${name}`).toString().trimEnd().split('\n').slice(skipped);
    const rows = lines.map((line) => line.trim().split(/[\s,]/));
    return { names: rows.map(([first]) => first), raw: rows.flatMap(([, ...cells]) => cells.map(Number)) };
  };

  it.each([
    ['vectors.txt', 'vectors.txt', 1, 6 * 5],
    ['no-header.txt', 'no-header.txt', 0, 6 * 5],
    ['model.vec', 'model.vec', 1, 60 * 6],
    ['category-only', 'category-only/vectors.csv', 1, 60 * 6],
    ['dummy-region', 'dummy-region/vectors.csv', 1, 60 * 6],
    ['part-vocabulary', 'part-vocabulary/vectors.csv', 1, 40 * 6],
  ])('%s holds the numbers that stand in its text', async (name, file, skipped, count) => {
    const { names, raw } = inText(file, skipped);
    const made = await open(name);
    expect(raw).toHaveLength(count);
    expect(made.names).toEqual(names);
    expect(made.raw).toEqual(Float32Array.from(raw));
  });

  it('bf16-embeddings holds the upper halves of the numbers of vectors.txt', async () => {
    const exact = Float32Array.from(inText('vectors.txt', 1).raw);
    const halves = new Uint32Array(exact.buffer).map((bits) => bits & 0xffff0000);
    expect((await open('bf16-embeddings')).raw).toEqual(new Float32Array(halves.buffer));
  });

  it('zero-vector holds the numbers of its array, which are those of vectors.txt to six digits, without the row of zeros', async () => {
    const { names, raw } = inText('vectors.txt', 1);
    const bytes = bytesOf('embeddings/zero-vector/vectors.npy');
    const at = bytes.length - 4 * raw.length;
    const stored = raw.flatMap((_, i) => (Math.trunc(i / 5) === 3 ? [] : [bytes.readFloatLE(at + 4 * i)]));
    const folder = `${CASES}embeddings/zero-vector`;
    const { environment } = await importEnvironment({ home: freshFolder(), name: 'x', folder, without: ['tomato'] });
    expect(environment.names).toEqual(names.filter((name) => name !== 'tomato'));
    expect(environment.raw).toEqual(Float32Array.from(stored));
    const written = raw.filter((_, i) => Math.trunc(i / 5) !== 3);
    environment.raw.forEach((value, i) => {
      expect(value).toBeCloseTo(written[i]!, 5);
    });
  });
});
