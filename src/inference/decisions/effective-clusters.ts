import type { ClusterDesign } from '../../engine/design.js';
import { lcm } from '../../util/divisor.js';

/** How many clusters a design has, and how many equal ones its weights are worth. */
export interface ClusterNumbers {
  readonly clusters: number;
  /** strata: clusters that hold a task of the stratum. */
  readonly byStratum: Int32Array;
  /** (sum of a)^2 / sum of a^2, with a the weight of a cluster in a score; `clusters` where all weigh the same. */
  readonly effective: number;
}

/** Binary places that a quotient of two integers is formed to before it becomes a double. */
const PLACES = 64n;

/**
 * Counts the clusters of a design. The weight of a cluster is the sum over its tasks of 1 / (strata x tasks of the stratum), or of the weight of the stratum over its tasks, taken as an
 * integer over one denominator, so that equal clusters count exactly (decisions 2.1).
 */
export function clusterNumbers(design: ClusterDesign): ClusterNumbers {
  const { clusters, strata, weights, partCluster, partStratum, partTasks } = design;
  const tasks = new Array<bigint>(strata).fill(0n);
  const byStratum = new Int32Array(strata);
  for (let p = 0; p < partStratum.length; p += 1) {
    const s = partStratum[p]!;
    tasks[s] = tasks[s]! + BigInt(partTasks[p]!);
    byStratum[s] = byStratum[s]! + 1;
  }
  const multiple = lcm(tasks);
  const share = new Array<bigint>(clusters).fill(0n);
  for (let p = 0; p < partStratum.length; p += 1) {
    const c = partCluster[p]!;
    const s = partStratum[p]!;
    share[c] = share[c]! + BigInt(partTasks[p]! * (weights?.[s] ?? 1)) * (multiple / tasks[s]!);
  }
  let sum = 0n;
  let squares = 0n;
  for (const a of share) {
    sum += a;
    squares += a * a;
  }
  return { clusters, byStratum, effective: Number(((sum * sum) << PLACES) / squares) / 2 ** Number(PLACES) };
}
