import { pastBlankLines } from '../io/blank-lines.js';
import { DELIMITERS } from '../io/delimited.js';
import { delimiterOf } from '../io/dialect.js';
import { invalidUtf8, utf8Slice } from '../io/utf8.js';
import { failure } from '../util/error.js';
import { type AnswerSink, orBad, scoreRow } from './rescore.js';
import { type AnswerRow, answerColumns, rowAnswer } from './row-answer.js';

const LF = 10;
const QUOTE = 34;
const OBJECT = '{'.charCodeAt(0);
const LIST = '['.charCodeAt(0);

/** Columns of a table of answers. */
export interface CsvColumns {
  readonly delimiter: string;
  readonly names: readonly string[];
}

/** After the quote that closes the cell whose inside begins at `at`, or `end`; a quote written twice closes nothing. */
function afterClosing(bytes: Uint8Array, at: number, end: number): number {
  for (let quote = bytes.indexOf(QUOTE, at); quote >= 0 && quote < end; quote = bytes.indexOf(QUOTE, quote + 2))
    if (quote + 1 >= end || bytes[quote + 1] !== QUOTE) return quote + 1;
  return end;
}

/**
 * Makes what finds the end of the record at a place, at its line end or at `end`: a line end in a cell that a quote opens is part of it. To be asked about places
 * one after another: the next quote, which may be far off, is looked for once.
 */
function recordEnds(bytes: Uint8Array, end: number, delimiter: number): (at: number) => number {
  let quote = -1;
  return (at) => {
    for (let from = at; ; ) {
      const feed = bytes.indexOf(LF, from);
      const stop = feed < 0 || feed > end ? end : feed;
      if (quote < from) quote = bytes.indexOf(QUOTE, from);
      if (quote < 0) quote = end;
      if (quote >= stop) return stop;
      const opens = quote === at || bytes[quote - 1] === delimiter;
      from = opens ? afterClosing(bytes, quote + 1, end) : quote + 1;
      if (from >= end) return end;
    }
  };
}

/** End of the header, at its line end or at the end of the bytes. */
export function headerEnd(bytes: Uint8Array, at: number, delimiter: number): number {
  return recordEnds(bytes, bytes.length, delimiter)(at);
}

/** After the last record that ends before the end of bytes, or 0. */
export function lastRecordEnd(bytes: Uint8Array, delimiter: number): number {
  const endOf = recordEnds(bytes, bytes.length, delimiter);
  for (let at = 0; ; ) {
    at = pastEmptyLines(bytes, at).at;
    const end = endOf(at);
    if (end >= bytes.length) return at;
    at = end + 1;
  }
}

const pastEmptyLines = (bytes: Uint8Array, at: number) =>
  pastBlankLines(bytes, at, bytes.length, (held, place) => (held[place] === 13 ? 1 : 0));

/** A record that holds something. */
interface CsvRecord {
  readonly from: number;
  readonly to: number;
  /** Empty lines before it. */
  readonly passed: number;
}

/** Yields the records of whole lines; empty lines are none. */
export function* csvRecords(bytes: Uint8Array, delimiter: number): Generator<CsvRecord, void, undefined> {
  const endOf = recordEnds(bytes, bytes.length, delimiter);
  for (let at = 0; at < bytes.length; ) {
    const { at: from, lines: passed } = pastEmptyLines(bytes, at);
    if (from === bytes.length) return;
    const to = endOf(from);
    yield { from, to, passed };
    at = to + 1;
  }
}

/** Splits a record into its cells; undefined where its quotes are wrong. */
function cellsOf(text: string, delimiter: string): string[] | undefined {
  if (!text.includes('"')) return text.split(delimiter);
  const cells: string[] = [];
  for (let at = 0; ; ) {
    if (text[at] === '"') {
      let cell = '';
      for (at += 1; ; ) {
        const quote = text.indexOf('"', at);
        if (quote < 0) return undefined;
        cell += text.slice(at, quote);
        at = quote + 1;
        if (text[at] !== '"') break;
        cell += '"';
        at += 1;
      }
      cells.push(cell);
      if (at < text.length && text[at] !== delimiter) return undefined;
    } else {
      const stop = text.indexOf(delimiter, at);
      const cell = text.slice(at, stop < 0 ? text.length : stop);
      if (cell.includes('"')) return undefined;
      cells.push(cell);
      at += cell.length;
    }
    if (at >= text.length) return cells;
    at += 1;
    if (at === text.length) return [...cells, ''];
  }
}

