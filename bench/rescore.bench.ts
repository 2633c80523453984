import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Dictionary, Int32, RecordBatchFileWriter, Table, Utf8, vectorFromArray } from 'apache-arrow';
import { parquetWriteBuffer } from 'hyparquet-writer';
import type { Bench } from 'tinybench';
import { rescoreFile } from '../src/responses/answer-file.js';
import { rescorer } from '../src/responses/rescore.js';
import type { Task } from '../src/tasks/task.js';
import { chanceOf, marginOf } from '../src/tasks/task-row.js';
import { madeAnswer, NAMES } from './made-answer.js';

const ROWS = 400_000;
const BATCH = 65_536;
const KEYS = ['response', 'completion', 'answer', 'answer_markdown'];

function task(i: number): Task {
  const scores = Uint16Array.from({ length: 56 }, (_, k) => (k === 55 ? 10_000 : k * 100));
  const family = ['substitution', 'pairing', 'constraint'][i % 3]!;
  return {
    id: `bench-${family}-${String(i).padStart(3, '0')}`,
    family,
    panel: 'panel_1',
    anchor: `anchor_${i}`,
    cluster: `anchor_${i}`,
    stratum: 1,
    category: '',
    prompt: '',
    choices: NAMES,
    scores,
    optimal: 55,
    chance: chanceOf(scores),
    margin: marginOf(scores),
  };
}

/** 400,000 answers in ten forms to 534 tasks by 27 models, from files: reading them is in the time. */
export function register(bench: Bench): void {
  const folder = mkdtempSync(join(tmpdir(), 'rescore-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const tasks = Array.from({ length: 534 }, (_, i) => task(i));
  const row = (i: number) => ({
    task: tasks[i % 534]!.id,
    model: `bench/model-${Math.floor(i / 534) % 27}`,
    text: madeAnswer(i),
  });
  const file = (name: string, data: string | Uint8Array) => {
    writeFileSync(join(folder, name), data);
    return join(folder, name);
  };
  const rows = Array.from({ length: ROWS }, (_, i) => row(i));
  const lines = file(
    'lines.jsonl',
    rows
      .map(({ task: id, model, text }, i) =>
        JSON.stringify({ model, [KEYS[i % 4]!]: text, status: 'completed', task_id: id }),
      )
      .join('\n'),
  );
  const long = file(
    'long.jsonl',
    rows
      .slice(0, 4000)
      .map(({ task: id, text }) =>
        JSON.stringify({ task_id: id, response: 'Reasons, at length.\n'.repeat(430) + text }),
      )
      .join('\n'),
  );
  const writer = new RecordBatchFileWriter();
  const dictionary = (values: readonly string[]) => vectorFromArray(values, new Dictionary(new Utf8(), new Int32()));
  const models = dictionary(rows.map(({ model }) => model));
  const ids = dictionary(rows.map(({ task: id }) => id));
  const texts = vectorFromArray(
    rows.map(({ text }) => text),
    new Utf8(),
  );
  for (let at = 0; at < ROWS; at += BATCH) {
    const part = new Table({
      model: models.slice(at, at + BATCH),
      task_id: ids.slice(at, at + BATCH),
      response: texts.slice(at, at + BATCH),
    });
    for (const batch of part.batches) writer.write(batch);
  }
  writer.finish();
  const arrow = file('columns.arrow', writer.toUint8Array(true));
  const parquet = file(
    'columns.parquet',
    new Uint8Array(
      parquetWriteBuffer({
        columnData: [
          { name: 'model', data: rows.map(({ model }) => model), type: 'STRING' },
          { name: 'task_id', data: rows.map(({ task: id }) => id), type: 'STRING' },
          { name: 'response', data: rows.map(({ text }) => text), type: 'STRING' },
        ],
        rowGroupSize: 100_000,
      }),
    ),
  );
  const run = (path: string) => () => rescoreFile(path, rescorer({ tasks }));
  bench
    .add('rescore 400,000 rows, JSON lines', run(lines))
    .add('rescore 4,000 rows of 8.6 kB, JSON lines', run(long))
    .add('rescore 400,000 rows, Arrow', run(arrow))
    .add('rescore 400,000 rows, Parquet', run(parquet));
}
