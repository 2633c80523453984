import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { type AsyncBuffer, parquetMetadataAsync, parquetRead } from 'hyparquet';
import { FlavourError } from '../util/error.js';
import { assertInputFile } from '../util/file.js';
import { selectionCode, TEXT_KEYS } from './answer.js';
import { type AnswerCode, FAILED_STATUS, NOT_TEXT } from './outcome.js';
import type { Rescorer } from './rescore.js';
import { readTexts } from './text-batch.js';

const DONE = new Set(['', 'completed', 'success', 'ok']);

/** Rows of a file read on demand: no more than the asked ranges are held. */
function fileBuffer(handle: number, byteLength: number): AsyncBuffer {
  return {
    byteLength,
    slice(start, end = byteLength) {
      const out = Buffer.alloc(end - start);
      let filled = 0;
      while (filled < out.length) {
        const got = readSync(handle, out, filled, out.length - filled, start + filled);
        if (got === 0) break;
        filled += got;
      }
      return out.buffer as ArrayBuffer;
    },
  };
}

/** A number for each different text; texts of a column chunk repeat, so the last one is tried first. */
function remembering(lookup: (text: string) => number): (value: unknown) => number {
  const known = new Map<string, number>();
  let last: string | undefined;
  let number = 0;
  return (value) => {
    const text = typeof value === 'string' ? value : '';
    if (text === last) return number;
    const found = known.get(text) ?? lookup(text);
    known.set(text, found);
    last = text;
    number = found;
    return found;
  };
}

/**
 * Scores a Parquet file of answers; columns as for Arrow. Memory holds the needed columns of one row group.
 * Errors: PARQUET_INVALID, SCHEMA_INVALID, TASK_UNKNOWN.
 */
export async function rescoreParquet(path: string, scorer: Rescorer): Promise<void> {
  assertInputFile(path);
  const handle = openSync(path, 'r');
  try {
    await rescoreGroups(path, scorer, fileBuffer(handle, statSync(path).size));
  } catch (cause) {
    if (cause instanceof FlavourError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new FlavourError('PARQUET_INVALID', `${path} is not a readable Parquet file: ${why}`, {
      hint: 'Columns may be uncompressed or compressed with Snappy.',
      where: { file: path },
      cause,
    });
  } finally {
    closeSync(handle);
  }
}

const givenCode = (value: unknown): AnswerCode =>
  typeof value === 'string' ? selectionCode(value) : NOT_TEXT;

/** A column of which one more part has come, the part beginning at row `from`. */
function joined(
  before: ArrayLike<unknown> | undefined,
  part: ArrayLike<unknown>,
  from: number,
): ArrayLike<unknown> {
  if (before === undefined && from === 0) return part;
  const whole = Array.from(before ?? []);
  for (let i = 0; i < part.length; i += 1) whole[from + i] = part[i];
  return whole;
}

async function rescoreGroups(path: string, scorer: Rescorer, file: AsyncBuffer): Promise<void> {
  const metadata = await parquetMetadataAsync(file);
  const names = metadata.schema.slice(1).map((element) => element.name);
  const pick = (...wanted: readonly string[]) => wanted.find((name) => names.includes(name));
  const taskName = pick('task_id', 'task');
  const textName = pick(...TEXT_KEYS);
  const answerName = textName ?? pick('selection');
  if (taskName === undefined || answerName === undefined) {
    throw new FlavourError(
      'SCHEMA_INVALID',
      `${path}: columns task_id and one of ${TEXT_KEYS.join(', ')}, selection expected, found ${names.join(', ')}`,
      { hint: 'Name the columns so.', where: { file: path } },
    );
  }
  const modelName = pick('model_id', 'model');
  const statusName = pick('status');
  const taskOf = remembering((text) => scorer.task(text));
  const modelOf = remembering((text) => scorer.kernel.model(text));
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows);
    const columns = [taskName, answerName, modelName, statusName].filter(
      (name) => name !== undefined,
    );
    const values = new Map<string, ArrayLike<unknown>>();
    const first = rowStart;
    await parquetRead({
      file,
      metadata,
      columns,
      rowStart,
      rowEnd,
      onChunk: ({ columnName, columnData, rowStart: from }) => {
        values.set(columnName, joined(values.get(columnName), columnData, from - first));
      },
    });
    const tasks = values.get(taskName) ?? [];
    const answers = values.get(answerName) ?? [];
    const models = modelName === undefined ? undefined : values.get(modelName);
    const statuses = statusName === undefined ? undefined : values.get(statusName);
    const numbers = Int32Array.from({ length: rowEnd - rowStart }, (_, i) => taskOf(tasks[i]));
    const codes =
      textName === undefined
        ? Int32Array.from(numbers, (_, i) => givenCode(answers[i]))
        : readTexts(scorer, answers, numbers);
    numbers.forEach((task, i) => {
      const status = statuses?.[i];
      if (task < 0) scorer.unknown(String(tasks[i]), path, first + i + 1);
      else {
        const failed = typeof status === 'string' && !DONE.has(status);
        scorer.add(modelOf(models?.[i]), task, failed ? FAILED_STATUS : (codes[i] as number));
      }
    });
    rowStart = rowEnd;
  }
}
