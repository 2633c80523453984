/**
 * What every resampling procedure works on: integer totals of rows (models, and one more row for chance) by part, where
 * a part is one (cluster, stratum) pair that holds at least one task.
 *
 * Clusters are numbered by first appearance over all tasks of the table (statistics 2.3). Parts are ordered by stratum, and
 * inside a stratum by that number (statistics 2.5), which need not be the order in which the clusters appear in the stratum.
 * Totals are integers held in f64, so any below 2^53 fits.
 */
export interface ClusterDesign {
  /** M, rows of the matrix. */
  readonly rows: number;
  /** The first `ranked` rows take part in ranks, bands and max-T; a chance row stands after them. */
  readonly ranked: number;
  /** C, clusters. */
  readonly clusters: number;
  /** S, strata. */
  readonly strata: number;
  /** Integer units in one point: 100 for basis points. Where strata are weighed, so many times it that a score is still the mean over strata. */
  readonly scale: number;
  /** S whole numbers in whose ratio strata weigh, whose sum is a multiple of S; the totals are multiplied by them. Absent: all alike. */
  readonly weights?: readonly number[];
  /** P entries: cluster of a part. */
  readonly partCluster: Int32Array;
  /** P entries, ascending: stratum of a part. */
  readonly partStratum: Int32Array;
  /** P entries: tasks in a part. */
  readonly partTasks: Int32Array;
  /** P x M integers, part-major: sum of a row over the tasks of a part. */
  readonly partTotals: Float64Array;
}

/** By how much weighing multiplies the scale: the mean of the weights of the strata. */
export function weighing({ weights, strata }: Pick<ClusterDesign, 'weights' | 'strata'>): number {
  return weights === undefined ? 1 : weights.reduce((sum, weight) => sum + weight, 0) / strata;
}

/** Counts the unordered pairs of n rows. */
export function pairCount(n: number): number {
  return (n * (n - 1)) / 2;
}

/** Finds the place of pair (i, j), i < j, in the order (0,1), (0,2), ..., (0,n-1), (1,2), ... (statistics 6.4). */
export function pairIndex(i: number, j: number, n: number): number {
  return i * n - (i * (i + 1)) / 2 + (j - i - 1);
}
