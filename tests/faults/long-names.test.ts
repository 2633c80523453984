import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { arrowMessages } from '../../src/io/arrow/arrow-messages.js';
import { arrowFile } from '../../src/io/arrow/write-arrow.js';
import type { ArrowColumn } from '../../src/io/arrow.js';
import { bytesSource } from '../../src/io/byte-source.js';
import { assertJsonFits } from '../../src/io/held/json-bound.js';
import { assertColumnNames } from '../../src/io/held/name-bound.js';
import { budgetOf } from '../../src/io/held/table-bound.js';
import { openParquet, readParquet } from '../../src/io/parquet.js';
import { parquetFile } from '../../src/io/write-parquet.js';
import { scoresOf } from '../../src/scores/read-scores.js';
import { boundedCli } from '../support/bounded.js';
import { refusal } from '../support/refusal.js';
import { readScoreText } from '../support/score-text.js';
import { workbook } from '../support/workbook.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'names-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const written = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

type Rows = readonly (readonly (string | number)[])[];

/** Rows below their names as columns of texts and numbers. */
function columnsOf([names, ...rows]: Rows): ArrowColumn[] {
  return names!.map((name, at): ArrowColumn => {
    const values = rows.map((row) => row[at]!);
    return typeof values[0] === 'number'
      ? { name: String(name), kind: 'int32', values: values as number[] }
      : { name: String(name), kind: 'text', values: values as string[] };
  });
}

