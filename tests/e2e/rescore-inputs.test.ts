import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliInline } from '../support/cli-inline.js';
import { taskRow } from '../tasks/support.js';

let folder: string;
let duck: DuckDBConnection;
let expected: unknown;
const at = (name: string) => join(folder, name);
const call = (input: string, out: string) => ['rescore', input, '--tasks', at('tasks.jsonl'), '--out', at(out)];
const resultsOf = (out: string): unknown => JSON.parse(readFileSync(join(at(out), 'summary.json'), 'utf8')).results;

const ANSWERS = Array.from({ length: 5000 }, (_, k) => ({
  model_id: `m${k % 3}`,
  task_id: `pairing-${1 + (k % 2)}`,
  response: k % 11 === 0 ? 'I cannot say.' : `FINAL_SELECTION: ${['A,B,C', 'F,G,H', 'B,D,F'][(k >> 1) % 3]}`,
}));

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rescore-inputs-'));
  const tasks = ['pairing-1', 'pairing-2'].map((id) => JSON.stringify(taskRow(id, { family: 'pairing' })));
  writeFileSync(at('tasks.jsonl'), tasks.join('\n'));
  writeFileSync(at('answers.jsonl'), ANSWERS.map((row) => `${JSON.stringify(row)}\n`).join(''));
  expect(await cliInline(call(at('answers.jsonl'), 'plain'))).toMatchObject({ code: 0 });
  expected = resultsOf('plain');
  duck = await (await DuckDBInstance.create(':memory:')).connect();
});
afterAll(() => {
  duck.closeSync();
  rmSync(folder, { recursive: true });
});

describe('answers of any kind come to what lines of JSON come to', () => {
  it.each(['uncompressed', 'snappy', 'gzip', 'zstd', 'brotli', 'lz4_raw'])(
    'in Parquet as DuckDB packs it: %s',
    async (codec) => {
      const path = at(`${codec}.parquet`);
      await duck.run(
        `COPY (SELECT * FROM '${at('answers.jsonl')}') TO '${path}' (FORMAT parquet, COMPRESSION ${codec}, ROW_GROUP_SIZE 2048)`,
      );
      const stated = await duck.runAndReadAll(`SELECT DISTINCT compression FROM parquet_metadata('${path}')`);
      expect(stated.getRowsJS()).toEqual([[codec.toUpperCase()]]);
      expect(await cliInline(call(path, codec))).toMatchObject({ code: 0 });
      expect(resultsOf(codec)).toEqual(expected);
    },
  );

  it('from standard input', () => {
    const run = spawnSync(process.execPath, [resolve('dist/cli/main.js'), ...call('-', 'piped')], {
      input: readFileSync(at('answers.jsonl')),
      encoding: 'utf8',
    });
    expect({ code: run.status, stderr: run.stderr }).toEqual({ code: 0, stderr: '' });
    expect(resultsOf('piped')).toEqual(expected);
  });
});
