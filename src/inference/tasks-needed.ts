import type { ClusterDesign } from '../engine/design.js';
import { normalQuantile } from '../util/normal.js';

/** A two-sided test at level alpha, one of a family of `hypotheses` (Bonferroni; Holm and max-T are never weaker). */
export interface TestLevel {
  readonly alpha: number;
  readonly hypotheses: number;
}

/** Gives the normal quantile a test must pass, from the small tail, which stays exact where 1 minus it is 1. */
export const criticalZ = ({ alpha, hypotheses }: TestLevel) => -normalQuantile(alpha / (2 * hypotheses));

/**
 * Finds the fewest tasks at which a true difference is found with power `target`; null where the difference is zero or no number
 * below 2^53 would do. `sigma`: standard deviation of one task's contribution, in the unit of the difference (statistics 14.2).
 */
export function tasksNeeded(difference: number, sigma: number, target: number, level: TestLevel): number | null {
  if (difference === 0) return null;
  const z = criticalZ(level) + normalQuantile(target);
  const tasks = Math.max(1, Math.ceil(((z * sigma) / difference) ** 2));
  return Number.isSafeInteger(tasks) ? tasks : null;
}

/** Computes the smallest difference that is found with the target power at n tasks, points. */
export function detectableDifference(sigma: number, tasks: number, target: number, level: TestLevel): number {
  return ((criticalZ(level) + normalQuantile(target)) * sigma) / Math.sqrt(tasks);
}

/** Forms what each cluster adds to the error of each row's score: rows x clusters, points. */
export function clusterInfluence(design: ClusterDesign): Float64Array {
  const { rows, clusters, strata, scale, partCluster, partStratum, partTasks, partTotals } = design;
  const sizes = new Float64Array(strata);
  const sums = new Float64Array(strata * rows);
  partStratum.forEach((s, p) => {
    sizes[s] = sizes[s]! + partTasks[p]!;
    for (let r = 0; r < rows; r += 1) sums[s * rows + r] = sums[s * rows + r]! + partTotals[p * rows + r]!;
  });
  const out = new Float64Array(rows * clusters);
  partStratum.forEach((s, p) => {
    const size = sizes[s]!;
    for (let r = 0; r < rows; r += 1) {
      const mean = sums[s * rows + r]! / size;
      const rest = partTotals[p * rows + r]! - mean * partTasks[p]!;
      const at = r * clusters + partCluster[p]!;
      out[at] = out[at]! + rest / (strata * size * scale);
    }
  });
  return out;
}

/** Computes the variance of the score difference of two rows over samples of two clusters or more, squared points. */
export function differenceVariance(influence: Float64Array, { clusters }: ClusterDesign, i: number, j: number): number {
  let sum = 0;
  for (let c = 0; c < clusters; c += 1) {
    const d = influence[i * clusters + c]! - influence[j * clusters + c]!;
    sum += d * d;
  }
  return (sum * clusters) / (clusters - 1);
}
