import { invalidUtf8, isMarked, type LineBlock, utf8Slice } from '../io/utf8.js';
import { fail, shown } from '../util/error.js';
import type { KeepName, VectorFile } from './vector-table.js';
import { growingTable } from './vector-table.js';

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?$/;
const COMMA_NUMBER = /^[+-]?\d+,\d+(?:[eE][+-]?\d{1,4})?$/;
const NOT_FINITE = /^[+-]?(?:nan|inf|infinity)$/i;
/** What no part of a name is, but a number that stands too many. */
const FRACTION = /^[+-]?\d*[.,]\d+(?:[eE][+-]?\d+)?$|^[+-]?\d+[eE][+-]?\d+$/;
const HEADER = /^\d{1,12}[ \t]+\d{1,7}$/;
/** Lines that are looked at before the width is settled. */
const AHEAD = 100;

/** What stands between the name and the numbers: blanks or tabs, or one character. */
export type Separator = ' ' | ';' | ',' | '\t';

interface TextOptions {
  readonly file: string;
  readonly separator: Separator;
  readonly keep: KeepName | undefined;
}

interface Line {
  readonly text: string;
  readonly line: number;
}

const HINT = 'A line is a name and the same count of numbers in each, as word2vec, GloVe and fastText write them.';

/** Whether a cell is a number, a decimal comma allowed where the comma separates nothing, or the word for one that is none. */
export const looksNumeric = (cell: string): boolean =>
  NUMBER.test(cell) || COMMA_NUMBER.test(cell) || NOT_FINITE.test(cell);

function* linesOf(blocks: Iterable<LineBlock>, file: string): Generator<Line, void, undefined> {
  for (const { bytes, start, end, firstLine } of blocks) {
    let line = firstLine;
    for (let at = line === 1 && isMarked(bytes) ? 3 : start; at < end; line += 1) {
      const feed = bytes.indexOf(10, at);
      const stop = feed < 0 || feed > end ? end : feed;
      let cut = stop;
      while (cut > at && (bytes[cut - 1] === 13 || bytes[cut - 1] === 32 || bytes[cut - 1] === 9)) cut -= 1;
      const text = utf8Slice(bytes, at, cut);
      if (text === undefined) throw invalidUtf8(file, line, bytes.subarray(at, cut));
      if (text !== '') yield { text, line };
      at = stop + 1;
    }
  }
}

/** Cells of a line; a name with blanks is several where blanks separate. */
function cellsOf(text: string, separator: Separator): string[] {
  if (separator !== ' ') return text.split(separator);
  return text.includes('\t') ? text.split(/[ \t]+/) : text.split(' ');
}

/** The width that most of the first lines have, a name of one word assumed; of equals the smaller. */
function usualWidth(lines: readonly Line[], separator: Separator): number {
  const counts = new Map<number, number>();
  for (const { text } of lines) {
    const width = cellsOf(text, separator).length - 1;
    counts.set(width, (counts.get(width) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0] ?? 0;
}

/**
 * Reads vectors from lines of text: a name, then numbers (reading 3.1). A first line of two counts (word2vec, fastText) is a header and must be
 * true; a name may hold blanks. Memory is bounded by the lines that are there, or by those whose names are kept, whatever a header claims.
 * Errors: MATRIX_INVALID with line and value, TEXT_INVALID_UTF8, BOUND_EXCEEDED.
 */
export function readTextVectors(blocks: Iterable<LineBlock>, { file, separator, keep }: TextOptions): VectorFile {
  const lines = linesOf(blocks, file);
  const ahead: Line[] = [];
  for (const line of take(lines, AHEAD + 1)) ahead.push(line);
  const header = headerOf(ahead, separator);
  if (header) ahead.shift();
  const width = usualWidth(ahead, separator);
  if (header && ahead.length > 0 && width !== header.columns)
    fail(
      'MATRIX_INVALID',
      { file, line: 1 },
      `the header claims ${header.columns} numbers a row, most of the next ${ahead.length} lines have ${width}`,
      'Correct the first line, or copy the file again.',
    );
  if (
    ahead[0] &&
    width > 0 &&
    !ahead[0].text
      .split(/[ \t;,]+/)
      .slice(1)
      .some(looksNumeric)
  )
    ahead.shift();
  if (ahead.length === 0 || width < 1)
    fail(
      'MATRIX_INVALID',
      { file },
      header ? `the header claims ${header.rows} rows, none follows` : 'no row of a name and numbers',
      HINT,
    );
  const table = growingTable(file, width);
  const names: string[] = [];
  let rows = 0;
  let last = 0;
  const add = ({ text, line }: Line) => {
    rows += 1;
    last = line;
    const cells = cellsOf(text, separator);
    const extra = cells.length - 1 - width;
    const wrong =
      extra < 0 || (extra > 0 && (separator !== ' ' || cells.slice(1, 1 + extra).every((cell) => FRACTION.test(cell))));
    const name = nameOf(cells, Math.max(0, extra), separator);
    if (wrong)
      fail(
        'MATRIX_INVALID',
        { file, line },
        `${cells.length - 1} numbers after ${shown(cells[0]!)}; ${width} are expected, as in the other lines`,
        extra < 0 ? 'The line is cut off, or a number is missing: copy the file again, or correct the line.' : HINT,
      );
    if (keep !== undefined && !keep(name)) return;
    names.push(name);
    for (let j = 0; j < width; j += 1) table.push(numberOf(cells[cells.length - width + j]!, name, line));
  };
  for (const line of ahead) add(line);
  for (const line of lines) add(line);
  if (header && header.rows !== rows)
    fail(
      'MATRIX_INVALID',
      { file, line: 1 },
      `the header claims ${header.rows} rows, the file has ${rows} (to line ${last})`,
      `The file is cut off: copy it again. If it is whole, its first line must be \`${rows} ${width}\`.`,
    );
  return { rows: names.length, columns: width, values: table.values(), names, ids: null };

  function numberOf(cell: string, name: string, line: number): number {
    const text = separator !== ',' && COMMA_NUMBER.test(cell) ? cell.replace(',', '.') : cell;
    const value = NUMBER.test(text) ? Math.fround(Number(text)) : Number.NaN;
    if (!Number.isFinite(value)) {
      const what = NOT_FINITE.test(cell) ? 'is not finite' : 'is not a float32 number';
      fail(
        'MATRIX_INVALID',
        { file, line },
        `${shown(cell)} in the row of ${shown(name)} ${what}`,
        'Correct the line, or remove it.',
      );
    }
    return value;
  }
}

function* take<T>(items: Iterator<T, void, undefined>, count: number): Generator<T, void, undefined> {
  for (let i = 0; i < count; i += 1) {
    const next = items.next();
    if (next.done) return;
    yield next.value;
  }
}

function headerOf(lines: readonly Line[], separator: Separator): { rows: number; columns: number } | undefined {
  const first = lines[0]?.text;
  if (separator !== ' ' || first === undefined || !HEADER.test(first)) return undefined;
  const [rows, columns] = first.split(/[ \t]+/).map(Number) as [number, number];
  const next = lines[1];
  return next && cellsOf(next.text, separator).length === 2 && columns !== 1 ? undefined : { rows, columns };
}

function nameOf(cells: readonly string[], extra: number, separator: Separator): string {
  const name = cells.slice(0, 1 + extra).join(separator);
  return /^".*"$/.test(name) ? name.slice(1, -1).replaceAll('""', '"') : name;
}
