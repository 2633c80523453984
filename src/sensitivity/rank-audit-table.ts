import {
  type CellTable,
  type MatrixOptions,
  type MatrixRead,
  matrixFromCells,
} from '../core/matrix-cells.js';
import { cellNumber } from '../core/matrix-csv.js';
import { isArrow, readArrow } from '../util/arrow.js';
import { parseCsv } from '../util/csv.js';
import { FlavourError, shown } from '../util/error.js';
import { decodeText } from '../util/file.js';

/** Columns of a table file, whatever its format. */
export interface AuditTable {
  readonly file: string;
  readonly names: readonly string[];
  readonly rows: number;
  /** Scale the file states, if any. */
  readonly scale?: number;
  column(name: string): readonly unknown[] | undefined;
  /** 1-based line of a row in a text file. */
  line?(row: number): number;
}

/** Facts about tasks that a wide table has no room for. */
export interface TaskLabels {
  /** Task to cluster; absent tasks stand alone. */
  readonly clusters?: ReadonlyMap<string, string>;
  /** Task to family; all tasks are one family unless given. */
  readonly families?: ReadonlyMap<string, string>;
}

/** True when bytes begin as a Parquet file does. */
function isParquet(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 4)).toString('latin1') === 'PAR1';
}

/** Reads a CSV, Arrow IPC or Parquet file, told apart by its first bytes. Errors: CSV_INVALID, ARROW_INVALID, PARQUET_INVALID. */
export async function readAuditTable(bytes: Buffer, file: string): Promise<AuditTable> {
  if (isParquet(bytes)) return readParquet(bytes, file);
  if (isArrow(bytes)) {
    const table = await readArrow(bytes, file);
    const scale = Number(table.metadata.get('scale') ?? Number.NaN);
    return { ...table, file, ...(Number.isNaN(scale) ? {} : { scale }) };
  }
  const { header, rows, lines } = parseCsv(decodeText(file, bytes), { file });
  return {
    file,
    names: header,
    rows: rows.length,
    column: (name) => {
      const at = header.indexOf(name);
      return at < 0 ? undefined : rows.map((row) => row[at]);
    },
    line: (row) => lines[row] as number,
  };
}

async function readParquet(bytes: Buffer, file: string): Promise<AuditTable> {
  const { parquetReadObjects } = await import('hyparquet');
  let rows: Record<string, unknown>[];
  try {
    const { buffer, byteOffset, length } = bytes;
    rows = await parquetReadObjects({
      file: buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer,
    });
  } catch (cause) {
    throw new FlavourError(
      'PARQUET_INVALID',
      `${file} cannot be read as Parquet: ${String(cause)}`,
      {
        hint: 'Write it uncompressed or with Snappy.',
        where: { file },
        cause,
      },
    );
  }
  const names = Object.keys(rows[0] ?? {});
  return {
    file,
    names,
    rows: rows.length,
    column: (name) => (names.includes(name) ? rows.map((row) => row[name]) : undefined),
  };
}

function asNumber(value: unknown): number | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return cellNumber(value);
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : Number.NaN;
}

const asText = (value: unknown): string =>
  value === null || value === undefined ? '' : String(value);

/**
 * The matrix of a table: long form where it has the columns model, task and value, else wide (first column the model, one
 * column a task). A long table may lack panel, family and cluster. Errors: SCHEMA_INVALID and those of `matrixFromCells`.
 */
export function matrixFromTable(
  table: AuditTable,
  labels: TaskLabels = {},
  options: MatrixOptions = {},
): MatrixRead {
  const long = ['model', 'task', 'value'].every((name) => table.names.includes(name));
  const cells = long ? longCells(table, labels) : wideCells(table, labels);
  return matrixFromCells(cells, { ...options, scale: options.scale ?? table.scale ?? 1 });
}

const ALL = 'all';

function longCells(table: AuditTable, labels: TaskLabels): CellTable {
  const texts = (name: string) => table.column(name)?.map(asText);
  const model = texts('model') as string[];
  const task = texts('task') as string[];
  const written = table.column('value') as readonly unknown[];
  return {
    file: table.file,
    model,
    task,
    panel: texts('panel') ?? task.map(() => ALL),
    family: texts('family') ?? task.map((name) => labels.families?.get(name) ?? ALL),
    cluster: texts('cluster') ?? task.map((name) => labels.clusters?.get(name) ?? name),
    value: written.map(asNumber),
    written: (row) => shown(written[row]),
    ...(table.line ? { line: table.line } : {}),
  };
}

function wideCells(table: AuditTable, labels: TaskLabels): CellTable {
  const [first, ...tasks] = table.names;
  if (first === undefined || tasks.length === 0)
    throw new FlavourError('SCHEMA_INVALID', `${table.file} has ${table.names.length} columns`, {
      hint: 'A wide matrix has the model in its first column and one more column a task; a long one has model, task, value.',
      where: { file: table.file },
    });
  const models = (table.column(first) as readonly unknown[]).map(asText);
  const columns = tasks.map((name) => table.column(name) as readonly unknown[]);
  const flat = <T>(value: (m: number, t: number) => T): T[] =>
    models.flatMap((_, m) => tasks.map((_, t) => value(m, t)));
  const name = (t: number) => tasks[t] as string;
  return {
    file: table.file,
    model: flat((m) => models[m] as string),
    task: flat((_, t) => name(t)),
    panel: flat(() => ALL),
    family: flat((_, t) => labels.families?.get(name(t)) ?? ALL),
    cluster: flat((_, t) => labels.clusters?.get(name(t)) ?? name(t)),
    value: flat((m, t) => asNumber((columns[t] as readonly unknown[])[m])),
    written: (cell) => shown(columns[cell % tasks.length]?.[Math.floor(cell / tasks.length)]),
    ...(table.line
      ? { line: (cell: number) => table.line?.(Math.floor(cell / tasks.length)) as number }
      : {}),
  };
}

/** Task to label from CSV text with the columns `task` and `label` (`cluster` or `family`). Errors: SCHEMA_INVALID. */
export function readLabels(
  text: string,
  file: string,
  label: 'cluster' | 'family',
): Map<string, string> {
  const { header, rows } = parseCsv(text, { file });
  const task = header.indexOf('task');
  const value = header.indexOf(label);
  if (task < 0 || value < 0)
    throw new FlavourError('SCHEMA_INVALID', `${file} has the columns ${header.join(',')}`, {
      hint: `Give task,${label}.`,
      where: { file, line: 1 },
    });
  return new Map(rows.map((row) => [row[task] as string, row[value] as string]));
}
