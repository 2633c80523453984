import { type CsvTable, parseCsv } from '../io/csv.js';
import { fail, shown } from '../util/error.js';
import type { VectorFile } from './vector-table.js';

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?$/;
const HINT =
  'A matrix has one row an ingredient and the same number of finite numbers in each; a CSV keeps names in a column `name`.';
/** Columns of names, the first one found. */
const NAMES = ['name', 'ingredient', 'item', 'word', 'token', 'label'];

/** The column that names rows: one called so, else a first column that holds words more often than numbers. */
function nameColumn({ header, rows }: CsvTable): number {
  const called = NAMES.map((name) => header.indexOf(name)).find((i) => i >= 0);
  if (called !== undefined) return called;
  const words = rows.filter((row) => !NUMBER.test(row[0]!.trim())).length;
  return header.length > 1 && header[0] !== 'node_id' && 2 * words > rows.length ? 0 : -1;
}

/**
 * Reads a matrix from a comma-separated table: columns `dim_*` where there are such, else every column but those of names and `node_id`
 * (compiler a.2, reading 3.1). Errors: MATRIX_INVALID with line and column, CSV_INVALID.
 */
export function readCsvVectors(text: string, file: string): VectorFile {
  const first = text.slice(0, text.search(/\r?\n|$/));
  if (first.split(',').every((cell) => NUMBER.test(cell.trim())))
    fail(
      'MATRIX_INVALID',
      { file, line: 1 },
      `${shown(first)} is a row of numbers; a header line is expected`,
      'The first line names the columns: name,dim_0,dim_1,...',
    );
  const table = parseCsv(first.startsWith(',') ? `name${text}` : text, { file });
  const { header, rows, lines } = table;
  const named = nameColumn(table);
  const all = header.map((name, i) => ({ name, i }));
  const dims = all.filter(({ name }) => name.startsWith('dim_'));
  const used = dims.length > 0 ? dims : all.filter(({ name, i }) => i !== named && name !== 'node_id');
  if (used.length === 0 || rows.length === 0)
    fail(
      'MATRIX_INVALID',
      { file },
      `${rows.length} rows and ${used.length} columns of numbers; one or more of each are expected`,
      HINT,
    );
  const values = new Float32Array(rows.length * used.length);
  let at = 0;
  rows.forEach((row, r) => {
    for (const { name, i } of used) {
      const text = row[i]!;
      const value = NUMBER.test(text) ? Math.fround(Number(text)) : Number.NaN;
      if (!Number.isFinite(value))
        fail(
          'MATRIX_INVALID',
          { file, line: lines[r] },
          `column ${shown(name)} holds ${shown(text)}, not a float32 number`,
          HINT,
        );
      values[at] = value;
      at += 1;
    }
  });
  const ids = header.indexOf('node_id');
  return {
    rows: rows.length,
    columns: used.length,
    values,
    names: named < 0 ? null : rows.map((row) => row[named]!),
    ids: ids < 0 ? null : rows.map((row) => row[ids]!),
  };
}
