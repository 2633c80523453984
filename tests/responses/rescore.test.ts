import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Bool,
  Dictionary,
  Int32,
  RecordBatchStreamWriter,
  Table,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerCode } from '../../src/responses/answer.js';
import { readAnswers, rescoreFile, responseForm } from '../../src/responses/answer-file.js';
import { outcomeOf } from '../../src/responses/outcome.js';
import { rescorer } from '../../src/responses/rescore.js';
import type { Task } from '../../src/tasks/task.js';
import { readTaskSet } from '../../src/tasks/task-files.js';
import { taskFromRow } from '../../src/tasks/task-row.js';
import type { FlavourError } from '../../src/util/error.js';
import { noShared, shared } from '../support/shared.js';
import { taskRow } from '../tasks/support.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rescore-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const tasks = ['substitution', 'pairing', 'constraint'].map((family) =>
  taskFromRow(taskRow(`${family}-1`, { family }), { file: 'test' }),
);
const byId = new Map(tasks.map((task) => [task.id, task]));

type Scored = [model: string, task: string, code: number];

async function scored(data: string | Uint8Array, list: readonly Task[] = tasks): Promise<Scored[]> {
  const path = join(folder, 'data');
  writeFileSync(path, data);
  const rows: [number, number, number][] = [];
  const scorer = rescorer({ tasks: list, onRow: (...row) => rows.push(row) });
  await rescoreFile(path, scorer);
  return rows.map(([model, task, code]) => [scorer.kernel.models[model]!, list[task]!.id, code]);
}

/** The same through the reader that parses every row. */
function slowly(data: string): Scored[] {
  const path = join(folder, 'slow');
  writeFileSync(path, data);
  return [...readAnswers(path)].map(({ answer }) => [
    answer.model,
    answer.task,
    answerCode(answer, byId.get(answer.task)!, 'v4'),
  ]);
}

const text = fc.oneof(
  fc.constantFrom(
    'FINAL_SELECTION: A,B,C',
    'I think so.\n\nFINAL_SELECTION: c , a,H  **\n',
    'FINAL_SELECTION:\tA,B,C',
    'FINAL_SELECTION: oat, Rye, corn',
    '\fINAL_SELECTION: A,B,C',
    'FINAL_SELECTION: A,B,C\u2028x',
    'f\u0131nal_selection: A,B,C',
    'FINAL_SELECTION: A,A,B no\nFINAL_SELECTION: A,B,C',
    'FINAL_SELECTION:',
    '<think>FINAL_SELECTION: A,B,C\n</think>FINAL_SELECTION: D,E,F',
    'x</think>\nFINAL_SELECTION: A,B,C',
    '<think>FINAL_SELECTION: A,B,C',
    '',
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);
const value = fc.oneof(
  { weight: 6, arbitrary: text },
  {
    weight: 1,
    arbitrary: fc.constantFrom(null, 1, -0.5, true, { answer_markdown: 'FINAL_SELECTION: A,B,D' }),
  },
);
const answerRow = fc
  .record(
    {
      task_id: fc.constantFrom(...byId.keys()),
      model: fc.constantFrom('m/1', 'm/2', 'é', ''),
      model_id: fc.constantFrom('id/1', ''),
      status: fc.constantFrom('completed', 'ok', 'success', '', 'failed', null, 3),
      response: value,
      completion: value,
      answer: value,
      answer_markdown: value,
      selection: fc.constantFrom('ABC', 'cab', 'AB', null),
      generation: fc.constantFrom(null, { answer_markdown: 'FINAL_SELECTION: A,B,E' }),
      latency_ms: fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })),
      usage: fc.constantFrom({ tokens: 3 }, [1]),
    },
    { requiredKeys: ['task_id'] },
  )
  .chain((row) => fc.shuffledSubarray(Object.entries(row), { minLength: Object.keys(row).length }))
  .map((entries) => Object.fromEntries(entries));
