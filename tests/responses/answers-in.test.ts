import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { arrowFile } from '../../src/io/arrow/write-arrow.js';
import { parquetFile } from '../../src/io/write-parquet.js';
import { openAnswers, readAnswers } from '../../src/responses/answer-file.js';

const dir = mkdtempSync(join(tmpdir(), 'answers-in-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const ROWS = [
  { model_id: 'a', task_id: 't1', response: 'FINAL_SELECTION: A, B, C' },
  { model_id: 'b', task_id: 't1', response: 'two\nlines, a "quote"', status: 'failed' },
  { model_id: 'a', task_id: 't2', response: 'käse', status: 'ok' },
];
const NAMES = ['model_id', 'task_id', 'response', 'status'] as const;
const columns = NAMES.map((name) => ({
  name,
  kind: 'text' as const,
  values: ROWS.map((row) =>
    'status' in row || name !== 'status' ? ((row as Record<string, string>)[name] ?? null) : null,
  ),
}));
const cell = (text: string | undefined) => (text === undefined ? '' : `"${text.replaceAll('"', '""')}"`);
const csv = (delimiter: string) =>
  [
    NAMES.join(delimiter),
    ...ROWS.map((row) => NAMES.map((name) => cell((row as Record<string, string>)[name])).join(delimiter)),
  ].join('\r\n');
const jsonl = ROWS.map((row) => JSON.stringify(row)).join('\n');

async function put(name: string, data: string | Uint8Array): Promise<string> {
  writeFileSync(join(dir, name), data);
  return join(dir, name);
}
const answersOf = async (path: string) => Array.from(await openAnswers(path), ({ answer, row }) => [answer, row()]);
const placesOf = async (path: string) => Array.from(await openAnswers(path), ({ line, item }) => [line, item]);

describe('answers in every form', () => {
  it('are the same answers and the same rows, packed or not', async () => {
    const wanted = await answersOf(await put('rows.jsonl', jsonl));
    expect(wanted.map(([, row]) => row)).toEqual(ROWS);
    const files: [string, string | Uint8Array][] = [
      ['rows.json', JSON.stringify(ROWS)],
      ['rows.jsonl.gz', gzipSync(jsonl)],
      ['rows.csv', csv(',')],
      ['rows.tsv', csv('\t')],
      ['rows.csv.gz', gzipSync(csv(','))],
      ['rows.arrow', arrowFile({ columns })],
      ['rows.arrow.gz', gzipSync(arrowFile({ columns }))],
      ['rows.parquet', await parquetFile({ columns })],
    ];
    for (const [name, data] of files) expect([name, await answersOf(await put(name, data))]).toEqual([name, wanted]);
  });

  it('stand where their file says: in a line, in a row, or in both', async () => {
    expect(await placesOf(join(dir, 'rows.jsonl'))).toEqual([
      [1, undefined],
      [2, undefined],
      [3, undefined],
    ]);
    expect(await placesOf(join(dir, 'rows.csv'))).toEqual([
      [2, 1],
      [3, 2],
      [5, 3],
    ]);
    for (const name of ['rows.arrow', 'rows.parquet'])
      expect(await placesOf(join(dir, name))).toEqual([
        [undefined, 1],
        [undefined, 2],
        [undefined, 3],
      ]);
  });

  it('are refused with the place of a row that is broken, and with the columns of a table that holds none', async () => {
    const broken = await put('broken.csv', 'task_id,answer\nt1,x\nt2,x,y\n');
    await expect(openAnswers(broken)).rejects.toThrow(/broken\.csv, line 3, row 2: 3 cells, the header has 2/);
    const nameless = await put('nameless.csv', 'task_id,answer\n,x\n');
    await expect(openAnswers(nameless)).rejects.toThrow(
      /nameless\.csv, line 2, row 1.*task_id: a non-empty text expected/,
    );
    const other = await put('other.parquet', await parquetFile({ columns: [{ ...columns[1]!, name: 'id' }] }));
    await expect(openAnswers(other)).rejects.toThrow(/columns task_id and one of .* expected, found id/);
    const cut = await put('cut.jsonl.gz', gzipSync(jsonl).subarray(0, 30));
    await expect(openAnswers(cut)).rejects.toMatchObject({ code: 'PACKED_INVALID' });
  });

  it('take `completed` for what says that there is no answer', async () => {
    const path = await put('done.csv', 'task,model,completed,selection\nt1,a,False,ABC\nt2,a,true,ABC\n');
    expect(Array.from(await openAnswers(path), ({ answer }) => answer.failed)).toEqual([true, false]);
    const values = [false, true];
    const bool = await put(
      'done.parquet',
      await parquetFile({
        columns: [
          { name: 'task', kind: 'text', values: ['t1', 't2'] },
          { name: 'completed', kind: 'bool', values },
          { name: 'selection', kind: 'text', values: ['ABC', 'ABC'] },
        ],
      }),
    );
    expect(Array.from(await openAnswers(bool), ({ answer }) => [answer.failed, answer.selection])).toEqual([
      [true, 'ABC'],
      [false, 'ABC'],
    ]);
  });

  it('are named as a table where JSON alone is read', () => {
    expect(() => [...readAnswers(join(dir, 'rows.csv'))]).toThrow('is a table, or packed');
    expect(readFileSync(join(dir, 'rows.csv'), 'utf8')).toContain('task_id');
  });
});
