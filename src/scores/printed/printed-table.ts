import { fail } from '../../util/error.js';
import { shellWord } from '../../util/text.js';
import { alignedTable } from './aligned-table.js';
import { latexTable } from './latex-table.js';
import { ruledTable } from './ruled-table.js';

/** A row of a table that a program printed, and the 1-based line on which it begins. */
export interface PrintedRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** A table as it was printed for people; the first row names the columns. */
export interface PrintedTable {
  readonly kind: string;
  readonly rows: readonly PrintedRow[];
}

/** Most characters of a table that is read from print. */
const MOST = 2 ** 24;

/**
 * Reads a table that was printed for people (reading 1.2): between lines (Markdown, boxes), LaTeX, or columns that stand below one another.
 * `separated` is whether something else separates the cells of the text. Undefined where it is none of these. Errors: FORMAT_UNKNOWN where rows
 * or columns were left out in print, or cells span several columns.
 */
export function printedTable(
  text: string,
  { file, separated }: { readonly file: string; readonly separated: boolean },
): PrintedTable | undefined {
  if (text.length > MOST) return undefined;
  const lines = text.split(/\r?\n/);
  return latexTable(lines, file) ?? ruledTable(lines, file) ?? (separated ? undefined : alignedTable(lines, file));
}

/** Writes rows as CSV in which every row stands on the line on which it was printed. */
export function csvOfPrinted(rows: readonly PrintedRow[]): string {
  let out = '';
  let at = 1;
  for (const { line, cells } of rows) {
    out += '\n'.repeat(Math.max(0, line - at));
    at = Math.max(at, line) + 1;
    out += `${cells.map((cell) => `"${cell.replaceAll('"', '""').replaceAll('\n', ' ')}"`).join()}\n`;
  }
  return out;
}

/** Refuses a print in which something is left out. Errors: FORMAT_UNKNOWN. */
export function failCut(place: { readonly file: string; readonly line: number }): never {
  return fail(
    'FORMAT_UNKNOWN',
    place,
    'is the print of a table that leaves rows or columns out (..., shown)',
    'Write all of it from the program that printed it: in pandas `df.to_csv("scores.csv")`, in polars `df.write_csv("scores.csv")`, in R `write.csv(df, "scores.csv")`, in DuckDB `COPY NAME TO \'scores.csv\'`.',
  );
}

/** Refuses a print whose cells cannot be told apart with certainty. Errors: FORMAT_UNKNOWN. */
export function failUnsure(place: { readonly file: string; readonly line: number }, what: string): never {
  return fail(
    'FORMAT_UNKNOWN',
    place,
    what,
    `Give one line of names and then a line a row, without cells that span others; or write the table as CSV: in pandas \`df.to_csv("scores.csv")\`, in R \`write.csv(df, "scores.csv")\`. Then: \`flavourbench scores.csv\` instead of ${shellWord(place.file)}.`,
  );
}
