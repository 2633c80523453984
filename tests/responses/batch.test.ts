import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { RecordBatchFileWriter, Table, Utf8, vectorFromArray } from 'apache-arrow';
import fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addCounts, batchTotals, NO_COUNTS } from '../../src/responses/batch/batch-totals.js';
import type { PartRows, ScoringPlan } from '../../src/responses/batch/part-sink.js';
import { openPartSource } from '../../src/responses/batch/part-source.js';
import { scoreParts } from '../../src/responses/batch/score-parts.js';
import { selectionOf } from '../../src/responses/outcome.js';
import { taskFromRow } from '../../src/tasks/task-row.js';
import type { Shard } from '../../src/util/shard.js';
import { taskRow } from '../tasks/support.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'batch-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const tasks = ['substitution', 'pairing', 'constraint'].map((family) =>
  taskFromRow(taskRow(`${family}-1`, { family }), { file: 'test' }),
);
const LENIENT: ScoringPlan = { parser: 'v4', ignoreUnknown: false, strict: false, compare: [], near: true };

interface Options {
  readonly plan?: ScoringPlan;
  readonly partBytes?: number;
  readonly shards?: number;
  readonly keyed?: boolean;
}

/** Scores files in this thread: totals, and each row as text with its place. */
async function batch(inputs: readonly string[], { plan = LENIENT, partBytes, shards = 1 }: Options = {}) {
  let sum = NO_COUNTS;
  const rows: string[] = [];
  const bad: PartRows['bad'][number][] = [];
  const changes: PartRows['changes'][number][] = [];
  for (let index = 1; index <= shards; index += 1) {
    const shard: Shard | undefined = shards === 1 ? undefined : { index, count: shards };
    const source = await openPartSource({ inputs, keyed: false, shard, partBytes });
    const start = { tasks, known: ['known-1'], plan, keepRows: true };
    for await (const part of scoreParts(source.parts(), start, null)) {
      sum = addCounts([sum, part.counts]);
      const { rows: kept, models } = part.rows!;
      for (let at = 0; at < kept.count; at += 1) {
        const { key, outcome } = selectionOf(kept.codes[at]!);
        const place = `${kept.lines[at]}/${kept.items[at]}`;
        rows.push([models[kept.models[at]!], tasks[kept.tasks[at]!]!.id, key ?? outcome, place].join(' '));
      }
      bad.push(...part.rows!.bad);
      changes.push(...part.rows!.changes);
    }
  }
  return { totals: batchTotals(sum), rows, bad, changes };
}

const file = (name: string, data: string | Uint8Array): string => {
  writeFileSync(join(folder, name), data);
  return join(folder, name);
};

const row = (model: string, task: string, response: unknown) => ({ model_id: model, task_id: task, response });
const LIST = [
  row('a', 'pairing-1', 'FINAL_SELECTION: A,B,C'),
  row('b', 'substitution-1', 'FINAL_SELECTION: oat, rye, corn'),
  row('a', 'constraint-1', 'nothing, "quoted",\nand on'),
  row('c', 'pairing-1', 'FINAL_SELECTION: A,B,C.'),
  row('a', 'pairing-1', 'FINAL_SELECTION: H,G,F'),
];
/** What these are, read by hand. */
const READ = [
  'a pairing-1 ABC',
  'b substitution-1 ABD',
  'a constraint-1 no_marker',
  'c pairing-1 unknown_label',
  'a pairing-1 FGH',
];

const lines = (list: readonly object[]) => list.map((item) => `${JSON.stringify(item)}\n`).join('');
const csv = (list: readonly { [key: string]: unknown }[], separator = ',') =>
  [Object.keys(list[0]!), ...list.map((item) => Object.values(item))]
    .map((cells) => cells.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(separator))
    .join('\r\n');

