import { type CodedColumn, tidyCodes } from '../io/coded.js';
import type { ScoreTable } from './score-table.js';

/** Makes the table of some rows of another, by number in their order. */
export function someRows(table: ScoreTable, rows: Int32Array): ScoreTable {
  const known = new Map<string, CodedColumn>();
  return {
    ...table,
    rows: rows.length,
    column: (name) => {
      const column = table.column(name);
      return column && Array.from(rows, (row) => column[row]);
    },
    coded: (name) => {
      const made = known.get(name);
      if (made) return made;
      const column = table.coded(name);
      if (!column) return undefined;
      const codes = rows.map((row) => column.codes[row]!);
      const tidy = tidyCodes(codes, column.values.length, (code) => column.values[code]);
      known.set(name, tidy);
      return tidy;
    },
    place: (row) => table.place(rows[row]!),
  };
}

/** The rows whose code in a column is wanted. */
export function rowsWhere({ codes }: CodedColumn, wanted: (code: number) => boolean): Int32Array {
  const rows: number[] = [];
  for (let row = 0; row < codes.length; row += 1) if (wanted(codes[row]!)) rows.push(row);
  return Int32Array.from(rows);
}
