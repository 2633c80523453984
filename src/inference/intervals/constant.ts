import { type ClusterDesign, pairCount } from '../../engine/design.js';
import type { Layout } from '../../engine/layout.js';

/** Does a difference of rows have the same mean per task in every part of a stratum, in integers? Row `right` -1: the row itself. */
function constantOver(design: ClusterDesign, layout: Layout, left: number, right: number): boolean {
  const { rows, partStratum, partTasks, partTotals } = design;
  const { stratumTasks, stratumTotals } = layout;
  const of = (totals: Float64Array, at: number): number =>
    totals[at * rows + left]! - (right < 0 ? 0 : totals[at * rows + right]!);
  for (let p = 0; p < partStratum.length; p += 1) {
    const s = partStratum[p]!;
    const total = of(partTotals, p);
    const sum = of(stratumTotals, s);
    const a = total * stratumTasks[s]!;
    const b = partTasks[p]! * sum;
    if (Math.abs(a) < 2 ** 52 && Math.abs(b) < 2 ** 52) {
      if (a !== b) return false;
    } else if (BigInt(total) * BigInt(stratumTasks[s]!) !== BigInt(partTasks[p]!) * BigInt(sum)) return false;
  }
  return true;
}

/**
 * Marks the rows whose mean per task is the same in every cluster of a stratum: D_p N_s = n_p D_s as integers (decisions 2.4).
 * No resampling of clusters moves such a row. Totals of strata must lie below 2^53, as those of statistics 5.1 do.
 */
export function constantRows(design: ClusterDesign, layout: Layout): Uint8Array {
  return Uint8Array.from({ length: design.rows }, (_, row) => (constantOver(design, layout, row, -1) ? 1 : 0));
}

/** Marks the pairs of the first `rows` rows (`pairIndex` order) whose difference is constant in that sense (decisions 1.3). */
export function constantPairs(design: ClusterDesign, layout: Layout, rows = design.ranked): Uint8Array {
  const marks = new Uint8Array(pairCount(rows));
  for (let left = 0, k = 0; left < rows; left += 1)
    for (let right = left + 1; right < rows; right += 1, k += 1)
      if (constantOver(design, layout, left, right)) marks[k] = 1;
  return marks;
}
