import { fail } from '../util/error.js';
import { assertColumns } from './held/name-bound.js';
import { assertTable, assertValues, SCORE_TABLE } from './held/table-bound.js';
import { addByte, NO_BYTES, type SliceCodes, sliceCodes } from './slice-codes.js';

const QUOTE = 34;
const LF = 10;
const CR = 13;

/** What separates the cells of a row, by its byte. */
export const DELIMITERS = { comma: 44, semicolon: 59, tab: 9, bar: 124 } as const;

/** The cells of a table of text, each as the number of its text. */
export interface DelimitedTable {
  readonly columns: number;
  readonly rows: number;
  /** rows x columns, row after row: places in `texts`. */
  readonly cells: Int32Array;
  /** Different texts, in the order in which they first stand in the table. */
  readonly texts: readonly string[];
  /** Gives the 1-based line on which a row starts. */
  line(row: number): number;
}

interface Scan {
  readonly bytes: Uint8Array;
  readonly file: string;
  readonly delimiter: number;
  /** Whether lines end in LF alone: then a CRLF in quotes is part of the value, and no line end that was rewritten. */
  readonly unix: boolean;
  readonly codes: SliceCodes;
  at: number;
  line: number;
  /** Whether a cell was not the text of its bytes. */
  odd: boolean;
}

/** Where a cell of a text with quotes ends; `plain` is whether what stands between the quotes is its text as it is. */
function closingQuote(scan: Scan): { end: number; plain: boolean } {
  const { bytes, file, line: first } = scan;
  let plain = true;
  for (let at = scan.at + 1; ; at += 1) {
    if (at >= bytes.length)
      fail('CSV_INVALID', { file, line: first }, 'a quoted cell is never closed', 'Close the quote.');
    const byte = bytes[at]!;
    if (byte === LF) scan.line += 1;
    if (byte === CR) plain = false;
    if (byte !== QUOTE) continue;
    if (bytes[at + 1] !== QUOTE) return { end: at, plain };
    plain = false;
    at += 1;
  }
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Reads a cell in quotes and moves to what ends it. */
function quotedCell(scan: Scan): number {
  const { bytes, delimiter, file, codes } = scan;
  const start = scan.at + 1;
  const { end, plain } = closingQuote(scan);
  const next = bytes[end + 1];
  scan.at = end + 1;
  if (next !== undefined && next !== delimiter && next !== LF && !(next === CR && (bytes[end + 2] ?? LF) === LF))
    fail(
      'CSV_INVALID',
      { file, line: scan.line },
      'text follows a closing quote',
      'Quote the whole cell; write a quote twice.',
    );
  if (plain) return codes.code(start, end);
  const written = utf8.decode(bytes.subarray(start, end)).replaceAll('""', '"');
  const text = scan.unix ? written : written.replaceAll('\r\n', '\n');
  scan.odd = true;
  return codes.codeOfText(text);
}

/** Reads a cell without quotes and moves to what ends it. */
function bareCell(scan: Scan): number {
  const { bytes, delimiter, codes, file } = scan;
  const start = scan.at;
  const { length } = bytes;
  let hash = NO_BYTES;
  let at = start;
  for (; at < length; at += 1) {
    const byte = bytes[at]!;
    if (byte === delimiter || byte === LF) break;
    if (byte === CR && (at + 1 === length || bytes[at + 1] === LF)) break;
    if (byte === QUOTE && delimiter !== DELIMITERS.tab)
      fail('CSV_INVALID', { file, line: scan.line }, 'a quote stands inside an unquoted cell', 'Quote the whole cell.');
    hash = addByte(hash, byte);
  }
  scan.at = at;
  return codes.code(start, at, hash);
}

/** Reads the cells of one row into `row` and moves to the next. Gives their number. */
function scanRow(scan: Scan, row: number[]): number {
  let cells = 0;
  for (;;) {
    row[cells] = scan.bytes[scan.at] === QUOTE ? quotedCell(scan) : bareCell(scan);
    cells += 1;
    assertColumns(cells, { file: scan.file, line: scan.line });
    if (scan.bytes[scan.at] === CR) scan.at += 1;
    const ended = scan.bytes[scan.at] !== scan.delimiter;
    scan.at += 1;
    if (ended) break;
  }
  scan.line += 1;
  return cells;
}

/** Whether an empty line stands at a place. */
function emptyLine({ bytes, at }: Scan): boolean {
  const byte = bytes[at];
  return byte === LF || (byte === CR && bytes[at + 1] === LF);
}

function skipEmptyLines(scan: Scan): void {
  while (emptyLine(scan)) {
    scan.at += scan.bytes[scan.at] === CR ? 2 : 1;
    scan.line += 1;
  }
}

/** Rows as they are found: cells in one array that grows, and the lines where numbering jumps. */
class Rows {
  cells: Int32Array;
  count = 0;
  private readonly jumpRows: number[] = [];
  private readonly jumpLines: number[] = [];
  private expected = -1;

  constructor(readonly columns: number) {
    this.cells = new Int32Array(Math.max(64, columns * 4));
  }

  add(row: readonly number[], line: number): void {
    const { columns } = this;
    const start = this.count * columns;
    if (start + columns > this.cells.length) {
      const wider = new Int32Array(2 * this.cells.length + columns);
      wider.set(this.cells);
      this.cells = wider;
    }
    for (let i = 0; i < columns; i += 1) this.cells[start + i] = row[i]!;
    if (line !== this.expected) {
      this.jumpRows.push(this.count);
      this.jumpLines.push(line);
    }
    this.expected = line + 1;
    this.count += 1;
  }

  line(row: number): number {
    let [low, high] = [0, this.jumpRows.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.jumpRows[middle]! <= row) low = middle;
      else high = middle - 1;
    }
    return this.jumpLines[low]! + row - this.jumpRows[low]!;
  }
}

