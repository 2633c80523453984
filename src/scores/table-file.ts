import { type ArrowTable, isArrow, readArrow } from '../io/arrow.js';
import { type CodedColumn, coded } from '../io/coded.js';
import { parseCsv } from '../io/csv.js';
import { readParquet } from '../io/parquet.js';
import { unpack } from '../io/unpack.js';
import { decodeText } from '../io/utf8.js';
import { fail, shown } from '../util/error.js';
import type { ScoreTable } from './score-table.js';

/** Reads the table of a CSV text. Errors: CSV_INVALID. */
export function csvTable(text: string, file: string): ScoreTable {
  const { header, rows, lines } = parseCsv(text, { file });
  const places = new Map(header.map((name, at) => [name, at]));
  return withCodes({
    file,
    kind: 'CSV',
    names: header,
    rows: rows.length,
    column: (name) => {
      const at = places.get(name);
      return at === undefined ? undefined : rows.map((row) => row[at]);
    },
    place: (row) => ({ file, line: lines[row]! }),
  });
}

/** Reads the table of an Arrow IPC file; its scale is the one in the schema's metadata. Errors: ARROW_INVALID, SCHEMA_INVALID. */
export async function arrowTable(bytes: Uint8Array, file: string): Promise<ScoreTable> {
  const table = await readArrow(bytes, file);
  const scale = statedScale(table, file);
  return withCodes({
    ...table,
    file,
    kind: 'Arrow',
    ...(scale === undefined ? {} : { scale }),
    place: numbered(file),
  });
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

/**
 * Reads a CSV, Arrow IPC or Parquet file, packed or not, told apart by its first bytes (reading 1.1). Errors: PACKED_INVALID, CSV_INVALID,
 * ARROW_INVALID, PARQUET_INVALID.
 */
export async function readTable(bytes: Uint8Array, file: string): Promise<ScoreTable> {
  const { bytes: plain, packed } = await unpack(bytes, file);
  const table = await tableOf(plain, file);
  return { ...table, kind: [table.kind, ...packed].join(', ') };
}

async function tableOf(bytes: Uint8Array, file: string): Promise<ScoreTable> {
  if (PARQUET_MAGIC.every((byte, i) => bytes[i] === byte))
    return withCodes({ ...(await readParquet(bytes, file)), file, kind: 'Parquet', place: numbered(file) });
  if (isArrow(bytes)) return arrowTable(bytes, file);
  return csvTable(decodeText(file, bytes), file);
}

const numbered = (file: string) => (row: number) => ({ file, row: row + 1 });

/** Adds the codes of columns, each made once. */
function withCodes(table: Omit<ScoreTable, 'coded'>): ScoreTable {
  const known = new Map<string, CodedColumn>();
  return {
    ...table,
    coded: (name) => {
      const made = known.get(name);
      if (made) return made;
      const column = table.column(name);
      if (!column) return undefined;
      const codes = coded(column);
      known.set(name, codes);
      return codes;
    },
  };
}
