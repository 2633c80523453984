import type { ScoreMatrix } from '../core/matrix.js';
import type { MatrixRead } from '../core/matrix-cells.js';
import { type ArrowColumn, arrowFile, isArrow } from '../io/arrow.js';
import { csvText, parseCsv } from '../io/csv.js';
import { fail, shown } from '../util/error.js';
import { roundHalfEven } from '../util/round.js';
import { arrowTable } from './arrow-table.js';
import { delimitedTable } from './delimited-table.js';
import { MATRIX_COLUMNS, matrixFromTable, type TableOptions } from './matrix-table.js';
import { asNumber, asText, fieldNumber } from './score-table.js';
import { readTable } from './table-file.js';

/**
 * Reads a matrix (models x tasks) from the bytes of a CSV, Arrow IPC or Parquet file, long or wide, told apart by their first bytes.
 * Errors: CSV_INVALID, ARROW_INVALID, PARQUET_INVALID; those of `matrixFromTable`.
 */
export async function readMatrix(bytes: Uint8Array, source: TableSource): Promise<MatrixRead> {
  if (isArrow(bytes)) return matrixFromArrow(bytes, source);
  const { file, ...options } = source;
  return matrixFromTable(await readTable(bytes, file), options);
}

/**
 * Adds to a matrix the value of a random answer to each task, from CSV text `task,value` in the unit of the table that the matrix came
 * from, where a cell is the sum of `attempts` values. Tasks the matrix does not have are passed over. Errors: CELL_MISSING, CELL_DUPLICATE, CELL_NOT_INTEGER, SCHEMA_INVALID.
 */
export function withChance(
  matrix: ScoreMatrix,
  text: string,
  source: { readonly file: string; readonly quantize?: number; readonly attempts?: number },
): ScoreMatrix {
  const { file, quantize, attempts = 1 } = source;
  const { header, rows, lines } = parseCsv(text, { file });
  const task = header.indexOf('task');
  const value = header.indexOf('value');
  if (task < 0 || value < 0)
    fail(
      'SCHEMA_INVALID',
      { file, line: 1 },
      `the columns task and value expected, found ${header.join(',')}`,
      'Give chance values as task,value.',
    );
  const index = new Map(matrix.tasks.map((name, t) => [name, t]));
  const chance = new Float64Array(index.size).fill(Number.NaN);
  rows.forEach((row, r) => {
    const t = index.get(row[task]!);
    if (t === undefined) return;
    const place = { file, line: lines[r]! };
    if (!Number.isNaN(chance[t]))
      fail('CELL_DUPLICATE', place, `task ${shown(row[task])} stands twice`, 'Give one chance value a task.');
    const number = fieldNumber(row[value]!) ?? Number.NaN;
    const integer = quantize === undefined ? number : roundHalfEven(number * quantize);
    if (!Number.isSafeInteger(integer))
      fail(
        'CELL_NOT_INTEGER',
        place,
        `task ${shown(row[task])}: an integer expected, found ${shown(row[value])}`,
        'Chance is an integer in the unit of the matrix.',
      );
    chance[t] = integer * attempts + 0;
  });
  const missing = chance.findIndex(Number.isNaN);
  if (missing >= 0)
    fail(
      'CELL_MISSING',
      { file },
      `no chance value for task ${shown(matrix.tasks[missing])}`,
      'Give a chance value for every task, or none at all.',
    );
  return { ...matrix, chance };
}

interface MatrixFileOptions {
  /** Digests of the files the matrix came from, by role. */
  readonly sources?: Readonly<Record<string, string>>;
}

/**
 * Writes the matrix in long form as an Arrow IPC file: the CSV's columns, and `chance` where it is known; scale and source
 * digests in the schema's metadata.
 */
export function matrixToArrow(matrix: ScoreMatrix, options: MatrixFileOptions = {}): Promise<Uint8Array> {
  return arrowFile({
    columns: matrixColumns(matrix),
    metadata: {
      schema: 'flavourbench-score-matrix/1',
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

/**
 * Reads a matrix from Arrow IPC bytes, long or wide, with the values of a random answer where a long one has a column `chance`.
 * The scale is the one given, else the file's own, else 100. Errors: ARROW_INVALID and those of `matrixFromTable`.
 */
export async function matrixFromArrow(bytes: Uint8Array, { file, ...options }: TableSource): Promise<MatrixRead> {
  const table = await arrowTable(bytes, file);
  const read = matrixFromTable(table, options);
  const chance = table.column('chance');
  const task = table.column('task');
  if (!chance || !task || options.quantize !== undefined) return read;
  const index = new Map(read.matrix.tasks.map((name, t) => [name, t]));
  const perTask = new Float64Array(index.size);
  Array.from(task).forEach((name, row) => {
    const t = index.get(asText(name));
    if (t !== undefined) perTask[t] = asNumber(chance[row]) ?? Number.NaN;
  });
  if (!perTask.every(Number.isSafeInteger))
    fail(
      'CELL_NOT_INTEGER',
      { file, path: 'chance' },
      'an integer expected for every task, found something else',
      'Chance is an integer in the unit of the matrix.',
    );
  const sums = perTask.map((value) => value * (read.attempts?.count ?? 1));
  const withSums = (matrix: ScoreMatrix): ScoreMatrix => ({ ...matrix, chance: sums });
  const { bounds } = read;
  return {
    ...read,
    matrix: withSums(read.matrix),
    ...(bounds ? { bounds: { ...bounds, low: withSums(bounds.low), high: withSums(bounds.high) } } : {}),
  };
}

interface TableSource extends TableOptions {
  /** Name used in errors. */
  readonly file: string;
}

/** Reads a matrix from CSV text, long or wide. Errors: CSV_INVALID and those of `matrixFromTable`. */
export function matrixFromCsv(text: string, { file, ...options }: TableSource): MatrixRead {
  return matrixFromTable(delimitedTable(new TextEncoder().encode(text), file), options);
}

/** Writes the matrix in long form, model-major, as CSV text. The scale is not part of the text. */
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
          matrix.values[m * tasks + t]!,
        ];
  }
  return csvText(MATRIX_COLUMNS, rows());
}
