import { yieldToEvents } from '../engine/signals.js';
import { arrowMessages } from '../io/arrow/arrow-messages.js';
import { arrowInvalid } from '../io/arrow.js';
import { bytesSource } from '../io/byte-source.js';
import { answersBudget, type Budget } from '../io/held/table-bound.js';
import type { PyValue } from '../io/pyjson.js';
import { unpack } from '../io/unpack.js';
import { decodeText } from '../io/utf8.js';
import { documentReadings, lineAnswer, type PlacedAnswer, rowsOf } from './answer-rows.js';
import { type CsvColumns, csvRows, headerEnd, tableOf } from './csv-answers.js';
import { type AnswerColumn, type AnswerRow, answerColumns, rowAnswer } from './row-answer.js';

/** Reads one answer. Errors: those of its row, which is one of many: who lists such rows passes it by. */
type AnswerReading = () => PlacedAnswer;

/** How a response file holds its rows. */
export type ResponseForm = 'lines' | 'document' | 'arrow' | 'parquet';

/** Tells the form of answers by their first eight bytes. */
export function formOf(head: Uint8Array): ResponseForm {
  const text = String.fromCharCode(...head.subarray(0, 8));
  if (text.startsWith('ARROW1') || text.startsWith('\xff\xff\xff\xff')) return 'arrow';
  if (text.startsWith('PAR1')) return 'parquet';
  const open = text.replace(/^\xef\xbb\xbf/, '').trimStart();
  return open.startsWith('[') || /^\{\s*(?:$|[\r\n])/.test(open) ? 'document' : 'lines';
}

/** Tells by the first line of a text that is not blank whether each line is a row: it is a whole JSON object that holds no rows itself. */
export function isRowLine(first: string): boolean {
  if (!first.trimStart().startsWith('{')) return false;
  try {
    return rowsOf(JSON.parse(first)) === undefined;
  } catch {
    return first.trimEnd().endsWith('}');
  }
}

const placedRow = ({ answer, row }: AnswerRow, place: Omit<PlacedAnswer, 'answer' | 'row'>): PlacedAnswer => ({
  answer,
  ...place,
  row: () => row as PyValue,
});

function* csvReadings(bytes: Uint8Array, table: CsvColumns, file: string): Generator<AnswerReading> {
  const start = Math.min(bytes.length, headerEnd(bytes, 0, table.delimiter.charCodeAt(0)) + 1);
  let firstLine = 1;
  for (let at = 0; at < start; at += 1) if (bytes[at] === 10) firstLine += 1;
  for (const { place, read } of csvRows({ ...table, bytes: bytes.subarray(start), firstLine, firstRow: 1 }, file))
    yield () => placedRow(read(), place);
}

function* jsonReadings(text: string, file: string): Generator<AnswerReading> {
  const lines = text.split('\n');
  if (!isRowLine(lines.find((line) => line.trim() !== '') ?? '')) yield* documentReadings(text, file);
  else for (const [at, line] of lines.entries()) if (line.trim() !== '') yield () => lineAnswer(file, at + 1, line);
}

/** Readings of rows that stand in columns, `before` rows after the first. */
function* columnReadings(
  columns: readonly AnswerColumn[],
  values: readonly ArrayLike<unknown>[],
  { file, before, rows }: { readonly file: string; readonly before: number; readonly rows: number },
): Generator<AnswerReading> {
  for (let i = 0; i < rows; i += 1) {
    const place = { file, item: before + i + 1 };
    yield () =>
      placedRow(
        rowAnswer(columns, (at) => values[at]![i], place),
        place,
      );
  }
}

async function* arrowReadings(bytes: Uint8Array, file: string, budget: Budget): AsyncGenerator<AnswerReading> {
  const { RecordBatchReader } = await import('apache-arrow');
  const { vectorValues } = await import('../io/arrow/arrow-columns.js');
  let before = 0;
  try {
    for await (const batch of await RecordBatchReader.from(arrowMessages(bytesSource(bytes), budget))) {
      await yieldToEvents();
      const columns = answerColumns(
        batch.schema.fields.map(({ name }) => name),
        { file },
      );
      const values = columns.map(({ name }) => vectorValues(batch.getChild(name)!, budget));
      yield* columnReadings(columns, values, { file, before, rows: batch.numRows });
      before += batch.numRows;
    }
  } catch (cause) {
    throw arrowInvalid(file, cause);
  }
}

async function* parquetReadings(bytes: Uint8Array, file: string, budget: Budget): AsyncGenerator<AnswerReading> {
  const { openParquet } = await import('../io/parquet.js');
  const table = await openParquet(bytesSource(bytes), file, { budget });
  const columns = answerColumns(table.names, { file });
  let before = 0;
  for (const [group, rows] of table.groups.entries()) {
    await yieldToEvents();
    budget.spend('rows', rows);
    const values: ArrayLike<unknown>[] = [];
    for (const { name } of columns) values.push(await table.column(name, group));
    yield* columnReadings(columns, values, { file, before, rows });
    before += rows;
  }
}

/**
 * Yields what reads the answers in bytes of any form that `rescore` takes, in order: JSON with one row a line, a JSON document, CSV, Arrow or
 * Parquet, packed with gzip or Zstandard or not; `file` names them in errors. Errors: PACKED_INVALID; those of JSON documents and tables that are broken as a whole;
 * SCHEMA_INVALID for a table without a task or an answer; BOUND_EXCEEDED.
 */
export async function* answersIn(given: Uint8Array, file: string): AsyncGenerator<AnswerReading, void, undefined> {
  const { bytes } = await unpack(given, file);
  const form = formOf(bytes);
  const budget = answersBudget(file, given.length);
  if (form === 'arrow') yield* arrowReadings(bytes, file, budget);
  else if (form === 'parquet') yield* parquetReadings(bytes, file, budget);
  else {
    const table = form === 'lines' ? tableOf(bytes) : undefined;
    if (table) yield* csvReadings(bytes, table, file);
    else yield* jsonReadings(decodeText(file, bytes), file);
  }
}
