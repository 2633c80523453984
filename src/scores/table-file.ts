import { isArrow } from '../io/arrow.js';
import { unpack } from '../io/unpack.js';
import { arrowTable } from './arrow-table.js';
import { delimitedTable } from './delimited-table.js';
import { isParquet, parquetTable } from './parquet-table.js';
import type { ScoreTable } from './score-table.js';

/**
 * Reads the table of a file, packed or not, known by its content alone (reading 1.1). Errors: PACKED_INVALID and those of the format that
 * it is.
 */
export async function readTable(bytes: Uint8Array, file: string): Promise<ScoreTable> {
  const { bytes: plain, packed } = await unpack(bytes, file);
  const table = await tableOf(plain, file);
  return { ...table, kind: [table.kind, ...packed].join(', ') };
}

async function tableOf(bytes: Uint8Array, file: string): Promise<ScoreTable> {
  if (isParquet(bytes)) return parquetTable(bytes, file);
  if (isArrow(bytes)) return arrowTable(bytes, file);
  return delimitedTable(bytes, file);
}
