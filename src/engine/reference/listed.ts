/** Columns that are added up by lists of their numbers. */
export interface ListedColumns {
  /** columns x rows integers, column-major. */
  readonly columns: Int32Array;
  readonly rows: number;
}

/**
 * Adds to `sums` (draws x rows, from draw `first` on) the columns that `lists` name, `length` numbers a draw, a repeated number as
 * often as it stands. Totals must fit 32 bits.
 */
export type AddListed = (sums: Int32Array | Float64Array, first: number, lists: Int32Array, length: number) => void;

/** Opens totals over listed columns, one number after the other. */
export function referenceListedTotals({ columns, rows }: ListedColumns): AddListed {
  return (sums, first, lists, length) => {
    lists.forEach((column, i) => {
      const at = (first + Math.floor(i / length)) * rows;
      for (let r = 0; r < rows; r += 1) sums[at + r]! += columns[column * rows + r]!;
    });
  };
}
