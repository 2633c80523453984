import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSubstitutions } from '../../src/cli/substitution-events.js';
import { parsePlan } from '../../src/collect/collection-plan.js';
import { readRoster } from '../../src/core/model-roster.js';
import { parseCsv } from '../../src/io/csv.js';
import { assertJsonFits } from '../../src/io/held/json-bound.js';
import { assertTable, budgetOf, type TableBound } from '../../src/io/held/table-bound.js';
import { numpyArray } from '../../src/io/npy-array.js';
import { readParquet } from '../../src/io/parquet.js';
import { failure } from '../../src/util/error.js';
import { boundedCli } from '../support/bounded.js';
import { claimedParquet, wordsOf } from '../support/parquet-claims.js';
import { refusal } from '../support/refusal.js';

const MIB = 2 ** 20;
let folder: string;
const at = (name: string) => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sizes-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const written = (name: string, bytes: string | Uint8Array): string => {
  writeFileSync(at(name), bytes);
  return at(name);
};
const texts = (name: string, rows: number, word: string) => ({
  ...{ name, type: 6 as const, dictionary: wordsOf(word) },
  pages: [{ rows }],
});
const numbers = (name: string, rows: number) => ({
  ...{ name, type: 1 as const, dictionary: { bytes: Buffer.alloc(4), entries: 1 } },
  pages: [{ rows }],
});
const matrix = (rows: number) =>
  claimedParquet([texts('model', rows, 'm'), texts('task', rows, 't'), numbers('value', rows)], rows);

describe('a Parquet file written by hand', () => {
  it('is read where what it says is what it holds', async () => {
    const table = await readParquet(matrix(1000), 'x');
    expect([table.rows, new Set(Array.from(table.column('model')!))]).toEqual([1000, new Set(['m'])]);
    expect(Array.from(table.column('value')!)).toEqual(Array(1000).fill(0));
  });

  it('of 400 million rows is refused from its metadata, with the bound', async () => {
    const bytes = matrix(400_000_000);
    expect(bytes.length).toBeLessThan(400);
    expect(await refusal(() => readParquet(bytes, 'x'))).toBe(
      'BOUND_EXCEEDED: x: 400000000 rows of 3 columns; a table holds at most 33554432 rows and 134217728 cells',
    );
  });

  it('is refused past the bound of its place, which is named', async () => {
    const bound: TableBound = { rows: 100, cells: 300, bytes: 1000, place: 'this table' };
    expect(await refusal(() => readParquet(matrix(100), 'x', bound))).toBe('read');
    expect(await refusal(() => readParquet(matrix(101), 'x', bound))).toBe(
      'BOUND_EXCEEDED: x: 101 rows of 3 columns; this table holds at most 100 rows and 300 cells',
    );
    const long = claimedParquet([texts('model', 1, 'm'.repeat(2000))], 1);
    const table = await readParquet(long, 'x', bound);
    expect(await refusal(() => table.column('model'))).toBe(
      'BOUND_EXCEEDED: x: more than 1000 bytes unpacked, the most that this table holds',
    );
  });

  it('whose texts each begin with the one before is counted before it is made', async () => {
    // One text of 60,000 bytes, and a million that are all of it: lengths of 0 bits, so a few bytes for all of them.
    const rows = 2 ** 16;
    const length = 60_000;
    const varint = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]);
    const head = [128, 1, 4, ...varint(rows)];
    const blocks = Math.ceil((rows - 2) / 128);
    const flat = Array.from({ length: blocks }, () => [0, 0, 0, 0, 0]).flat();
    // begins: 0, then one step of `length`; rests: `length`, then one step back to 0.
    const step = (value: number, delta: number) => {
      const width = 17;
      const first = Buffer.alloc((32 * width) / 8);
      first.writeUInt32LE(0);
      const least = delta < 0 ? -delta * 2 - 1 : 0;
      const packed = Buffer.alloc(first.length);
      for (let i = 0; i < 32; i += 1) {
        const bits = i === 0 ? Math.max(delta, 0) : Math.max(-delta, 0);
        for (let b = 0; b < width; b += 1)
          if ((bits >> b) & 1) packed[(i * width + b) >> 3]! |= 1 << ((i * width + b) & 7);
      }
      return [...head, ...varint(value * 2), ...varint(least), width, 0, 0, 0, ...packed, ...(delta < 0 ? [] : flat)];
    };
    const page = Buffer.from([...step(0, length), ...flat, ...step(length, -length), ...flat]);
    const bytes = claimedParquet(
      [
        {
          ...texts('model', rows, 'm'),
          pages: [{ rows, encoding: 7, bytes: Buffer.concat([page, Buffer.alloc(length, 'x')]) }],
        },
      ],
      rows,
    );
    expect(bytes.length).toBeLessThan(100_000);
    const table = await readParquet(bytes, 'x');
    expect(await refusal(() => table.column('model'))).toMatch(
      /^(BOUND_EXCEEDED: x: more than 134217728 bytes|PARQUET_INVALID)/,
    );
  });
});

