import { fail, shown } from '../util/error.js';
import { counted } from '../util/format.js';
import { type NameColumn, nameColumn } from './cell-table.js';
import type { ScoreMatrix } from './matrix.js';
import { type MatrixOptions, matrixFromCells } from './matrix-cells.js';

/** Scores that a program has at hand. */
export interface RowsOptions extends Pick<MatrixOptions, 'scale' | 'quantize' | 'missing' | 'without'> {
  /** A name a row. */
  readonly models: readonly string[];
  /** A name a column. */
  readonly tasks: readonly string[];
  /** One row a model, one value a task; null where there is none. Truth values are 1 and 0. */
  readonly values: readonly ArrayLike<number | boolean | null>[];
  /** Per task: parts of a score that weigh the same; one unless given. */
  readonly families?: readonly string[];
  /** Per task: tasks that stand or fall together; each its own unless given. */
  readonly clusters?: readonly string[];
  /** Per task; one unless given. */
  readonly panels?: readonly string[];
}

/**
 * Makes a matrix of rows of points; with `scale` the values are integers of which so many are one point, with `quantize` points that are
 * rounded. Missing values, null or NaN, withhold it, unless `missing` is `common-tasks`. Errors: SCHEMA_INVALID where the numbers of rows, columns and labels do not agree;
 * USAGE for `bounds`; those of `matrixFromCells`.
 */
export function matrixFromRows(options: RowsOptions): ScoreMatrix {
  const { models, tasks, values, families, clusters, panels, scale, quantize, missing, without } = options;
  if (missing === 'bounds')
    fail(
      'USAGE',
      null,
      'a matrix of rows has one value a cell',
      'Leave bounds to readMatrix, or give missing: "common-tasks".',
    );
  assertLength('values', values.length, models.length, 'model');
  values.forEach((row, m) => {
    assertLength(`values of ${shown(models[m])}`, row.length, tasks.length, 'task');
  });
  for (const [name, list] of Object.entries({ families, clusters, panels }))
    if (list !== undefined) assertLength(name, list.length, tasks.length, 'task');
  const T = tasks.length;
  const cell = (at: number) => values[Math.floor(at / T)]![at % T];
  const flat = <V>(of: (m: number, t: number) => V): V[] => models.flatMap((_, m) => tasks.map((__, t) => of(m, t)));
  const names = (of: (m: number, t: number) => string): NameColumn => nameColumn(flat(of));
  return matrixFromCells(
    {
      file: 'the matrix',
      model: names((m) => models[m]!),
      task: names((_, t) => tasks[t]!),
      ...(panels ? { panel: names((_, t) => panels[t]!) } : {}),
      ...(families ? { family: names((_, t) => families[t]!) } : {}),
      ...(clusters ? { cluster: names((_, t) => clusters[t]!) } : {}),
      value: flat((m, t) => Number(values[m]![t] ?? Number.NaN)),
      written: (at) => shown(cell(at)),
      place: () => ({ path: 'values' }),
    },
    { scale, quantize, missing, without },
  ).matrix;
}

function assertLength(name: string, found: number, expected: number, noun: string): void {
  if (found === expected) return;
  fail(
    'SCHEMA_INVALID',
    { path: name },
    `one for each of ${counted(expected, noun)} expected, found ${found}`,
    'Give one row a model, and in each one value a task.',
  );
}
