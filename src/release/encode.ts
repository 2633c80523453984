import { type ArrowColumn, type ArrowFileOptions, arrowFile } from '../io/arrow.js';
import type { ReleaseFile } from './release-files.js';

/** A derived table before it is encoded. */
export type TableContent = Required<ArrowFileOptions>;

/** Tables that also come as Parquet. */
const PARQUET = new Set(['observations', 'matrix', 'models', 'pairs']);

export function parquetName(table: string): string | null {
  return PARQUET.has(table) ? `${table}.parquet` : null;
}

const TYPES = {
  text: 'STRING',
  bool: 'BOOLEAN',
  int32: 'INT32',
  int64: 'INT64',
  float64: 'DOUBLE',
} as const;

async function parquetBytes(columns: readonly ArrowColumn[]): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: columns.map(({ name, kind, values }) => ({
        name,
        data: Array.from<unknown>(values),
        type: TYPES[kind],
        nullable: true,
      })),
    }),
  );
}

/** The Arrow file of a table, and its Parquet twin where it has one. */
export async function encodeTable(name: string, { columns, metadata }: TableContent): Promise<ReleaseFile[]> {
  const files = [{ name: `${name}.arrow`, bytes: await arrowFile({ columns, metadata }) }];
  const twin = parquetName(name);
  return twin === null ? files : [...files, { name: twin, bytes: await parquetBytes(columns) }];
}
