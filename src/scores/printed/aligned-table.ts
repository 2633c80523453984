import { fail } from '../../util/error.js';
import { namedFor } from '../column-names.js';
import { CUT, type PrintedRow, type PrintedTable, WRITE_ALL, WRITE_PLAIN } from './printed-row.js';

const KIND = 'text, columns by blanks';
const COUNTS = /^\d+$/;

/**
 * Reads columns that stand below one another, as pandas, R and SQLite print them and R's `write.table` writes them. Blanks separate cells; where every
 * row has the same number of cells between two blanks or more, those do, and names may hold one. A row may have one cell more than the names:
 * the name of the row. Undefined where the rows do not agree. Errors: FORMAT_UNKNOWN for a print that leaves something out or goes over the line.
 */
export function alignedTable(lines: readonly string[], file: string): PrintedTable | undefined {
  const written = lines.flatMap((text, i) => (text.trim() === '' ? [] : [{ line: i + 1, text: text.trimEnd() }]));
  for (const { text, line } of written)
    if (/^#.*\bmore (?:rows|variables)\b|^\[\d+ rows x \d+ columns\]$|reached getOption/.test(text.trim()))
      fail('FORMAT_UNKNOWN', { file, line }, CUT, WRITE_ALL);
  const kept = written.filter(({ text }) => !/^# (?:A tibble|A data\.frame|ℹ)/.test(text.trim()));
  if (kept.length < 2) return undefined;
  if (/\s\\$/.test(kept[0]!.text))
    fail(
      'FORMAT_UNKNOWN',
      { file, line: kept[0]!.line },
      'is a print of pandas that goes over the line (\\ ends it)',
      WRITE_PLAIN,
    );
  const underlined = kept[1]!.text;
  if (/^\s*-{2,}(?:\s+-{2,})+$/.test(underlined)) return byPlace(kept, underlined, file);
  const wide = rowsOf(kept, (text) => text.trim().split(/\s{2,}/), file);
  const all = rowsOf(kept, wordsOf, file);
  const sure = wide !== undefined && wide[0]!.cells.length > 1 && !wide.some(({ cells }) => cells.some(isSideBySide));
  const rows = sure ? wide : all;
  return rows === undefined ? undefined : { kind: KIND, rows };
}

/** Tells whether what may be one cell looks like several values, or several names of columns. */
const isSideBySide = (cell: string): boolean => /^[+-]?[\d.]+%?(?: [+-]?[\d.]+%?)+$/.test(cell);

/** Words, of which one in quotes may hold blanks. */
function wordsOf(text: string): string[] {
  return Array.from(text.matchAll(/"((?:[^"\\]|\\.|"")*)"(?=\s|$)|\S+/g), ([word, quoted]) =>
    quoted === undefined ? word : quoted.replace(/\\(.)|"(")/g, '$1$2'),
  );
}

interface Line {
  readonly line: number;
  readonly text: string;
}

/** The rows by one way of splitting; undefined where they do not agree in their number of cells. Errors: FORMAT_UNKNOWN. */
function rowsOf(lines: readonly Line[], split: (text: string) => string[], file: string): PrintedRow[] | undefined {
  const rows = lines.map(({ line, text }) => ({ line, cells: split(text) }));
  const cut = rows.find(({ cells }) => cells.some((cell) => cell === '...' || cell === '…'));
  const head = rows[0]!;
  const body = rows.slice(1);
  let names = head.cells;
  if (body.length > 1 && names.length > 1 && body[0]!.cells.length === 1 && !body[0]!.cells[0]!.startsWith('<')) {
    // Below the names pandas writes that of the index; before them that of the columns, where they have one.
    const more = body[1]!.cells.length - names.length;
    if (more === 0 || more === 1) names = [body.shift()!.cells[0]!, ...names.slice(1 - more)];
  }
  if (body[0]!.cells.every((cell) => /^<[a-z]+>$/.test(cell)) && body.length > 1) body.shift();
  const width = body[0]!.cells.length;
  if (width < 2 || !body.every(({ cells }) => cells.length === width)) return undefined;
  if (cut !== undefined) fail('FORMAT_UNKNOWN', { file, line: cut.line }, CUT, WRITE_ALL);
  if (names.length === width) return [{ line: head.line, cells: names }, ...body];
  if (names.length !== width - 1) return undefined;
  // Beside a column of models the names of rows are numbers, else they are the models.
  const counted = body.every(({ cells }) => COUNTS.test(cells[0]!));
  return namedFor('model', names).length > 0 && !counted
    ? undefined
    : [{ line: head.line, cells: ['', ...names] }, ...body];
}

/** Cells below the dashes of a line that underlines the names. Errors: FORMAT_UNKNOWN where a text stands across two of them. */
function byPlace(lines: readonly Line[], underlined: string, file: string): PrintedTable | undefined {
  const runs = Array.from(
    underlined.matchAll(/-+/g),
    ({ index, 0: dashes }) => [index, index + dashes.length] as const,
  );
  const starts = runs.map(([start]) => start);
  const between = runs.slice(1).map(([start], i) => [runs[i]![1], start] as const);
  const across = lines.find(
    ({ text }, i) => i !== 1 && between.some(([from, to]) => /\S/.test(text.slice(from, to)) && !/^[\s-]+$/.test(text)),
  );
  if (across !== undefined)
    fail('FORMAT_UNKNOWN', { file, line: across.line }, 'has a cell that is longer than its column', WRITE_PLAIN);
  const rows = lines.flatMap(({ line, text }, i): PrintedRow[] =>
    i === 1 || (/^[\s-]+$/.test(text) && /--/.test(text))
      ? []
      : [{ line, cells: starts.map((start, at) => text.slice(start, starts[at + 1]).trim()) }],
  );
  return { kind: KIND, rows };
}
