import { type ArrowColumn, arrowFile } from '../io/arrow.js';
import { fail } from '../util/error.js';
import type { ScoreMatrix } from './matrix.js';
import type { MatrixRead } from './matrix-cells.js';
import type { TableSource } from './matrix-csv.js';
import { matrixFromTable } from './matrix-table.js';
import { arrowTable, asNumber, asText } from './score-table.js';

export interface MatrixFileOptions {
  /** Digests of the files the matrix came from, by role. */
  readonly sources?: Readonly<Record<string, string>>;
}

/**
 * The matrix in long form as an Arrow IPC file: the CSV's columns, and `chance` where it is known; scale and source
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
 * A matrix from Arrow IPC bytes, long or wide, with the values of a random answer where a long one has a column `chance`.
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
  task.forEach((name, row) => {
    const t = index.get(asText(name));
    if (t !== undefined) perTask[t] = asNumber(chance[row]) ?? Number.NaN;
  });
  if (!perTask.every(Number.isSafeInteger)) fail('CELL_NOT_INTEGER', { file }, 'column "chance" holds a non-integer');
  return { ...read, matrix: { ...read.matrix, chance: perTask } };
}
