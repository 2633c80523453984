import type { Command } from 'commander';
import type { ColumnOptions } from '../scores/open-table.js';
import type { TaskLabelFiles } from '../scores/task-labels.js';
import { collected, countOption } from './options.js';

/** What a call says of the columns of a table and of the unit of its values. */
export interface TableFlags extends ColumnOptions, TaskLabelFiles {
  readonly scale?: number;
  readonly quantize?: number;
  /** Filter of an lm-evaluation-harness log. */
  readonly filter?: string;
  /** File of the names of rows, of columns, or of both. */
  readonly names?: string;
  readonly sheet?: string;
}

/** Adds the options that say what the columns of a table are, the same for every command that reads one. */
export function columnOptions(command: Command): Command {
  return command
    .option('--model-column <name>', 'column that names the models; A,B joins two')
    .option('--task-column <name>', 'column that names the tasks; A,B joins two')
    .option('--value-column <name>', 'column of values, of a table with one row a cell')
    .option('--family-column <name>', 'column of parts that weigh the same')
    .option('--cluster-column <name>', 'column of what stands or falls together')
    .option('--attempt-column <name>', 'column that numbers the attempts at a cell')
    .option('--drop <names>', 'columns or tasks to leave out: A,B', collected)
    .option('--only <names>', 'tasks to take, no others: A,B', collected)
    .option('--transpose', 'rows are tasks, columns models')
    .option('--names <file>', 'names of the rows of a numpy array, of its columns, or of both, one a line')
    .option('--sheet <name>', 'sheet of a workbook (default: the first)');
}

/** Adds `--scale` and `--quantize`. */
export function unitOptions(command: Command): Command {
  return command
    .option(
      '--scale <n>',
      'values are integers, n to the point (default: points, with the decimals that are there)',
      countOption,
    )
    .option('--quantize <scale>', 'round values to 1/scale points', countOption);
}
