import type { ClusterDesign } from '../../engine/design.js';
import type { Layout } from '../../engine/layout.js';

/**
 * Tells whether the difference of two rows has the same mean per task in every part of a stratum: D_p N_s = n_p D_s as integers (decisions 2.4).
 * With `right` null it is the row `left` itself. Totals of strata must lie below 2^53, as those of statistics 5.1 do.
 */
export function isConstant(design: ClusterDesign, layout: Layout, left: number, right: number | null): boolean {
  const { rows, partStratum, partTasks, partTotals } = design;
  const { stratumTasks, stratumTotals } = layout;
  const of = (totals: Float64Array, at: number): number =>
    totals[at * rows + left]! - (right === null ? 0 : totals[at * rows + right]!);
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

/** Marks the rows that are constant in that sense: no resampling of clusters moves them (decisions 2.4). */
export function constantRows(design: ClusterDesign, layout: Layout): Uint8Array {
  return Uint8Array.from({ length: design.rows }, (_, row) => (isConstant(design, layout, row, null) ? 1 : 0));
}