const line = fc.tuple(answerRow, fc.boolean(), fc.constantFrom('\n', '\r\n', ' \n')).map(([row, wide, end]) => {
  const json = JSON.stringify(row);
  return (wide ? json.replaceAll('":', '" : ').replaceAll(',"', ', "') : json) + end;
});

describe('batch rescoring of lines', () => {
  it('gives every row the code that full reading gives it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 60 }), async (rows) => {
        const data = rows.join('');
        expect(await scored(data)).toEqual(slowly(data));
      }),
      { numRuns: 120 },
    );
  });

  it('reads a byte order mark, blank lines and a last line without an end', async () => {
    const row = (task_id: string) => JSON.stringify({ task_id, model: 'm', response: 'FINAL_SELECTION: A,B,C' });
    const data = `\ufeff${row('pairing-1')}\n\n  \r\n${row('constraint-1')}`;
    expect(await scored(data)).toEqual([
      ['m', 'pairing-1', 0],
      ['m', 'constraint-1', 0],
    ]);
  });

  it('takes a document on one line as it takes the same indented', async () => {
    const rows = tasks.map(({ id }) => ({ model_id: 'm', task_id: id, selection: 'ABC' }));
    for (const document of [rows, { responses: rows }, { records: rows }]) {
      const expected = await scored(JSON.stringify(document, null, 2));
      expect(expected).toHaveLength(3);
      expect(await scored(JSON.stringify(document))).toEqual(expected);
    }
  });

  it('keeps model names and line numbers over many blocks', async () => {
    const rows = Array.from({ length: 60_000 }, (_, i) =>
      JSON.stringify({
        task_id: 'pairing-1',
        model: `model ${i % 7}`,
        response: `${'reasons '.repeat(i % 30)}FINAL_SELECTION: A,B,${'CDEFGH'.charAt(i % 6)}`,
      }),
    );
    const result = await scored(`${rows.join('\n')}\n`);
    expect(result).toHaveLength(rows.length);
    expect(result.every(([model, , code], i) => model === `model ${i % 7}` && code === i % 6)).toBe(true);
    const broken = [...rows, '{"task_id":"pairing-1"', ...rows].join('\n');
    await expect(scored(broken)).rejects.toThrow('line 60001, column');
    const unknown = [...rows, '{"task_id":"else","response":"x"}'].join('\n');
    await expect(scored(unknown)).rejects.toThrow('line 60001: task "else" is in no task file');
  });

  it('fails on what full reading fails on', async () => {
    const cases: [string | Uint8Array, string][] = [
      ['{"task_id":"pairing-1","response":"x","response":"y"}\n', 'JSON_DUPLICATE_KEY'],
      ['{"task_id":"pairing-1","a":1,"response":"x","a":2}\n', 'JSON_DUPLICATE_KEY'],
      ['{"task_id":"pairing-1","response":"x"}}\n', 'JSON_INVALID'],
      ['{"task_id":"pairing-1","response":"x",}\n', 'JSON_INVALID'],
      ['{"task_id":"pairing-1","response":"\\x"}\n', 'JSON_INVALID'],
      ['{"task_id":"pairing-1","n":01}\n', 'JSON_INVALID'],
      ['{"task_id":"pairing-1","n":1.}\n', 'JSON_INVALID'],
      ['{"task_id":"pairing-1","n":nul}\n', 'JSON_INVALID'],
      ['{"task_id":"pairing-1","response":"a\tb"}\n', 'JSON_INVALID'],
      ['{"task_id":"","response":"x"}\n', 'SCHEMA_INVALID'],
      ['{"response":"x"}\n', 'SCHEMA_INVALID'],
      [Buffer.from([0x7b, 0xff, 10]), 'TEXT_INVALID_UTF8'],
    ];
    for (const [data, code] of cases) {
      const error = (await scored(data).catch((e) => e)) as FlavourError;
      expect(error.code, String(data)).toBe(code);
    }
  });

  it('makes NaN, a lone surrogate and a failed status failures of their rows', async () => {
    const data = [
      '{"task_id":"pairing-1","x":NaN,"response":"FINAL_SELECTION: A,B,C"}',
      '{"task_id":"pairing-1","response":"\\ud800 FINAL_SELECTION: A,B,C"}',
      '{"task_id":"pairing-1","status":"failed","response":"FINAL_SELECTION: A,B,C"}',
      '{"task_id":"pairing-1","response":null}',
    ].join('\n');
    expect((await scored(data)).map(([, , code]) => outcomeOf(code))).toEqual([
      'not_text',
      'not_text',
      'failed_status',
      'not_text',
    ]);
  });

  it('refuses a line of 200 MB', async () => {
    const path = join(folder, 'huge');
    writeFileSync(path, '{"task_id":"pairing-1","response":"');
    truncateSync(path, 200_000_000);
    await expect(rescoreFile(path, rescorer({ tasks }))).rejects.toThrow('longer than 64 MiB');
  });

  it('counts by model and family, leaves known tasks aside and can ignore unknown ones', async () => {
    const rows = [
      ['a', 'substitution-1', 'F,G,H'],
      ['a', 'pairing-1', 'A,B,D'],
      ['a', 'pairing-1', 'none'],
      ['b', 'constraint-1', 'A,B,C'],
      ['b', 'gone', 'A,B,C'],
    ].map(([model, task_id, labels]) => JSON.stringify({ model, task_id, response: `FINAL_SELECTION: ${labels}` }));
    const path = join(folder, 'tally');
    writeFileSync(path, rows.join('\n'));
    const scorer = rescorer({ tasks: tasks.slice(0, 2), known: byId, ignoreUnknown: true });
    await rescoreFile(path, scorer);
    const { models, ...counts } = scorer.results();
    expect(counts).toEqual({ rows: 3, aside: 1, unknownTasks: 1 });
    expect(models).toHaveLength(1);
    expect(models[0]).toMatchObject({
      model: 'a',
      rows: 3,
      optimal: 1,
      outcomes: { ok: 2, wrong_count: 1 },
      families: [
        { family: 'substitution', rows: 1, ok: 1, totalBps: 10_000 },
        { family: 'pairing', rows: 2, ok: 1, totalBps: 100 },
      ],
      meanReadable: 50.5,
      meanAll: 50.25,
    });
  });

  it('knows the form of a file by its first bytes', () => {
    const form = (data: string) => {
      const path = join(folder, 'form');
      writeFileSync(path, data);
      return responseForm(path);
    };
    expect(['{"a":1}\n', '[\n{}]', '{\n  "a"', '\ufeff{"a"', 'ARROW1\0\0', 'PAR1', ''].map(form)).toEqual([
      'lines',
      'document',
      'document',
      'lines',
      'arrow',
      'parquet',
      'lines',
    ]);
  });
});

