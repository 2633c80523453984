import type { CellTable, TaskLabels } from '../core/cell-table.js';
import { type MatrixOptions, type MatrixRead, matrixFromCells } from '../core/matrix-cells.js';
import { fail, shown } from '../util/error.js';
import { listedNames } from './column-names.js';
import { alikeWords } from './likeness.js';
import { coarseWords, oddTaskWords } from './odd-tasks.js';
import type { ColumnOptions } from './open-table.js';
import type { ScoreTable } from './score-table.js';
import { type Reading, tableReading } from './scores-reading.js';
import { tableShape } from './shape.js';
import { summaryModelWords } from './summary-names.js';
import { tableCells } from './table-cells.js';

export interface TableOptions extends MatrixOptions, ColumnOptions {
  readonly labels?: TaskLabels;
}

/** A matrix, and what was read to make it. */
export interface TableMatrix extends MatrixRead {
  readonly reading: Reading;
}

/**
 * Makes the matrix of a table, whichever way it stands (reading 1.12): a column a task, a column a model, or a row a cell. Values are points
 * and their scale is found, unless the call or the file states one (reading 1.13). Without panels there is one, without families one, without
 * clusters each task is its own. Errors: those of `tableShape` and `matrixFromCells`.
 */
export function matrixFromTable(table: ScoreTable, options: TableOptions = {}): TableMatrix {
  const { labels = {} } = options;
  const shape = tableShape(table, options);
  const cells = tableCells(shape, labels);
  assertLabels(cells, labels);
  const scale = options.scale ?? (options.quantize === undefined ? table.scale : undefined);
  const read = matrixFromCells(cells, { ...options, ...(scale === undefined ? {} : { scale }) });
  const { models, tasks } = read.matrix;
  assertNotSquare(table.file, models, tasks);
  return {
    ...read,
    warnings: [
      ...read.warnings,
      ...shape.warnings,
      ...summaryModelWords(models),
      ...(read.coarse === undefined ? [] : [coarseWords(read.coarse)]),
      ...alikeWords('model', models),
      ...alikeWords('task', tasks),
      ...(options.only === undefined && (read.gaps === undefined || read.bounds === undefined)
        ? oddTaskWords(read.matrix)
        : []),
    ],
    reading: tableReading(shape, read, scale !== undefined),
  };
}

/** Refuses a table of models against models: rates of winning, correlations, confusions. Errors: SCHEMA_INVALID. */
function assertNotSquare(file: string, models: readonly string[], tasks: readonly string[]): void {
  const names = new Set(models);
  if (models.length < 2 || models.length !== tasks.length || !tasks.every((task) => names.has(task))) return;
  fail(
    'SCHEMA_INVALID',
    { file },
    `rows and columns have the same names, ${listedNames(models)}: it compares them with one another, and holds no scores on tasks`,
    'Ratings are made of comparisons by other programs; give scores: a row a model and a column a task. If they are tasks of these names, give them others.',
  );
}

/** Labels of which none is about this table were made for another. Errors: SCHEMA_INVALID. */
function assertLabels({ file, task }: CellTable, labels: TaskLabels): void {
  const tasks = new Set(task.values);
  for (const [what, of] of Object.entries(labels) as [string, ReadonlyMap<string, string>][]) {
    if (tasks.size === 0 || [...of.keys()].some((name) => tasks.has(name))) continue;
    const named = of.size === 0 ? 'no task' : `${shown([...of.keys()][0])}, no task of ${file}`;
    fail(
      'SCHEMA_INVALID',
      { file },
      `the file of ${what} names ${named}`,
      `A task is written as in the matrix: ${shown([...tasks][0])}.`,
    );
  }
}
