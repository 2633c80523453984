import { parquetWriteBuffer } from 'hyparquet-writer';
import { PyFloat, type PyValue, pyCanonical } from '../io/pyjson.js';
import type { ExportRow } from './row.js';

type Cell = string | number | boolean | null;

/** Objects and lists become their canonical JSON text, so that a column has one plain type. */
function cellOf(value: PyValue | undefined): Cell {
  if (value === undefined || value === null) return null;
  if (value instanceof PyFloat) return value.value;
  if (typeof value === 'object') return pyCanonical(value);
  return typeof value === 'bigint' ? value.toString() : value;
}

function typeOf(values: readonly (PyValue | undefined)[]): 'STRING' | 'INT32' | 'DOUBLE' | 'BOOLEAN' {
  const value = values.find((v) => v !== undefined && v !== null);
  if (value instanceof PyFloat) return 'DOUBLE';
  if (typeof value === 'number') return 'INT32';
  return typeof value === 'boolean' ? 'BOOLEAN' : 'STRING';
}

/** Rows as a Parquet file: one column a key, in key order. */
export function rowsParquet(rows: readonly ExportRow[]): Uint8Array {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))].sort();
  const columnData = keys.map((name) => {
    const values = rows.map((row) => row[name]);
    return { name, data: values.map(cellOf), type: typeOf(values), nullable: true };
  });
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}
