import { columnOfValues } from '../io/coded.js';
import type { MergedCells } from '../io/xlsx/references.js';
import { readSheet } from '../io/xlsx/workbook.js';
import type { ZipMember } from '../io/zip.js';
import { fail, shown } from '../util/error.js';
import { type ScoreTable, scoreTable } from './score-table.js';

/**
 * Reads the table of a sheet (`.xlsx`), the first one unless another is named: the first row that holds something names the columns. Of a
 * formula the value that was stored with it counts. Errors: XLSX_INVALID; SCHEMA_INVALID for a sheet that is not there or an
 * unnamed column (reading 1.7).
 */
export function workbookTable(members: readonly ZipMember[], file: string, sheet?: string): ScoreTable {
  const { name, sheets, numbers, rows: whole, columns: width, ...found } = readSheet(members, file, sheet);
  const { filled, merged, hidden, uncalculated } = found;
  if (uncalculated !== undefined)
    fail(
      'SCHEMA_INVALID',
      { file, row: uncalculated },
      `holds a formula whose value was never calculated, in the sheet ${shown(name)}`,
      'Open the workbook in a spreadsheet program and save it there: that stores the values.',
    );
  const empty = emptyBefore(whole);
  const rows = empty === 0 ? whole : whole.map((row) => row.slice(empty));
  const [head, ...body] = rows;
  if (head === undefined)
    fail(
      'SCHEMA_INVALID',
      { file },
      `the sheet ${shown(name)} is empty; the sheets are ${sheets.map(shown).join(', ')}`,
      'Give the sheet that holds the table.',
    );
  const columns = width - empty;
  const names = Array.from({ length: columns }, (_, at) => String(head[at] ?? ''));
  while (names.length > 1 && names.at(-1) === '' && body.every((row) => (row[names.length - 1] ?? null) === null))
    names.pop();
  const known = new Set<string>();
  const wrong = names.findIndex((each, at) => (each === '' && at > 0) || known.size === known.add(each).size);
  if (wrong >= 0)
    fail(
      'SCHEMA_INVALID',
      { file, row: numbers[0]! },
      `column ${wrong + 1 + empty} of the sheet ${shown(name)} is ${names[wrong] === '' ? 'unnamed' : `a second ${shown(names[wrong])}`}`,
      `The first row names the columns, each once.${names[wrong] === '' ? titleHint(rows, numbers, names.length) || levelsHint(merged, numbers[0]!) : ''}`,
    );
  return scoreTable({
    file,
    kind: [
      'Excel',
      ...(sheets.length > 1 ? [`sheet ${shown(name)}`] : []),
      ...(filled > 0 ? ['merged cells filled down'] : []),
      ...(hidden > 0 ? ['hidden rows and columns read too'] : []),
    ].join(', '),
    rows: body.length,
    columns: new Map(names.map((each, at) => [each, columnOfValues(() => body.map((row) => row[at] ?? null))])),
    ...(names[0] === '' && names.length > 1 ? { index: [''] } : {}),
    place: (row) => ({ file, row: numbers[row + 1]! }),
  });
}

/** How many columns hold nothing in any row, from the left. */
const emptyBefore = (rows: readonly (readonly unknown[])[]): number =>
  rows.reduce((least, row) => {
    const first = row.findIndex((cell) => (cell ?? '') !== '');
    return first < 0 ? least : Math.min(least, first);
  }, rows[0]?.length ?? 0);

/** Where cells of the first row are merged over several columns, names stand in two rows. */
const levelsHint = (merged: readonly MergedCells[], first: number): string =>
  merged.some(({ top, left, right }) => top === first && right > left)
    ? ' Two rows name the columns here, the upper one in merged cells: delete it, or write both names into one row.'
    : '';

/** Where most cells of the first row are empty it may be a title: what to do with it, by the number of the first row that is full. */
function titleHint(rows: readonly (readonly unknown[])[], numbers: readonly number[], columns: number): string {
  const filled = (row: readonly unknown[]) => row.filter((cell) => (cell ?? '') !== '').length;
  const full = rows
    .slice(0, 20)
    .findIndex((row) => filled(row) === columns && !row.some((cell) => typeof cell === 'number'));
  if (full < 1 || 2 * filled(rows[0]!) > columns) return '';
  return ` If what stands above row ${numbers[full]} is a title, delete it in the sheet, or save it as CSV: \`tail -n +${numbers[full]} FILE.csv | flavourbench -\`.`;
}
