import { type ArrowColumn, type ArrowTable, arrowFile, readArrow } from '../util/arrow.js';
import { FlavourError, shown } from '../util/error.js';
import type { ScoreMatrix } from './matrix.js';
import { checkedScale, type MatrixRead, matrixFromCells } from './matrix-cells.js';
import { MATRIX_COLUMNS, type TableSource } from './matrix-csv.js';

export interface MatrixFileOptions {
  /** Digests of the files the matrix came from, by role. */
  readonly sources?: Readonly<Record<string, string>>;
}

/**
 * The matrix in long form as an Arrow IPC file: the CSV's columns, and `chance` where it is known; scale and source
 * digests in the schema's metadata.
 */
export function matrixToArrow(
  matrix: ScoreMatrix,
  options: MatrixFileOptions = {},
): Promise<Uint8Array> {
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
 * A matrix from Arrow IPC bytes. The scale is the one given, else the file's own, else 100. Errors: ARROW_INVALID,
 * SCHEMA_INVALID and those of `matrixFromCells`.
 */
export async function matrixFromArrow(bytes: Uint8Array, source: TableSource): Promise<MatrixRead> {
  const { file } = source;
  const table = await readArrow(bytes, file);
  const [model, task, panel, family, cluster] = MATRIX_COLUMNS.slice(0, 5).map((name) =>
    textColumn(table, name, file),
  ) as [string[], string[], string[], string[], string[]];
  const written = requiredColumn(table, 'value', file);
  const own = Number(table.metadata.get('scale') ?? 100);
  const read = matrixFromCells(
    {
      file,
      model,
      task,
      panel,
      family,
      cluster,
      value: written.map(toNumber),
      written: (row) => shown(written[row]),
    },
    { ...source, scale: checkedScale(source.scale ?? own) },
  );
  const chance = table.column('chance');
  if (!chance || source.quantize !== undefined) return read;
  const index = new Map(read.matrix.tasks.map((name, t) => [name, t]));
  const perTask = new Float64Array(index.size);
  task.forEach((name, row) => {
    perTask[index.get(name) as number] = toNumber(chance[row]) ?? Number.NaN;
  });
  if (!perTask.every(Number.isSafeInteger))
    throw new FlavourError('CELL_NOT_INTEGER', `${file}: column "chance" holds a non-integer`, {
      where: { file },
    });
  return { ...read, matrix: { ...read.matrix, chance: perTask } };
}

function requiredColumn(table: ArrowTable, name: string, file: string): readonly unknown[] {
  const column = table.column(name);
  if (column) return column;
  throw new FlavourError('SCHEMA_INVALID', `${file} has no column ${shown(name)}`, {
    hint: `A score matrix has the columns ${MATRIX_COLUMNS.join(',')}.`,
    where: { file },
  });
}

function textColumn(table: ArrowTable, name: string, file: string): string[] {
  return requiredColumn(table, name, file).map((value) => (value === null ? '' : String(value)));
}

function toNumber(value: unknown): number | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : Number.NaN;
}
