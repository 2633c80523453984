import type { ScoreMatrix } from '../core/matrix.js';
import { type ClusterDesign, weighing } from '../engine/design.js';
import { fail, shown } from '../util/error.js';
import { counted } from '../util/format.js';
import { wholeProblem } from '../util/whole.js';
import type { Strata } from './strata.js';

/**
 * Makes the cluster design of a matrix: exact integer totals by (cluster, stratum) part. Where the value of a random answer is
 * known it becomes one more row after the models, so that every draw serves the chance comparison too (statistics 9). Where strata are weighed,
 * totals hold the weights, so that everything that is linear in them needs to know of none (decisions 4.3).
 *
 * Errors: CLUSTER_MISSING, CELL_NOT_INTEGER, SCHEMA_INVALID (no model, no task), BOUND_EXCEEDED past 2^53.
 */
export function clusterDesign(matrix: ScoreMatrix, strata: Strata): ClusterDesign {
  const tasks = matrix.tasks.length;
  const ranked = matrix.models.length;
  if (ranked === 0 || tasks === 0)
    fail(
      'SCHEMA_INVALID',
      null,
      `a matrix of ${counted(ranked, 'model')} x ${counted(tasks, 'task')}`,
      'Inference needs at least one model and one task.',
    );
  const rows = ranked + (matrix.chance ? 1 : 0);
  const { cluster, clusters } = clusterIndex(matrix);
  const { part, partCluster, partStratum, partTasks } = parts(cluster, strata);
  const partTotals = new Float64Array(partCluster.length * rows);
  const { weights } = strata;
  const add = (row: number, t: number, value: number) => {
    if (!Number.isSafeInteger(value))
      fail(
        'CELL_NOT_INTEGER',
        null,
        `${row < ranked ? `model ${shown(matrix.models[row])}` : 'chance'}, task ${shown(matrix.tasks[t])}: ${shown(value)} ${wholeProblem(value)}`,
        'Give integers with a scale, or quantise real values.',
      );
    const at = part[t]! * rows + row;
    const total = partTotals[at]! + (weights === undefined ? value : weights[strata.ofTask[t]!]! * value);
    if (!Number.isSafeInteger(total))
      fail(
        'BOUND_EXCEEDED',
        null,
        `the total of cluster ${shown(matrix.clusters[t])} for row ${row} passes 2^53`,
        weights === undefined ? 'Use a smaller scale.' : 'Use a smaller scale, or family weights with fewer digits.',
      );
    partTotals[at] = total;
  };
  for (let m = 0; m < ranked; m += 1) for (let t = 0; t < tasks; t += 1) add(m, t, matrix.values[m * tasks + t]!);
  if (matrix.chance) for (let t = 0; t < tasks; t += 1) add(ranked, t, matrix.chance[t]!);
  return {
    rows,
    ranked,
    clusters,
    strata: strata.labels.length,
    ...(weights === undefined ? {} : { weights }),
    scale: matrix.scale * weighing({ weights, strata: strata.labels.length }),
    partCluster,
    partStratum,
    partTasks,
    partTotals,
  };
}

/** Cluster number of each task, by first appearance. */
function clusterIndex(matrix: ScoreMatrix): { cluster: Int32Array; clusters: number } {
  const numbers = new Map<string, number>();
  const cluster = Int32Array.from(matrix.clusters, (id, t) => {
    if (!id)
      fail(
        'CLUSTER_MISSING',
        null,
        `task ${shown(matrix.tasks[t])} has no cluster`,
        'Give every task a cluster id; tasks that stand alone get their own.',
      );
    const known = numbers.get(id);
    if (known !== undefined) return known;
    numbers.set(id, numbers.size);
    return numbers.size - 1;
  });
  return { cluster, clusters: numbers.size };
}

/** Parts ordered by stratum, inside a stratum by cluster number. */
function parts(cluster: Int32Array, strata: Strata) {
  const byKey = new Map<string, { stratum: number; cluster: number; tasks: number[] }>();
  cluster.forEach((c, t) => {
    const stratum = strata.ofTask[t]!;
    const key = `${stratum} ${c}`;
    const known = byKey.get(key);
    if (known) known.tasks.push(t);
    else byKey.set(key, { stratum, cluster: c, tasks: [t] });
  });
  const ordered = [...byKey.values()].sort((a, b) => a.stratum - b.stratum || a.cluster - b.cluster);
  const part = new Int32Array(cluster.length);
  ordered.forEach(({ tasks }, p) => {
    for (const t of tasks) part[t] = p;
  });
  return {
    part,
    partCluster: Int32Array.from(ordered, (entry) => entry.cluster),
    partStratum: Int32Array.from(ordered, (entry) => entry.stratum),
    partTasks: Int32Array.from(ordered, (entry) => entry.tasks.length),
  };
}
