import { type ErrorPlace, shown } from '../util/error.js';

/** One cell a row, or one attempt at a cell, as a table file holds it. A value that the source has not written is null. */
export interface CellTable {
  /** What the cells came from, where none can be named. */
  readonly file: string;
  readonly model: ArrayLike<string>;
  readonly task: ArrayLike<string>;
  readonly panel: ArrayLike<string>;
  readonly family: ArrayLike<string>;
  readonly cluster: ArrayLike<string>;
  /** Which attempt at its cell a row is, where the source says it. */
  readonly attempt?: ArrayLike<string>;
  readonly value: ArrayLike<number | null>;
  /** The value as written, for errors. */
  written(row: number): string;
  /** File and line (or another place in the file) of a row. */
  place(row: number): ErrorPlace;
}

/** Names the cell of a row, as errors about it do. */
export function cellName(cells: CellTable, row: number): string {
  return `model ${shown(cells.model[row])}, task ${shown(cells.task[row])}`;
}
