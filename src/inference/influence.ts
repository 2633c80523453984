import type { ClusterDesign } from '../engine/design.js';

/**
 * Linearises the scores of a design: rows x clusters, what each cluster adds to the error of a row's score, in points. Each row sums to
 * zero within every stratum (statistics 14.2).
 */
export function clusterInfluences(design: ClusterDesign): Float64Array {
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

/** Computes the variance of the difference of two rows' scores over samples of two clusters or more, points squared (statistics 14.2). */
export function differenceVariance(
  influence: Float64Array,
  { clusters }: Pick<ClusterDesign, 'clusters'>,
  i: number,
  j: number,
): number {
  let sum = 0;
  for (let c = 0; c < clusters; c += 1) {
    const d = influence[i * clusters + c]! - influence[j * clusters + c]!;
    sum += d * d;
  }
  return (sum * clusters) / (clusters - 1);
}