describe('names and keys have a bound', () => {
  it('the keys of one JSON object, wherever it stands; those of many objects together are no matter', () => {
    const text = (keys: number, before: string, after: string) =>
      `${before}{${Array.from({ length: keys }, (_, k) => `"k,:{}${k}":[1]`).join()}}${after}`;
    const held = (json: string) => assertJsonFits(json.length, (place) => json.charCodeAt(place), 'x');
    for (const [before, after] of [
      ['', ''],
      ['{"a":[[', ']],"b":{"c":1}}'],
    ] as const) {
      expect(() => held(text(2 ** 18, before, after))).not.toThrow();
      expect(() => held(text(2 ** 18 + 1, before, after))).toThrow(
        'x: JSON in which one object has 262145 keys; at most 262144 are read',
      );
    }
    expect(() => held(text(2 ** 17, '[', `,${text(2 ** 17, '', ',')}${text(2 ** 17, '', ']')}`))).not.toThrow();
  });

  it('the length of a name of a model, a task, a column or what a task belongs to, with file and line', async () => {
    const long = 'n'.repeat(2 ** 14);
    const tables = (name: string): Readonly<Record<string, string>> => ({
      'a model, line 3': `model,q1\na,1\n${name},0\n`,
      'column 2, line 1': `model,${name}\na,1\nb,0\n`,
      'column 1, line 4': `\n\n\n${'\r'.repeat(name.length - 5)}model,q1\na,1\nb,0\n`,
      'a task, line 3': `model,task,value\na,t,1\nb,${name},0\n`,
      'a family, line 2': `model,task,value,family\na,t,1,${name}\nb,t,0,${name}\n`,
      'a cluster, line 2': `model,task,value,cluster\na,t,1,${name}\nb,t,0,${name}\n`,
    });
    for (const [where, table] of Object.entries(tables(`${long}n`))) {
      const [what, line] = where.split(', ');
      expect(await refusal(() => readScoreText(table)), where).toMatch(
        new RegExp(
          `^BOUND_EXCEEDED: x\\.csv, ${line}: the name of ${what} has 16385 characters, .*; at most 16384 are read$`,
        ),
      );
    }
    for (const [where, table] of Object.entries(tables(long)))
      expect(await refusal(() => readScoreText(table)), where).not.toContain('characters');
    const json = `[{"model":"a","${long}n":1},{"model":"b","${long}n":0}]`;
    expect(await refusal(() => readScoreText(json))).toMatch(/^BOUND_EXCEEDED: x\.csv: the name of column 2 has 16385/);
  });

  it.each([
    ['Arrow', (rows: Rows) => arrowFile({ columns: columnsOf(rows) })],
    ['Parquet', (rows: Rows) => parquetFile({ columns: columnsOf(rows) })],
    ['a workbook', (rows: Rows) => workbook(rows)],
    [
      'JSON',
      (rows: Rows) =>
        new TextEncoder().encode(
          JSON.stringify(rows.slice(1).map((row) => Object.fromEntries(row.map((cell, at) => [rows[0]![at]!, cell])))),
        ),
    ],
  ] as const)('the length of every name in %s, with the row', async (format, bytesOf) => {
    const tables = (name: string): Readonly<Record<string, Rows>> => ({
      'a model, row 2': [
        ['model', 'q1'],
        ['a', 1],
        [name, 0],
      ],
      'column 2': [
        ['model', name],
        ['a', 1],
        ['b', 0],
      ],
      'a task, row 2': [
        ['model', 'task', 'value'],
        ['a', 't', 1],
        ['b', name, 0],
      ],
      'a family, row 1': [
        ['model', 'task', 'value', 'family'],
        ['a', 't', 1, name],
        ['b', 't', 0, name],
      ],
    });
    const read = async (rows: Rows) => refusal(async () => scoresOf([{ name: 'x', bytes: await bytesOf(rows) }]));
    for (const [where, rows] of Object.entries(tables('n'.repeat(2 ** 14 + 1)))) {
      const [what, row] = where.split(', ');
      const line = row && format === 'a workbook' ? `row ${Number(row.slice(4)) + 1}` : row;
      expect(await read(rows), where).toContain(
        `BOUND_EXCEEDED: x${line ? `, ${line}` : ''}: the name of ${what} has 16385 characters`,
      );
    }
    for (const [where, rows] of Object.entries(tables('n'.repeat(2 ** 14))))
      expect(await read(rows), where).not.toContain('characters');
  });

  it('the names of columns of a file that is gone through in pieces, and how many columns there are', async () => {
    const columns = columnsOf([
      ['a', 'n'.repeat(2 ** 14 + 1)],
      ['x', 1],
    ]);
    const long = /^BOUND_EXCEEDED: x: the name of column 2 has 16385 characters/;
    const budget = budgetOf('x', 'it', {});
    const parquet = bytesSource(await parquetFile({ columns }));
    expect(await refusal(() => openParquet(parquet, 'x', { budget }))).toMatch(long);
    const arrow = bytesSource(await arrowFile({ columns }));
    expect(await refusal(() => arrowMessages(arrow, budget).next())).toMatch(long);
    const many = new Array<string>(2 ** 20 + 1).fill('a');
    expect(await refusal(() => assertColumnNames('x', many))).toBe('BOUND_EXCEEDED: x: more than 1048576 columns');
    expect(await refusal(() => assertColumnNames('x', many.slice(1)))).toBe('read');
  });

  it('the work on columns of Parquet: what unpacks them is made once for all', async () => {
    const columns = columnsOf([Array.from({ length: 50 }, (_, at) => `q${at}`), Array.from({ length: 50 }, () => 'x')]);
    const bytes = await parquetFile({ columns });
    // The module of the decoder is text until it is made.
    const made = vi.spyOn(globalThis, 'atob');
    const table = await readParquet(bytes, 'x');
    const times = made.mock.calls.length;
    made.mockRestore();
    expect([table.names.length, table.column('q49'), times]).toEqual([50, ['x'], 1]);
  });

  it('the length of the name of a model in a file of answers', () => {
    const { tasks } = JSON.parse(readFileSync('fixtures/tasks-small.json', 'utf8')) as { tasks: { task_id: string }[] };
    const answer = (model: string) =>
      `${JSON.stringify({ model_id: model, task_id: tasks[0]!.task_id, response: 'FINAL_SELECTION: A,B,C' })}\n`;
    const path = written('long-model.jsonl', answer('a') + answer('n'.repeat(200_000)));
    for (const command of [
      ['infer', '--responses', path],
      ['rescore', path],
    ]) {
      const run = boundedCli([...command, '--tasks', 'fixtures/tasks-small.json']);
      expect(run).toMatchObject({ code: 2, hung: false });
      expect(run.output).toContain('long-model.jsonl, line 2: the name of a model has 200000 characters');
    }
  });
});
