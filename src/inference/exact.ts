import { type ClusterDesign, pairCount } from '../engine/design.js';
import type { ExactTotals } from './totals.js';

export interface ExactTest {
  /** 2^C, all sign assignments. */
  readonly assignments: number;
  /** pairs of all rows (`pairIndex` order): exact two-sided sign-flip p. */
  readonly p: Float64Array;
}

/** Weighted totals W[row][cluster] (statistics 6.3), or null where they do not fit 2^53. */
export function weightedClusterTotals(
  design: ClusterDesign,
  exact: ExactTotals,
): Float64Array | null {
  const { rows, clusters, partCluster, partStratum, partTotals } = design;
  const totals = new Float64Array(rows * clusters);
  const reach = new Float64Array(rows);
  for (let p = 0; p < partCluster.length; p += 1) {
    const weight = Number(exact.weights[partStratum[p] as number]);
    for (let r = 0; r < rows; r += 1) {
      const value = weight * (partTotals[p * rows + r] as number);
      const at = r * clusters + (partCluster[p] as number);
      totals[at] = (totals[at] as number) + value;
      reach[r] = (reach[r] as number) + Math.abs(value);
    }
  }
  return reach.every((sum) => sum < 2 ** 52) ? totals : null;
}

/**
 * Exact sign-flip p of every pair by walking all sign assignments in Gray-code order: p = count / 2^C. Opposite
 * assignments give the same absolute sum, so the last cluster keeps its sign and half of them are visited. Null when there
 * are more assignments than `limit` or when the totals pass 2^52.
 */
export function exactTest(
  design: ClusterDesign,
  exact: ExactTotals,
  limit: number,
): ExactTest | null {
  const { rows, clusters } = design;
  if (clusters > 40 || 2 ** clusters > limit) return null;
  const totals = weightedClusterTotals(design, exact);
  if (totals === null) return null;
  const sums = new Float64Array(rows);
  for (let r = 0; r < rows; r += 1)
    for (let c = 0; c < clusters; c += 1)
      sums[r] = (sums[r] as number) + (totals[r * clusters + c] as number);
  const observed = new Float64Array(pairCount(rows));
  for (let i = 0, k = 0; i < rows; i += 1)
    for (let j = i + 1; j < rows; j += 1, k += 1)
      observed[k] = Math.abs((sums[i] as number) - (sums[j] as number));
  const counts = new Float64Array(observed.length);
  const positive = new Uint8Array(clusters).fill(1);
  const half = 2 ** (clusters - 1);
  for (let step = 0; step < half; step += 1) {
    if (step > 0) {
      let c = 0;
      while (((step >>> c) & 1) === 0) c += 1;
      const change = positive[c] ? -2 : 2;
      positive[c] = positive[c] ? 0 : 1;
      for (let r = 0; r < rows; r += 1)
        sums[r] = (sums[r] as number) + change * (totals[r * clusters + c] as number);
    }
    for (let i = 0, k = 0; i < rows; i += 1)
      for (let j = i + 1; j < rows; j += 1, k += 1)
        if (Math.abs((sums[i] as number) - (sums[j] as number)) >= (observed[k] as number))
          counts[k] = (counts[k] as number) + 1;
  }
  return { assignments: 2 * half, p: counts.map((count) => count / half) };
}
