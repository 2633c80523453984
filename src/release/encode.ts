import { arrowFile } from '../io/arrow/write-arrow.js';
import type { ArrowFileOptions } from '../io/arrow.js';
import { parquetFile } from '../io/write-parquet.js';
import type { ReleaseFile } from './release-files.js';

/** A derived table before it is encoded. */
export type TableContent = Required<ArrowFileOptions>;

/** Tables that also come as Parquet. */
const PARQUET = new Set(['observations', 'matrix', 'models', 'pairs']);

/** Names the Parquet twin of a table; null where it has none. */
export function parquetName(table: string): string | null {
  return PARQUET.has(table) ? `${table}.parquet` : null;
}

/** Makes the Arrow file of a table, and its Parquet twin where it has one. */
export async function encodeTable(name: string, { columns, metadata }: TableContent): Promise<ReleaseFile[]> {
  const files = [{ name: `${name}.arrow`, bytes: arrowFile({ columns, metadata }) }];
  const twin = parquetName(name);
  return twin === null ? files : [...files, { name: twin, bytes: await parquetFile({ columns }) }];
}