describe('the command line, in a heap of 512 MiB', () => {
  it('refuses a release whose matrix says it has 400 million rows, and names file and bound', () => {
    cpSync('fixtures/version-1/release', at('release'), { recursive: true });
    written('release/matrix.parquet', matrix(400_000_000));
    const run = boundedCli(['release', 'verify', at('release')]);
    expect(run).toMatchObject({ code: 4, hung: false });
    expect(run.output).toMatch(
      /matrix\.parquet: .*400000000 rows of 3 columns; this table of the release holds at most \d{4} rows/,
    );
    expect(run.memory).toBeLessThan(600 * MIB);
  });

  it('finds a file of 3 GiB in a release without reading it', () => {
    cpSync('fixtures/version-1/release', at('large'), { recursive: true });
    written('large/cases.json', '');
    truncateSync(at('large/cases.json'), 3 * 2 ** 30);
    const run = boundedCli(['release', 'verify', at('large')]);
    expect(run).toMatchObject({ code: 4, hung: false });
    expect(run.output).toContain('cases.json: the file: expected at most 2147483647 bytes, found 3221225472 bytes');
  });

  it('refuses a hundred kilobytes that stand for a hundred gigabytes of answers', () => {
    const { tasks } = JSON.parse(readFileSync('fixtures/tasks-small.json', 'utf8')) as { tasks: { task_id: string }[] };
    const rows = 2 ** 20;
    const columns = [
      texts('task_id', rows, tasks[0]!.task_id),
      texts('model', rows, 'm'),
      texts('response', rows, 'x'.repeat(100_000)),
    ];
    const path = written('answers.parquet', claimedParquet(columns, rows));
    const run = boundedCli(['rescore', path, '--tasks', 'fixtures/tasks-small.json']);
    expect(run).toMatchObject({ code: 2, hung: false });
    expect(run.output).toContain('characters of answers, the most that a file of 1003');
    expect(run.memory).toBeLessThan(800 * MIB);
  });
});

describe('what a reader makes of a file is bounded before it is made', () => {
  it('truth values of an array, a byte each, of which numbers of eight are made', async () => {
    const count = 2 ** 26 + 1;
    const header = `{'descr': '|b1', 'fortran_order': False, 'shape': (${count},), }`.padEnd(117);
    const bytes = Buffer.concat([Buffer.from(`\x93NUMPY\x01\x00v\x00${header}\n`, 'latin1'), Buffer.alloc(count)]);
    expect(await refusal(() => numpyArray(bytes, 'x'))).toBe(
      'BOUND_EXCEEDED: x: 67108865 values; at most 67108864 are held',
    );
  });

  it('cells of a comma-separated text', async () => {
    const row = `${','.repeat(2 ** 13 - 1)}\n`;
    expect(await refusal(() => parseCsv(row.repeat(2 ** 12 + 1), { file: 'x' }))).toBe(
      'BOUND_EXCEEDED: x: 33562624 cells; at most 33554432 are held',
    );
  });

  it('dictionaries of a pickle', async () => {
    const path = written('maps.pkl', Buffer.concat([Buffer.from([0x80, 4]), Buffer.alloc(2 ** 21 + 1, 0x7d)]));
    expect(await refusal(() => readSubstitutions(path))).toMatch(/PICKLE_REFUSED: .*: more than 2097152 dictionaries/);
  });

  it('the weight of JSON, of which texts are the least part, and its lists and objects', () => {
    const weigh = (length: number, codes: string) =>
      assertJsonFits(length, (place) => codes.charCodeAt(place % codes.length), 'x');
    expect(() => weigh(2 ** 22, '1,')).not.toThrow();
    expect(() => weigh(2 ** 25 + 8, '{:::::::')).toThrow(
      /^x: JSON of about 2147484160 bytes once it is read; at most 2147483648 are held/,
    );
    expect(() => weigh(2 ** 23, '[')).not.toThrow();
    expect(() => weigh(2 ** 23 + 1, '{')).toThrow('x: JSON of 8388609 lists and objects; at most 8388608 are read');
  });

  it('nesting, keys and errors of YAML, which the library would follow to the end of the process', async () => {
    const wrong: readonly (readonly [string, string])[] = [
      ['{"a":'.repeat(20_000), 'nesting of more than 64 levels'],
      [`${'- '.repeat(20_000)}x`, 'nesting of more than 64 levels'],
      [Array.from({ length: 40_000 }, (_, i) => `k${i}: 1`).join('\n'), 'more than 2048 keys in one map'],
      [']'.repeat(50_000), 'Unexpected'],
      [`a: ${'x'.repeat(2 ** 20)}`, '1048579 characters of YAML; at most 1048576 are read'],
    ];
    for (const [text, message] of wrong) {
      expect(await refusal(() => parsePlan(text, 'plan.yaml'))).toContain(message);
      expect(await refusal(() => readRoster(Buffer.from(`models: \n${text}`), 'x'))).toMatch(/^(SCHEMA|JSON)_INVALID/);
    }
  });

  it('messages of errors, whatever a file holds', () => {
    const { message } = failure('SCHEMA_INVALID', { file: 'x' }, `found ${'y'.repeat(100_000)}`);
    expect(message.length).toBeLessThan(8000);
    expect(message.startsWith('x: found yyy')).toBe(true);
  });
});

describe('a budget', () => {
  it('names what was spent, the bound and the place', () => {
    const budget = budgetOf('x', 'a file of 10 bytes', { rows: 5 });
    budget.spend('rows', 5);
    budget.spend('characters', 1e12);
    expect(() => budget.spend('rows', 1)).toThrow('x: more than 5 rows, the most that a file of 10 bytes holds');
  });

  it('of a table holds exactly its rows and cells', () => {
    const bound = { rows: 4, cells: 8, bytes: 1, place: 'it' };
    expect(() => assertTable('x', 4, 2, bound)).not.toThrow();
    expect(() => assertTable('x', 5, 1, bound)).toThrow('5 rows of 1 columns; it holds at most 4 rows and 8 cells');
    expect(() => assertTable('x', 4, 3, bound)).toThrow('4 rows of 3 columns');
  });
});
