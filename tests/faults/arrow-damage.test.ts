import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Bool,
  Dictionary,
  Field,
  Int8,
  Int32,
  List,
  Table,
  tableFromArrays,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrowFile } from '../../src/io/arrow/write-arrow.js';
import { type ArrowTable, readArrow } from '../../src/io/arrow.js';
import { bytesSource } from '../../src/io/byte-source.js';
import { rescorer } from '../../src/responses/rescore.js';
import { rescoreArrow } from '../../src/responses/rescore-arrow.js';
import { readMatrix } from '../../src/scores/matrix-file.js';
import { taskFromRow } from '../../src/tasks/task-row.js';
import { damagedCopies, outcome } from '../support/damage.js';
import { taskRow } from '../tasks/support.js';

/** Two batches with scale 100, written by another implementation, one that keeps the schema twice. */
const foreign = readFileSync(new URL('../io/two-batches.arrow', import.meta.url));

/** Where the values of that file are: nothing protects these. */
const isValue = (at: number) => (at >= 880 && at < 1016) || (at >= 1480 && at < 1616);

const mixed = () => {
  const words = new Dictionary(new Utf8(), new Int8(), 7);
  const numbers = new List(new Field('item', new Int32(), true));
  return new Table({
    word: vectorFromArray(['a', 'b', null, 'a'], words),
    text: vectorFromArray(['é', null, '', 'four'], new Utf8()),
    flag: vectorFromArray([true, null, false, true], new Bool()),
    list: vectorFromArray([[1, 2], null, [], [3]], numbers),
  });
};

const content = (table: ArrowTable) =>
  JSON.stringify([table.names, [...table.metadata], table.names.map((name) => table.column(name))], (_, value) =>
    typeof value === 'bigint' ? String(value) : value,
  );

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

const read = (bytes: Uint8Array) => outcome(async () => content(await readArrow(bytes, 'x.arrow')), 'x.arrow');

describe('damaged Arrow bytes', () => {
  it('are an error or change nothing, wherever a file says a thing twice', async () => {
    const whole = await read(foreign);
    const wrong: string[] = [];
    for (const { at, what, bytes, cut } of damagedCopies(foreign)) {
      const found = await read(bytes);
      if ('code' in found ? found.code === 'ARROW_INVALID' : !cut && isValue(at)) continue;
      if (cut || !same(found, whole)) wrong.push(what);
    }
    expect(wrong).toEqual([]);
  });

  it.each(['file', 'stream'] as const)('are an error or a table, in a %s', async (format) => {
    const wrong: string[] = [];
    for (const { what, bytes, cut } of damagedCopies(tableToIPC(mixed(), format))) {
      const found = await read(bytes);
      const right = 'code' in found ? found.code === 'ARROW_INVALID' : !cut && found.value.length < 2000;
      if (!right) wrong.push(what);
    }
    expect(wrong).toEqual([]);
  });

  it('are an error or a table when many bytes are overwritten', async () => {
    const piece = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 64 }).map((n) => new Uint8Array(n)),
      fc.integer({ min: 1, max: 64 }).map((n) => new Uint8Array(n).fill(255)),
    );
    const files = [foreign, tableToIPC(mixed(), 'file'), tableToIPC(mixed(), 'stream')];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...files), fc.nat(), piece, async (whole, place, put) => {
        const bytes = Buffer.from(whole);
        bytes.set(put.subarray(0, bytes.length), place % Math.max(1, bytes.length - put.length));
        const found = await read(bytes);
        expect('value' in found || found.code === 'ARROW_INVALID').toBe(true);
      }),
      { numRuns: 1500 },
    );
  });

  it('are refused in words that say what is wrong', async () => {
    const whole = tableToIPC(mixed(), 'stream');
    const why = async (bytes: Uint8Array) =>
      ((await readArrow(bytes, 'x').catch((error: unknown) => error)) as Error).message;
    expect(await why(whole.subarray(0, whole.length - 8))).toContain('cut off');
    expect(await why(Buffer.concat([whole, Buffer.alloc(3)]))).toContain('3 bytes after its end');
    const text = tableToIPC(tableFromArrays({ text: ['marked', 'text'] }), 'stream');
    const place = Buffer.from(text).indexOf('marked');
    text[place] = 0xff;
    expect(await why(text)).toContain('not UTF-8');
  });
});

describe('readers of Arrow files', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'damage-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('end in a matrix or in an error that names the file', async () => {
    const file = 'x.arrow';
    const reader = async (bytes: Buffer) => (await readMatrix(bytes, { file })).matrix;
    const wrong: string[] = [];
    const whole = { value: await reader(foreign) };
    for (const { at, what, bytes } of damagedCopies(foreign, [0x02])) {
      const found = await outcome(() => reader(bytes), file);
      if ('value' in found && !isValue(at) && !same(found, whole)) wrong.push(what);
    }
    expect(wrong).toEqual([]);
  });

  it('end in scores or in an error that names the file', async () => {
    const tasks = ['a', 'b'].map((id) => taskFromRow(taskRow(id, {}), { file: 'test' }));
    const answers = arrowFile({
      columns: [
        { name: 'task_id', kind: 'text', values: ['a', 'b', 'a'] },
        { name: 'model', kind: 'text', values: ['m', 'm', 'n'] },
        { name: 'response', kind: 'text', values: Array(3).fill('FINAL_SELECTION: A,B,C') },
        { name: 'status', kind: 'text', values: ['ok', null, 'failed'] },
      ],
    });
    const path = join(folder, 'answers.arrow');
    let rows = 0;
    const onRow = () => {
      rows += 1;
    };
    const scorer = rescorer({ tasks, onRow });
    const wrong: string[] = [];
    for (const { what, bytes } of damagedCopies(answers, [0x04])) {
      rows = 0;
      const found = await outcome(() => rescoreArrow(bytesSource(bytes), path, scorer), path);
      if ('value' in found && rows !== 3) wrong.push(what);
    }
    expect(wrong).toEqual([]);
  });
});
