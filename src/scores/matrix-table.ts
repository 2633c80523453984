import type { CellTable, TaskLabels } from '../core/cell-table.js';
import { type MatrixOptions, type MatrixRead, matrixFromCells } from '../core/matrix-cells.js';
import { fail, shown } from '../util/error.js';
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
