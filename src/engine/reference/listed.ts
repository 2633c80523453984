import type { AddListed, ListedColumns } from '../listed.js';

/** Totals over listed columns, one number after the other. */
export function referenceListedTotals({ columns, rows }: ListedColumns): AddListed {
  return (sums, first, lists, length) => {
    lists.forEach((column, i) => {
      const at = (first + Math.floor(i / length)) * rows;
      for (let r = 0; r < rows; r += 1) sums[at + r]! += columns[column * rows + r]!;
    });
  };
}
