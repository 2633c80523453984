import { type ArrowTable, isArrow, readArrow } from '../io/arrow.js';
import { parseCsv } from '../io/csv.js';
import { readParquet } from '../io/parquet.js';
import { decodeText } from '../io/utf8.js';
import { type ErrorPlace, fail, shown } from '../util/error.js';

/** Columns of a table file, whatever its format. */
export interface ScoreTable {
  readonly file: string;
  readonly names: readonly string[];
  readonly rows: number;
  /** Scale the file states, if any. */
  readonly scale?: number;
  column(name: string): readonly unknown[] | undefined;
  /** Where a row stands: the line of a text file, else its number. */
  place(row: number): ErrorPlace;
}

/** Reads the table of a CSV text. Errors: CSV_INVALID. */
export function csvTable(text: string, file: string): ScoreTable {
  const { header, rows, lines } = parseCsv(text, { file });
  const places = new Map(header.map((name, at) => [name, at]));
  return {
    file,
    names: header,
    rows: rows.length,
    column: (name) => {
      const at = places.get(name);
      return at === undefined ? undefined : rows.map((row) => row[at]);
    },
    place: (row) => ({ file, line: lines[row]! }),
  };
}

/** Reads the table of an Arrow IPC file; its scale is the one in the schema's metadata. Errors: ARROW_INVALID, SCHEMA_INVALID. */
export async function arrowTable(bytes: Uint8Array, file: string): Promise<ScoreTable> {
  const table = await readArrow(bytes, file);
  const scale = statedScale(table, file);
  return {
    ...table,
    file,
    scale,
    place: numbered(file),
  };
}

/** The scale a file states in its metadata, if any. Errors: SCHEMA_INVALID. */
function statedScale(table: ArrowTable, file: string): number | undefined {
  const text = table.metadata.get('scale');
  if (text === undefined) return undefined;
  const scale = Number(text);
  if (Number.isSafeInteger(scale) && scale >= 1 && scale <= 1e9) return scale;
  fail(
    'SCHEMA_INVALID',
    { file, path: 'scale' },
    `a whole number from 1 to 10^9 expected, found ${shown(text)}`,
    'The scale of a table is the number of units in one point; --scale gives another.',
  );
}

/** `PAR1`, with which a Parquet file begins. */
const PARQUET_MAGIC = [0x50, 0x41, 0x52, 0x31];

/** Reads a CSV, Arrow IPC or Parquet file, told apart by its first bytes. Errors: CSV_INVALID, ARROW_INVALID, PARQUET_INVALID. */
export async function readScoreTable(bytes: Uint8Array, file: string): Promise<ScoreTable> {
  if (PARQUET_MAGIC.every((byte, i) => bytes[i] === byte))
    return { ...(await readParquet(bytes, file)), file, place: numbered(file) };
  if (isArrow(bytes)) return arrowTable(bytes, file);
  return csvTable(decodeText(file, bytes), file);
}

const numbered = (file: string) => (row: number) => ({ file, row: row + 1 });

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Reads a decimal number as a table writes it; null for an empty cell, NaN for anything else. */
export function fieldNumber(text: string): number | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return NUMBER.test(trimmed) ? Number(trimmed) : Number.NaN;
}

/** Reads the number in a field of any format: truth values are 1 and 0; null where there is none, NaN for anything else. */
export function asNumber(value: unknown): number | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return fieldNumber(value);
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : Number.NaN;
}

/** Reads the text in a field of any format; empty where there is none. */
export function asText(value: unknown): string {
  return value === null || value === undefined ? '' : String(value);
}
