import { type CodedColumn, columnOfValues } from '../io/coded.js';
import { type ErrorPlace, shown } from '../util/error.js';

/** Names as the list of the different ones and, for each row, the place of its name in that list. */
export interface NameColumn extends CodedColumn {
  readonly values: readonly string[];
}

/** Facts about tasks that stand beside a table; they go before its own columns. */
export interface TaskLabels {
  readonly clusters?: ReadonlyMap<string, string>;
  readonly families?: ReadonlyMap<string, string>;
}

/** One cell a row, or one attempt at a cell, as a table file holds it. */
export interface CellTable {
  /** What the cells came from, where none can be named. */
  readonly file: string;
  readonly model: NameColumn;
  readonly task: NameColumn;
  /** Without it all tasks are one panel. */
  readonly panel?: NameColumn;
  /** Without it all tasks are one family. */
  readonly family?: NameColumn;
  /** Without it each task is a cluster of its own. */
  readonly cluster?: NameColumn;
  readonly labels?: TaskLabels;
  /** Which attempt at its cell a row is, where the source says it. */
  readonly attempt?: NameColumn;
  /** NaN where the source has not written a value. */
  readonly value: ArrayLike<number>;
  /** The value as written, for errors. */
  written(row: number): string;
  /** What to do where two rows are of one cell, if the source can tell. */
  repeated?(first: number, second: number): string | undefined;
  /** File and line (or another place in the file) of a row. */
  place(row: number): ErrorPlace;
}

/** Codes names that stand one a row. */
export function nameColumn(names: ArrayLike<string>): NameColumn {
  return columnOfValues(() => names).coded() as NameColumn;
}

/** Gives the name of a row; empty where there is none. */
export const nameOf = ({ values, codes }: NameColumn, row: number): string => values[codes[row]!] ?? '';

/** Names the cell of a row, as errors about it do. */
export function cellName({ model, task }: CellTable, row: number): string {
  return `model ${shown(nameOf(model, row))}, task ${shown(nameOf(task, row))}`;
}