const recordText = (bytes: Uint8Array, from: number, to: number): string | undefined =>
  utf8Slice(bytes, from, to > from && bytes[to - 1] === 13 ? to - 1 : to);

/** Reads the header of a table of answers: what separates its cells, and their names; undefined where no column names a task. */
export function csvColumns(head: Uint8Array): CsvColumns | undefined {
  const start = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
  const code = DELIMITERS[delimiterOf(head.subarray(start)) ?? 'comma'];
  const text = recordText(head, start, headerEnd(head, start, code));
  if (text === undefined) return undefined;
  const delimiter = String.fromCharCode(code);
  const names = cellsOf(text, delimiter)?.map((name) => name.trim());
  return names?.some((name) => name === 'task_id' || name === 'task') ? { delimiter, names } : undefined;
}

/** The columns of a text that is a table; undefined for one that begins as JSON does. */
export function tableOf(head: Uint8Array): CsvColumns | undefined {
  let at = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
  while (at < head.length && head[at]! <= 32) at += 1;
  return head[at] === OBJECT || head[at] === LIST ? undefined : csvColumns(head);
}

/** Whole records of a table and where they stand. */
export interface CsvBlock extends CsvColumns {
  readonly bytes: Uint8Array;
  readonly firstLine: number;
  /** 1-based row of the first record; the header is none. */
  readonly firstRow: number;
}

/** A record of a table of answers: where it stands, and what reads it. */
interface CsvRow {
  readonly place: { readonly file: string; readonly line: number; readonly item: number };
  /** Errors: CSV_INVALID, TEXT_INVALID_UTF8, those of rows. */
  readonly read: () => AnswerRow;
}

/**
 * Yields the records of a table of answers: columns `task_id` or `task`, `model_id` or `model`, one text column or `selection`, perhaps `panel`, `status`
 * or `completed`. Errors: SCHEMA_INVALID without them.
 */
export function* csvRows(block: CsvBlock, path: string): Generator<CsvRow, void, undefined> {
  const { bytes, names, delimiter } = block;
  const columns = answerColumns(names, { file: path, line: 1 });
  const places = columns.map(({ name }) => names.indexOf(name));
  let line = block.firstLine;
  let item = block.firstRow;
  for (const { from, to, passed } of csvRecords(bytes, delimiter.charCodeAt(0))) {
    line += passed;
    const place = { file: path, line, item };
    const read = (): AnswerRow => {
      const record = recordText(bytes, from, to);
      if (record === undefined) throw invalidUtf8(path, place.line, bytes.subarray(from, to));
      const cells = cellsOf(record, delimiter);
      if (cells === undefined || cells.length !== names.length)
        throw failure(
          'CSV_INVALID',
          { file: path, line: place.line, row: place.item },
          cells === undefined
            ? 'a quote stands where none can'
            : `${cells.length} cell${cells.length === 1 ? '' : 's'}, the header has ${names.length}`,
          'Quote cells that hold quotes, separators or line ends; write a quote twice.',
        );
      return rowAnswer(columns, (at) => cells[places[at]!], place);
    };
    yield { place, read };
    item += 1;
    for (let feed = bytes.indexOf(LF, from); feed >= 0 && feed < to; feed = bytes.indexOf(LF, feed + 1)) line += 1;
    line += 1;
  }
}

/** Scores records of a table of answers. Errors: those of `csvRows`; for a sink that takes no bad rows also those of reading a record. */
export function scoreCsv(block: CsvBlock, path: string, scorer: AnswerSink): void {
  for (const { place, read } of csvRows(block, path))
    orBad(scorer, place, () => scoreRow(scorer, place, read().answer));
}
