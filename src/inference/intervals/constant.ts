import type { ClusterDesign } from '../../engine/design.js';
import type { Layout } from '../../engine/layout.js';

/** Does a row have the same mean per task in every part of a stratum, in integers? */
function constantOver(
  { rows, partStratum, partTasks, partTotals }: ClusterDesign,
  layout: Layout,
  row: number,
): boolean {
  const { stratumTasks, stratumTotals } = layout;
  for (let p = 0; p < partStratum.length; p += 1) {
    const s = partStratum[p]!;
    const total = partTotals[p * rows + row]!;
    const sum = stratumTotals[s * rows + row]!;
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
  return Uint8Array.from({ length: design.rows }, (_, row) => (constantOver(design, layout, row) ? 1 : 0));
}
