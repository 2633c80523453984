import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesSource } from '../../src/io/byte-source.js';
import { readParquet } from '../../src/io/parquet.js';
import { rescorer } from '../../src/responses/rescore.js';
import { rescoreParquet } from '../../src/responses/rescore-parquet.js';
import { readMatrix } from '../../src/scores/matrix-file.js';
import { taskFromRow } from '../../src/tasks/task-row.js';
import { damagedCopies, outcome } from '../support/damage.js';
import { taskRow } from '../tasks/support.js';

/** A file that cannot be read, or says that it holds more than any. */
const REFUSED = ['PARQUET_INVALID', 'BOUND_EXCEEDED'];

const written = (columnData: ColumnSource[], codec: 'SNAPPY' | 'UNCOMPRESSED') =>
  new Uint8Array(parquetWriteBuffer({ columnData, codec, rowGroupSize: 20 }));

const rows = Array.from({ length: 30 }, (_, i) => i);
const mixed: ColumnSource[] = [
  { name: 'word', data: rows.map((i) => ['a', 'b', 'ü'][i % 3]), type: 'STRING' },
  { name: 'some', data: rows.map((i) => (i % 4 ? `t${i}` : null)), type: 'STRING' },
  { name: 'count', data: Int32Array.from(rows), type: 'INT32' },
  { name: 'big', data: rows.map((i) => BigInt(i) ** 5n), type: 'INT64' },
  { name: 'real', data: rows.map((i) => (i % 3 ? i / 7 : null)), type: 'DOUBLE' },
  { name: 'flag', data: rows.map((i) => i % 5 === 0), type: 'BOOLEAN' },
];

const content = async (bytes: Uint8Array) => {
  const { names, column } = await readParquet(bytes, 'x.parquet');
  return JSON.stringify([names, names.map(column)], (_, value) =>
    typeof value === 'bigint' ? String(value) : (value ?? null),
  );
};
const read = (bytes: Uint8Array) => outcome(() => content(bytes), 'x.parquet');

describe('damaged Parquet bytes', () => {
  it.each(['SNAPPY', 'UNCOMPRESSED'] as const)('are an error or a table, %s', async (codec) => {
    const whole = written(mixed, codec);
    const longest = (await content(whole)).length * 2 + 1000;
    const wrong: string[] = [];
    for (const { what, bytes, cut } of damagedCopies(whole, [codec === 'SNAPPY' ? 0x01 : 0x80])) {
      const found = await read(bytes);
      const right = 'code' in found ? REFUSED.includes(found.code) : !cut && found.value.length < longest;
      if (!right) wrong.push(what);
    }
    expect(wrong).toEqual([]);
  });

  it('are an error or a table when many bytes are overwritten', async () => {
    const files = [written(mixed, 'SNAPPY'), written(mixed, 'UNCOMPRESSED')];
    const piece = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 24 }),
      fc.integer({ min: 1, max: 32 }).map((n) => new Uint8Array(n)),
      fc.integer({ min: 1, max: 32 }).map((n) => new Uint8Array(n).fill(255)),
      fc.constant(Uint8Array.of(0xfe, 0xff, 0xff, 0xff, 0x07)),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...files), fc.nat(), piece, async (whole, place, put) => {
        const bytes = Buffer.from(whole);
        bytes.set(put, place % (bytes.length - put.length));
        const found = await read(bytes);
        expect('value' in found || REFUSED.includes(found.code)).toBe(true);
      }),
      { numRuns: 1500 },
    );
  });

  it('never lose a value in silence: absent ones, dictionaries and texts are checked', async () => {
    const whole = written(
      [{ name: 'word', data: rows.map((i) => (i % 2 ? 'one' : 'two')), type: 'STRING' }],
      'UNCOMPRESSED',
    );
    const want = await read(whole);
    const values = [
      ...Buffer.from(whole)
        .toString('latin1')
        .matchAll(/one|two/g),
    ].map(({ index }) => index);
    const started = (at: number) => values.some((place) => at >= place && at < place + 3);
    for (const { at, what, bytes } of damagedCopies(whole, [0x80])) {
      const found = await read(bytes);
      if ('value' in found) {
        expect(found.value, what).not.toContain('null');
        if (started(at)) expect(found, what).toEqual(want);
      }
    }
  });
});

describe('readers of Parquet files', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'damage-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('end in a matrix or in an error that names the file', async () => {
    const file = 'x.parquet';
    const whole = written(
      [
        { name: 'model', data: ['m', 'm', 'n', 'n'], type: 'STRING' },
        { name: 'task', data: ['a', 'b', 'a', 'b'], type: 'STRING' },
        { name: 'value', data: Int32Array.of(1, 2, 3, 4), type: 'INT32' },
      ],
      'SNAPPY',
    );
    const matrix = async (bytes: Buffer) => (await readMatrix(bytes, { file })).matrix.values.length;
    for (const { what, bytes } of damagedCopies(whole, [0x02, 0x40])) {
      const found = await outcome(() => matrix(bytes), file);
      if ('value' in found) expect(found.value, what).toBe(4);
    }
  });

  it('end in scores or in an error that names the file', async () => {
    const tasks = ['a', 'b'].map((id) => taskFromRow(taskRow(id, {}), { file: 'test' }));
    const answers = written(
      [
        { name: 'task_id', data: ['a', 'b', 'a'], type: 'STRING' },
        { name: 'model', data: ['m', 'm', 'n'], type: 'STRING' },
        { name: 'response', data: Array(3).fill('FINAL_SELECTION: A,B,C'), type: 'STRING' },
      ],
      'SNAPPY',
    );
    const path = join(folder, 'answers.parquet');
    let scores = 0;
    const onRow = () => {
      scores += 1;
    };
    const scorer = rescorer({ tasks, onRow });
    const wrong: string[] = [];
    for (const { what, bytes } of damagedCopies(answers, [0x04, 0x80])) {
      scores = 0;
      const found = await outcome(() => rescoreParquet(bytesSource(bytes), path, scorer), path);
      if ('value' in found && scores !== 3) wrong.push(what);
    }
    expect(wrong).toEqual([]);
  });
});
