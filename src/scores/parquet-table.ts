import { readParquet } from '../io/parquet.js';
import { pandasIndex } from './pandas-index.js';
import { rowPlace, type ScoreTable, scoreTable } from './score-table.js';

const MAGIC = [0x50, 0x41, 0x52, 0x31];

/** Tells whether bytes begin as a Parquet file does, with `PAR1`. */
export const isParquet = (bytes: Uint8Array): boolean => MAGIC.every((byte, i) => bytes[i] === byte);

/**
 * Reads the table of a Parquet file. A nested column is named; to ask for it is an error. Errors: PARQUET_INVALID (reading 1.4).
 */
export async function parquetTable(bytes: Uint8Array, file: string): Promise<ScoreTable> {
  const table = await readParquet(bytes, file);
  const index = pandasIndex(table.metadata, table.names);
  return scoreTable({
    file,
    kind: 'Parquet',
    rows: table.rows,
    columns: new Map(table.columns()),
    ...(index ? { index } : {}),
    place: rowPlace(file),
  });
}