/** Bytes without line ends and empty lines behind the last row. */
function trimmed(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && (bytes[end - 1] === LF || bytes[end - 1] === CR)) end -= 1;
  return bytes.subarray(0, end);
}

/** Gives texts that have two numbers, as those with quotes inside may, one. */
function merged(cells: Int32Array, texts: readonly string[]): void {
  const first = new Map<string, number>();
  const number = texts.map((text, code) => {
    const known = first.get(text) ?? code;
    if (known === code) first.set(text, code);
    return known;
  });
  for (let i = 0; i < cells.length; i += 1) cells[i] = number[cells[i]!]!;
}

/**
 * Reads the cells of UTF-8 text, the first row too. Every row has as many as the first, or one more where the first has no name for a
 * column of row names: then it begins with an empty one. Empty lines are passed over, but in a table of one column. Errors: CSV_INVALID
 * with the line; BOUND_EXCEEDED for more than 2^20 columns, more cells or different texts than are held (reading 1.2, 1.16).
 */
export function readDelimited(text: Uint8Array, options: { file: string; delimiter: number }): DelimitedTable {
  const { file, delimiter } = options;
  const bytes = trimmed(text);
  const unix = text.at(-1) === LF && text.at(-2) !== CR;
  const scan: Scan = { bytes, file, delimiter, unix, codes: sliceCodes(bytes), at: 0, line: 1, odd: false };
  skipEmptyLines(scan);
  if (scan.at >= bytes.length)
    fail('CSV_INVALID', { file, line: 1 }, 'is empty; a header row is expected', 'The first line names the columns.');
  const { line: headLine } = scan;
  const head: number[] = [];
  const row: number[] = [];
  const width = scanRow(scan, head);
  let found: Rows | undefined;
  while (scan.at < bytes.length) {
    if (width > 1) skipEmptyLines(scan);
    const { line } = scan;
    const cells = scanRow(scan, row);
    if (!found) {
      if (cells === width + 1) head.unshift(scan.codes.code(0, 0));
      found = new Rows(head.length);
      found.add(head, headLine);
    }
    if (cells !== found.columns)
      fail(
        'CSV_INVALID',
        { file, line },
        `${cells} cell${cells === 1 ? '' : 's'}, the header has ${width}`,
        width === 1
          ? 'The first line has no comma, semicolon, tab or bar. Where blanks stand between columns, names that hold one must stand in quotes; else write the table as CSV.'
          : 'Every row needs one cell a column; quote cells that contain what separates them.',
      );
    found.add(row, line);
    assertTable(file, found.count, found.columns, SCORE_TABLE);
    assertValues(file, scan.codes.size, 'different texts');
  }
  const rows = found ?? new Rows(width);
  if (!found) rows.add(head, headLine);
  const cells = rows.cells.subarray(0, rows.count * rows.columns);
  const texts = scan.codes.texts();
  if (scan.odd) merged(cells, texts);
  return { columns: rows.columns, rows: rows.count, cells, texts, line: (of) => rows.line(of) };
}
