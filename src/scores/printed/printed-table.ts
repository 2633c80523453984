import { alignedTable } from './aligned-table.js';
import { latexTable } from './latex-table.js';
import type { PrintedRow, PrintedTable } from './printed-row.js';
import { ruledTable } from './ruled-table.js';

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
