import type { ScoreMatrix } from '../core/matrix.js';
import { arrowFile } from '../io/arrow/write-arrow.js';
import type { ArrowColumn } from '../io/arrow.js';
import { csvText } from '../io/csv.js';
import { arrowTable, MATRIX_SCHEMA } from './arrow-table.js';
import { withChanceColumn } from './chance.js';
import { delimitedTable } from './delimited-table.js';
import { matrixFromTable, type TableMatrix, type TableOptions } from './matrix-table.js';
import type { ScoreTable } from './score-table.js';
import { type FileOptions, readTable } from './table-file.js';

interface TableSource extends TableOptions, FileOptions {
  /** Name used in errors. */
  readonly file: string;
}

/**
 * Reads a matrix (models x tasks) from the bytes of a table of any kind and shape (reading 1), with the values of a random answer where a long
 * one has a column `chance`. Errors: those of `readTable` and of `matrixFromTable`.
 */
export async function readMatrix(bytes: Uint8Array, { file, ...options }: TableSource): Promise<TableMatrix> {
  return matrixOf(await readTable(bytes, file, options), options);
}

/** Reads a matrix from Arrow IPC bytes, as `readMatrix` does. Errors: ARROW_INVALID and those of `matrixFromTable`. */
export async function matrixFromArrow(bytes: Uint8Array, { file, ...options }: TableSource): Promise<TableMatrix> {
  return matrixOf(await arrowTable(bytes, file), options);
}

/** Reads a matrix from CSV text, as `readMatrix` does. Errors: CSV_INVALID and those of `matrixFromTable`. */
export function matrixFromCsv(text: string, { file, ...options }: TableSource): TableMatrix {
  return matrixOf(delimitedTable(new TextEncoder().encode(text), file), options);
}

/** Makes a matrix of a table, with the values of a random answer where a long one has a column `chance`. Errors: those of `matrixFromTable`. */
export function matrixOf(table: ScoreTable, options: TableOptions): TableMatrix {
  const read = matrixFromTable(table, options);
  const { columns, form } = read.reading;
  const task = columns?.task?.[0];
  if (form !== 'long' || task === undefined || !table.names.includes('chance') || options.drop?.includes('chance'))
    return read;
  const { bounds, attempts } = read;
  const { quantize, scale = quantize === undefined ? table.scale : undefined } = options;
  const chance = { file: table.file, scale, quantize, attempts: attempts?.count ?? 1, task };
  const added = (matrix: ScoreMatrix) => withChanceColumn(matrix, table, chance);
  return {
    ...read,
    matrix: added(read.matrix),
    ...(bounds ? { bounds: { ...bounds, low: added(bounds.low), high: added(bounds.high) } } : {}),
  };
}

interface MatrixFileOptions {
  /** Digests of the files the matrix came from, by role. */
  readonly sources?: Readonly<Record<string, string>>;
}

/**
 * Writes the matrix in long form as an Arrow IPC file: the CSV's columns, and `chance` where it is known; scale and source
 * digests in the schema's metadata.
 */
export async function matrixToArrow(matrix: ScoreMatrix, options: MatrixFileOptions = {}): Promise<Uint8Array> {
  return arrowFile({
    columns: matrixColumns(matrix),
    metadata: {
      schema: MATRIX_SCHEMA,
      scale: String(matrix.scale),
      sources: JSON.stringify(options.sources ?? {}),
    },
  });
}

/** Makes the columns of a matrix in long form, one row a model and task, model-major. */
export function matrixColumns(matrix: ScoreMatrix): ArrowColumn[] {
  const { models, tasks, values, chance } = matrix;
  const long = (perTask: readonly string[]) => models.flatMap(() => perTask);
  const columns: ArrowColumn[] = [
    { name: 'model', kind: 'text', values: models.flatMap((model) => tasks.map(() => model)) },
    { name: 'task', kind: 'text', values: long(tasks) },
    { name: 'panel', kind: 'text', values: long(matrix.panels) },
    { name: 'family', kind: 'text', values: long(matrix.families) },
    { name: 'cluster', kind: 'text', values: long(matrix.clusters) },
    integers('value', values),
  ];
  if (chance)
    columns.push(
      integers(
        'chance',
        models.flatMap(() => [...chance]),
      ),
    );
  return columns;
}

function integers(name: string, values: ArrayLike<number>): ArrowColumn {
  const small = Array.prototype.every.call(values, (value: number) => value === (value | 0));
  return small
    ? { name, kind: 'int32', values }
    : { name, kind: 'int64', values: Array.from(values, (value) => BigInt(value)) };
}

/** Columns of a matrix in long form, in the order we write them. */
const MATRIX_COLUMNS = ['model', 'task', 'panel', 'family', 'cluster', 'value'] as const;

/** Writes the matrix in long form, model-major, as CSV text. Values are points: all decimals that the scale asks for stand there (reading 1.13). */
export function matrixToCsv(matrix: ScoreMatrix): string {
  const tasks = matrix.tasks.length;
  function* rows(): Generator<(string | number)[]> {
    for (let m = 0; m < matrix.models.length; m += 1)
      for (let t = 0; t < tasks; t += 1)
        yield [
          matrix.models[m]!,
          matrix.tasks[t]!,
          matrix.panels[t]!,
          matrix.families[t]!,
          matrix.clusters[t]!,
          matrix.values[m * tasks + t]! / matrix.scale,
        ];
  }
  return csvText(MATRIX_COLUMNS, rows());
}