describe('batch rescoring of columns', () => {
  const ids = [...byId.keys()];
  const texts = [
    'FINAL_SELECTION: A,B,C',
    'FINAL_SELECTION: oat, rye, corn',
    'fınal_selection: A,B,E',
    'nothing',
    'FINAL_SELECTION: A,B,C\u2028',
    null,
  ];
  const rows = Array.from({ length: 500 }, (_, i) => ({
    task_id: ids[i % 3]!,
    model_id: `model ${i % 4}`,
    response: texts[i % 6] as string | null,
    status: i % 11 === 0 ? 'failed' : 'ok',
  }));
  const expected = () => slowly(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));

  function table(dictionaries: boolean, list = rows): Table {
    const type = () => (dictionaries ? new Dictionary(new Utf8(), new Int32()) : new Utf8());
    const column = (key: keyof (typeof rows)[number]) =>
      vectorFromArray(
        list.map((row) => row[key]),
        type(),
      );
    return new Table({
      task_id: column('task_id'),
      model_id: column('model_id'),
      response: column('response'),
      status: column('status'),
    });
  }

  it.each([true, false])('reads Arrow files, dictionaries %j', async (dictionaries) => {
    expect(await scored(tableToIPC(table(dictionaries), 'file'))).toEqual(expected());
  });

  it('reads Arrow streams of several batches and columns without nulls', async () => {
    const full = rows.filter((row) => row.response !== null);
    const writer = new RecordBatchStreamWriter();
    for (const part of [full.slice(0, 100), full.slice(100)]) {
      for (const batch of table(false, part).batches) writer.write(batch);
    }
    writer.finish();
    const bytes = await writer.toUint8Array();
    expect(await scored(bytes)).toEqual(slowly(full.map((row) => `${JSON.stringify(row)}\n`).join('')));
  });

  it('reads selections', async () => {
    const columns = new Table({
      task: vectorFromArray(['pairing-1', 'pairing-1'], new Utf8()),
      selection: vectorFromArray(['ABD', 'x'], new Utf8()),
    });
    expect(await scored(tableToIPC(columns, 'file'))).toEqual([
      ['', 'pairing-1', 1],
      ['', 'pairing-1', -3],
    ]);
  });

  it('calls a failed row the same from lines and from tables that say completed or not', async () => {
    const list = rows.map(({ status, ...row }) => ({ ...row, completed: status === 'ok' }));
    const strings = (key: 'task_id' | 'model_id' | 'response') => list.map((row) => row[key]);
    const completed = list.map((row) => row.completed);
    const arrow = new Table({
      task_id: vectorFromArray(strings('task_id'), new Utf8()),
      model_id: vectorFromArray(strings('model_id'), new Utf8()),
      response: vectorFromArray(strings('response'), new Utf8()),
      completed: vectorFromArray(completed, new Bool()),
    });
    expect(await scored(tableToIPC(arrow, 'file'))).toEqual(expected());
    const parquet = parquetWriteBuffer({
      columnData: [
        ...(['task_id', 'model_id', 'response'] as const).map((name) => ({
          name,
          data: strings(name),
          type: 'STRING' as const,
        })),
        { name: 'completed', data: completed, type: 'BOOLEAN' as const },
      ],
    });
    expect(await scored(new Uint8Array(parquet))).toEqual(expected());
  });

  it('reads Parquet of several row groups', async () => {
    const column = (name: keyof (typeof rows)[number]) => ({
      name,
      data: rows.map((row) => row[name]),
      type: 'STRING' as const,
    });
    const bytes = parquetWriteBuffer({
      columnData: [column('task_id'), column('model_id'), column('response'), column('status')],
      rowGroupSize: 130,
    });
    expect(await scored(new Uint8Array(bytes))).toEqual(expected());
  });

  it('says which columns it needs and which row has an unknown task', async () => {
    const wrong = new Table({ id: vectorFromArray(['x'], new Utf8()) });
    await expect(scored(tableToIPC(wrong, 'file'))).rejects.toThrow(/columns task_id and one of .* found id/);
    const unknown = new Table({
      task_id: vectorFromArray(['pairing-1', 'else'], new Utf8()),
      answer: vectorFromArray(['x', 'y'], new Utf8()),
    });
    await expect(scored(tableToIPC(unknown, 'file'))).rejects.toThrow(/row 2: task "else"/);
    await expect(scored('ARROW1 but no more')).rejects.toThrow(/cannot be read as Arrow IPC/);
    await expect(scored('PAR1 but no more')).rejects.toThrow(/cannot be read as Parquet/);
  });
});

describe.skipIf(noShared)('the recorded submission', () => {
  it('has the same outcomes and scores in a batch as in its report', async () => {
    const list = readTaskSet(shared('golden/lab/tasks-534.jsonl')).tasks;
    const result = await scored(readFileSync(shared('golden/lab/responses-partial.jsonl')), list);
    expect(result).toHaveLength(528);
    expect(result.filter(([, , code]) => code < 0)).toHaveLength(40);
  });
});