describe('a batch of answers', () => {
  it('reads every form alike, and says where each row stands', async () => {
    const column = (name: 'model_id' | 'task_id' | 'response') => LIST.map((item) => item[name] as string);
    const arrow = () => {
      const writer = new RecordBatchFileWriter();
      for (const at of [0, 2, 4]) {
        const cells = (name: 'model_id' | 'task_id' | 'response') =>
          vectorFromArray(column(name).slice(at, at + 2), new Utf8());
        const part = new Table({ model_id: cells('model_id'), task_id: cells('task_id'), response: cells('response') });
        for (const each of part.batches) writer.write(each);
      }
      writer.finish();
      return writer.toUint8Array(true);
    };
    const parquet = new Uint8Array(
      parquetWriteBuffer({
        columnData: (['model_id', 'task_id', 'response'] as const).map((name) => ({
          name,
          data: column(name),
          type: 'STRING' as const,
        })),
        rowGroupSize: 2,
      }),
    );
    const byLine = READ.map((text, at) => `${text} ${at + 1}/0`);
    const byRow = READ.map((text, at) => `${text} 0/${at + 1}`);
    // In the table the third row has a line end in quotes.
    const byBoth = READ.map((text, at) => `${text} ${[2, 3, 4, 6, 7][at]}/${at + 1}`);
    const cases: [string, string | Uint8Array, readonly string[]][] = [
      ['plain.jsonl', `\ufeff${lines(LIST)}`, byLine],
      ['cut.jsonl', lines(LIST).trimEnd(), byLine],
      ['packed.jsonl.gz', gzipSync(lines(LIST)), byLine],
      ['members.jsonl.gz', Buffer.concat([gzipSync(lines(LIST.slice(0, 2))), gzipSync(lines(LIST.slice(2)))]), byLine],
      ['list.json', JSON.stringify(LIST), READ.map((text, at) => `${text} 1/${at + 1}`)],
      ['list.json.gz', gzipSync(JSON.stringify({ responses: LIST })), READ.map((text, at) => `${text} 1/${at + 1}`)],
      ['table.csv', csv(LIST), byBoth],
      ['table.tsv', csv(LIST, '\t'), byBoth],
      ['table.csv.gz', gzipSync(`\ufeff${csv(LIST)}\r\n`), byBoth],
      ['columns.arrow', arrow(), byRow],
      ['columns.parquet', parquet, byRow],
    ];
    for (const [name, data, expected] of cases)
      for (const options of [{}, { partBytes: 90 }, { shards: 3, partBytes: 150 }])
        expect([name, ...(await batch([file(name, data)], options)).rows]).toEqual([name, ...expected]);
  });

  it('reads what Zstandard packed, and refuses what is cut off or damaged', async () => {
    // zstd -c, of {"model_id":"a","task_id":"pairing-1","response":"FINAL_SELECTION: A,B,C"} and a line end.
    const packed = readFileSync('fixtures/answers-one.jsonl.zst');
    expect((await batch([file('one.jsonl.zst', packed)])).rows).toEqual(['a pairing-1 ABC 1/0']);
    const damaged = Uint8Array.from(packed);
    damaged[20]! ^= 0x55;
    for (const bytes of [packed.subarray(0, packed.length - 5), damaged])
      await expect(batch([file('bad.jsonl.zst', bytes)])).rejects.toThrow(
        expect.objectContaining({ code: 'PACKED_INVALID' }),
      );
    const gzip = gzipSync(lines(LIST));
    await expect(batch([file('bad.jsonl.gz', gzip.subarray(0, gzip.length - 9))])).rejects.toThrow(/cut off/);
  });

  it('keeps a bad row with its place and reason and goes on; a strict batch ends at the first', async () => {
    const text = [
      JSON.stringify(LIST[0]),
      '{"task_id": "pairing-1", "response": ',
      '{"response": "x"}',
      JSON.stringify(row('a', 'gone-1', 'x')),
      JSON.stringify(row('a', 'known-1', 'x')),
      '{"model_id":"a","model_id":"b","task_id":"pairing-1"}',
      '',
      JSON.stringify(LIST[4]),
    ].join('\n');
    const path = file('bad.jsonl', Buffer.concat([Buffer.from(text), Buffer.from([10, 0x7b, 0xff, 0x7d, 10])]));
    const { totals, rows, bad } = await batch([path], { partBytes: 40 });
    expect(rows).toEqual(['a pairing-1 ABC 1/0', 'a pairing-1 FGH 8/0']);
    expect(totals).toMatchObject({ rows: 2, aside: 1 });
    expect(bad.map(({ line, code }) => [line, code])).toEqual([
      [2, 'JSON_INVALID'],
      [3, 'SCHEMA_INVALID'],
      [4, 'TASK_UNKNOWN'],
      [6, 'JSON_DUPLICATE_KEY'],
      [9, 'TEXT_INVALID_UTF8'],
    ]);
    expect(bad[2]).toEqual({
      file: path,
      line: 4,
      row: null,
      code: 'TASK_UNKNOWN',
      reason: 'task "gone-1" is in no task file',
    });
    expect(Object.values(totals.bad)).toEqual([1, 1, 1, 1, 1]);
    await expect(batch([path], { plan: { ...LENIENT, strict: true } })).rejects.toThrow(/bad\.jsonl, line 2/);
    const ragged = file(
      'ragged.csv',
      'task_id,model_id,response\npairing-1,a,"FINAL_SELECTION: A,B,C"\npairing-1,a\npairing-1,b,x"y\npairing-1,c,z\n',
    );
    const table = await batch([ragged]);
    expect(table.rows).toEqual(['a pairing-1 ABC 2/1', 'c pairing-1 no_marker 5/4']);
    expect(table.bad.map(({ line, row: item, reason }) => [line, item, reason])).toEqual([
      [3, 2, '2 cells, the header has 3'],
      [4, 3, 'a quote stands where none can'],
    ]);
  });

  it('has the same totals, rows and places for any size of parts and any number of shards', async () => {
    const text = fc.constantFrom(
      'FINAL_SELECTION: A,B,C',
      '<think>x</think>FINAL_SELECTION: a, c ,h',
      'FINAL_SELECTION: [A,B,C]',
      'final_selection: oat, Rye, corn',
      'é\nFINAL_SELECTION: A,B,C',
      'none',
    );
    const line = fc.oneof(
      {
        weight: 8,
        arbitrary: fc
          .record({
            model_id: fc.constantFrom('a', 'b', 'c'),
            task_id: fc.constantFrom('pairing-1', 'constraint-1', 'gone'),
            response: text,
          })
          .map((item) => JSON.stringify(item)),
      },
      // A first line that opens a brace and does not close it begins a document.
      fc.constantFrom('', '"', '  ', `{"task_id":"pairing-1","response":"${'x'.repeat(300)}"}`, '{}'),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 30 }),
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 1, max: 5 }),
        async (list, partBytes, shards) => {
          const path = file('any.jsonl', list.join('\n'));
          const whole = await batch([path, path]);
          expect(await batch([path, path], { partBytes, shards })).toEqual(whole);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('compares parsers row by row and counts the changes by kind', async () => {
    const path = file(
      'compared.jsonl',
      lines([
        row('a', 'pairing-1', 'FINAL_SELECTION: A,B,C'),
        row('a', 'pairing-1', 'I say FINAL_SELECTION: A,B,C'),
        row('a', 'pairing-1', 'FINAL_SELECTION: A,B,C\nFINAL_SELECTION: A,B,D'),
        row('b', 'pairing-1', '<think>\nFINAL_SELECTION: A,B,C\n</think>\nFINAL_SELECTION: D,E,F'),
        row('b', 'pairing-1', 'nothing'),
      ]),
    );
    const { changes, totals, rows } = await batch([path], { plan: { ...LENIENT, compare: ['v2', 'v3', 'v4'] } });
    expect(changes.map(({ line, from, to, kind, before, after }) => [line, from, to, kind, before, after])).toEqual([
      [2, 'v2', 'v3', 'gained', 'unknown_label', 'ABC'],
      [3, 'v2', 'v3', 'lost', 'ABD', 'contradictory'],
      [4, 'v2', 'v3', 'lost', 'DEF', 'contradictory'],
      [4, 'v3', 'v4', 'gained', 'contradictory', 'DEF'],
    ]);
    expect(totals.changes).toContainEqual({
      from: 'v2',
      to: 'v3',
      kind: 'lost',
      before: 'ok',
      after: 'contradictory',
      model: 'b',
      rows: 1,
    });
    expect(rows).toHaveLength(5);
  });

  it('counts near misses by kind and model with examples, and in no score', async () => {
    const path = file(
      'near.jsonl',
      lines(Array.from({ length: 6 }, () => row('a', 'pairing-1', 'FINAL_SELECTION: A,B,C.'))),
    );
    const near = await batch([path], { partBytes: 100 });
    const { kind, model, rows, examples } = near.totals.nearMisses[0]!;
    expect([kind, model, rows]).toEqual(['trailing', 'a', 6]);
    expect(examples.map(({ line }) => line)).toEqual([1, 2, 3]);
    expect(examples[0]).toMatchObject({ reason: 'unknown_label', selection: 'ABC', text: 'FINAL_SELECTION: A,B,C.' });
    expect(near.totals.models[0]).toMatchObject({ meanAll: null, outcomes: { ok: 0, unknown_label: 6 } });
  });

  it('keeps a line that is longer than any may be as a bad row, wherever parts are cut', async () => {
    const long = `{"task_id":"pairing-1","response":"${'x'.repeat(65 * 1024 * 1024)}"}`;
    const path = file('long.jsonl', `${JSON.stringify(LIST[0])}\n${long}\n${JSON.stringify(LIST[4])}\n`);
    const { rows, bad } = await batch([path]);
    expect(rows).toEqual(['a pairing-1 ABC 1/0', 'a pairing-1 FGH 3/0']);
    expect(bad.map(({ line, code }) => [line, code])).toEqual([[2, 'LINE_TOO_LONG']]);
  });

  it.each([
    ['plain.jsonl', lines(LIST), true],
    ['plain.csv', csv(LIST), true],
    ['packed.jsonl.gz', gzipSync(lines(LIST)), false],
  ])('knows whether its parts come to the bytes of its files: %s', async (name, data, sized) => {
    const source = await openPartSource({ inputs: [file(name, data)], keyed: false });
    let bytes = 0;
    for await (const { bytes: own } of scoreParts(source.parts(), { tasks, known: ['known-1'], plan: LENIENT }, null))
      bytes += own;
    expect(source.sized).toBe(sized);
    // Less the header of a table.
    expect(bytes <= source.bytes).toBe(sized);
  });

  it('refuses a share of a pipe', async () => {
    await expect(openPartSource({ inputs: ['-'], keyed: false, shard: { index: 1, count: 2 } })).rejects.toThrow(
      expect.objectContaining({ code: 'USAGE' }),
    );
  });
});
