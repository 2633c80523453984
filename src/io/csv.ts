import { initParser, type Schema } from 'udsv';
import { fail } from '../util/error.js';
import type { ArrowColumn } from './arrow.js';
import { assertValues } from './held/table-bound.js';

/** A rectangular CSV table as text. */
export interface CsvTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** 1-based line each row starts on. */
  readonly lines: readonly number[];
}

interface CsvOptions {
  /** Name used in errors. */
  readonly file: string;
}

interface Scan {
  readonly columns: number;
  readonly lines: number[];
  /** Where each record ends in the text. */
  readonly ends: number[];
  readonly quoted: boolean;
}

const QUOTE = 34;
const COMMA = 44;
const LF = 10;

/**
 * Counts the cells of every record. The parser takes rows of unequal length without a word and shifts their cells, so the
 * shape is proved before it runs.
 */
function scan(text: string, file: string): Scan {
  const lines: number[] = [];
  const ends: number[] = [];
  let columns = 0;
  let anyQuoted = false;
  let line = 1;
  let at = 0;
  while (at < text.length) {
    const start = line;
    let cells = 1;
    for (;;) {
      if (text.charCodeAt(at) === QUOTE) {
        anyQuoted = true;
        at += 1;
        for (;;) {
          const c = text.charCodeAt(at);
          if (Number.isNaN(c))
            fail('CSV_INVALID', { file, line: start }, 'a quoted cell is never closed', 'Close the quote.');
          at += 1;
          if (c === LF) line += 1;
          else if (c === QUOTE) {
            if (text.charCodeAt(at) !== QUOTE) break;
            at += 1;
          }
        }
        const next = text.charCodeAt(at);
        if (!Number.isNaN(next) && next !== COMMA && next !== LF)
          fail(
            'CSV_INVALID',
            { file, line },
            'text follows a closing quote',
            'Quote the whole cell; write a quote twice.',
          );
      } else {
        for (let c = text.charCodeAt(at); c !== COMMA && c !== LF && at < text.length; ) {
          if (c === QUOTE)
            fail('CSV_INVALID', { file, line }, 'a quote stands inside an unquoted cell', 'Quote the whole cell.');
          at += 1;
          c = text.charCodeAt(at);
        }
      }
      if (text.charCodeAt(at) !== COMMA) break;
      at += 1;
      cells += 1;
    }
    ends.push(at);
    at += 1;
    line += 1;
    if (lines.length === 0) columns = cells;
    else if (cells !== columns)
      fail(
        'CSV_INVALID',
        { file, line: start },
        `${cells} cell${cells === 1 ? '' : 's'}, the header has ${columns}`,
        'Every row needs one cell a column; quote cells that contain a comma.',
      );
    lines.push(start);
    assertValues(file, lines.length * columns, 'cells');
  }
  return { columns, lines, ends, quoted: anyQuoted };
}

/** A one-column table with an empty second column: the parser loses quoted cells of a single column. */
function widened(text: string, ends: readonly number[]): string {
  return ends.map((end, i) => `${text.slice(i === 0 ? 0 : ends[i - 1]! + 1, end)},\n`).join('');
}

/** A quoted field, in which line ends are part of the value, or a line end. */
const QUOTED_OR_END = /"[^"]*"|\r\n/g;

/**
 * Reads a comma-separated table with a header row. Line ends may be LF or CRLF: a table that ends in LF keeps CRLF inside quotes; rows of unequal length, open quotes, a repeated
 * or empty column name and an empty file are errors that name the line (code CSV_INVALID). Errors: also BOUND_EXCEEDED for more than 2^25 cells, before any is made.
 */
export function parseCsv(source: string, options: CsvOptions): CsvTable {
  const { file } = options;
  const kept = source.includes('"') && source.endsWith('\n') && !source.endsWith('\r\n');
  const unix = kept
    ? source.replace(QUOTED_OR_END, (found) => (found === '\r\n' ? '\n' : found))
    : source.replaceAll('\r\n', '\n');
  if (unix.includes('\r') && !unix.includes('\n'))
    fail('CSV_INVALID', { file, line: 1 }, 'lines end in CR alone', 'Save the table with LF or CRLF line ends.');
  let end = unix.length;
  while (end > 1 && unix.charCodeAt(end - 1) === LF && unix.charCodeAt(end - 2) === LF) end -= 1;
  const text = unix.slice(0, end);
  const { columns, lines, ends, quoted } = scan(text, file);
  if (lines.length === 0) {
    fail('CSV_INVALID', { file, line: 1 }, 'is empty; a header row is expected', 'The first line names the columns.');
  }
  const schema: Schema & { skip: number } = {
    skip: 0,
    col: ',',
    row: '\n',
    encl: quoted ? '"' : '',
    esc: quoted ? '"' : '',
    trim: false,
    cols: Array.from({ length: Math.max(2, columns) }, (_, i) => ({
      name: String(i),
      type: 's' as const,
      repl: { empty: undefined, null: undefined, NaN: undefined },
    })),
  };
  const [header, ...rows] =
    columns > 1
      ? initParser(schema).stringArrs<string[]>(text)
      : initParser(schema)
          .stringArrs<string[]>(widened(text, ends))
          .map((row) => row.slice(0, 1));
  if (!header || rows.length + 1 !== lines.length) {
    fail('CSV_INVALID', { file }, `${lines.length} records, ${rows.length} read`, 'Remove empty lines.');
  }
  const named = new Set<string>();
  header.forEach((name, i) => {
    if (name === '' || named.has(name)) {
      fail(
        'CSV_INVALID',
        { file, line: 1 },
        `column ${i + 1} is ${name === '' ? 'unnamed' : `a second ${JSON.stringify(name)}`}`,
        'The first line names the columns, each once.',
      );
    }
    named.add(name);
  });
  return { header, rows, lines: lines.slice(1) };
}

/** Writes a field as a table holds it, quoted only where RFC 4180 asks for it. */
export function csvField(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

/** Quotes a text that begins with a byte order mark, which a reader would take for that of the file. */
const begun = (text: string): string =>
  text.startsWith('\ufeff') ? `"${text.replaceAll('"', '""')}"` : csvField(text);

/** Writes a table as comma-separated text with LF line ends. */
export function csvText(header: readonly string[], rows: Iterable<readonly (string | number)[]>): string {
  const lines = [header.map((name, i) => (i === 0 ? begun(name) : csvField(name))).join(',')];
  for (const row of rows) {
    lines.push(row.map((value) => (typeof value === 'number' ? String(value) : csvField(value))).join(','));
  }
  return `${lines.join('\n')}\n`;
}

/** Writes columns as CSV: numbers in full, nothing where a value is missing. */
export function columnsCsv(columns: readonly ArrowColumn[]): string {
  const rows = Array.from({ length: columns[0]?.values.length ?? 0 }, (_, r) =>
    columns.map(({ values }) => {
      const value = values[r] ?? null;
      return typeof value === 'number' ? value : value === null ? '' : String(value);
    }),
  );
  return csvText(
    columns.map(({ name }) => name),
    rows,
  );
}
