import { type ArrowFileOptions, assertTexts } from './arrow.js';

const TYPES = { text: 'STRING', bool: 'BOOLEAN', int32: 'INT32', int64: 'INT64', float64: 'DOUBLE' } as const;

/** Makes the bytes of a Parquet file of columns. Equal columns give equal bytes. Errors: TEXT_INVALID_UTF8. */
export async function parquetFile({ columns, metadata }: ArrowFileOptions): Promise<Uint8Array> {
  assertTexts(columns);
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  const bytes = parquetWriteBuffer({
    columnData: columns.map(({ name, kind, values }) => ({
      name,
      data: Array.isArray(values) ? values : Array.from<unknown>(values),
      type: TYPES[kind],
      nullable: true,
    })),
    kvMetadata: metadata && Object.entries(metadata).map(([key, value]) => ({ key, value })),
  });
  return new Uint8Array(bytes);
}
