import { arrowFile } from '../io/arrow/write-arrow.js';
import type { ArrowFileOptions } from '../io/arrow.js';
import { parquetFile } from '../io/write-parquet.js';
import { NO_THREAD, type ThreadProofs } from './proofs/line-proof.js';
import type { ReleaseFile } from './release-files.js';

/** A derived table before it is encoded. */
export type TableContent = Required<ArrowFileOptions>;

/** Tables that also come as Parquet. */
const PARQUET = new Set(['observations', 'matrix', 'models', 'pairs']);

/** Names the Parquet twin of a table; null where it has none. */
export function parquetName(table: string): string | null {
  return PARQUET.has(table) ? `${table}.parquet` : null;
}

/** Rows from which on another thread is asked for the twin: of fewer it is made before they have got there. */
const MANY_ROWS = 2048;

/**
 * Makes the Arrow files of tables, and their Parquet twins: those of long tables are made on another thread where there is one, which is not waited
 * for. Errors: TEXT_INVALID_UTF8.
 */
export async function encodeTables(
  tables: ReadonlyMap<string, TableContent>,
  elsewhere: Pick<ThreadProofs, 'parquet'> = NO_THREAD,
): Promise<{ readonly encoded: ReleaseFile[]; readonly late: Promise<readonly ReleaseFile[]> }> {
  const encoded: ReleaseFile[] = [];
  const awaited: Promise<ReleaseFile>[] = [];
  for (const [name, { columns, metadata }] of tables) {
    const twin = parquetName(name);
    const many = elsewhere !== NO_THREAD && (columns[0]?.values.length ?? 0) >= MANY_ROWS && awaited.length === 0;
    const asked = twin !== null && many ? elsewhere.parquet(columns) : undefined;
    encoded.push({ name: `${name}.arrow`, bytes: arrowFile({ columns, metadata }) });
    if (twin === null) continue;
    if (asked === undefined) encoded.push({ name: twin, bytes: await parquetFile({ columns }) });
    else awaited.push(asked.then(async (bytes) => ({ name: twin, bytes: bytes ?? (await parquetFile({ columns })) })));
  }
  const late = Promise.all(awaited);
  late.catch(() => undefined);
  return { encoded, late };
}
