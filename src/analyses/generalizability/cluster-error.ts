import type { ScoreMatrix } from '../../core/matrix.js';
import { layoutOf } from '../../engine/layout.js';
import { clusterUnits, linearisation } from '../../engine/linearised.js';
import { clusterDesign } from '../../inference/cluster-design.js';
import { loneStrata } from '../../inference/intervals/lone-strata.js';
import { type Strata, strataOf } from '../../inference/strata.js';

/** What differences between models would be on other clusters of tasks like these (decisions 5.3). Points squared. */
export interface ClusterReliability {
  readonly clusters: number;
  readonly strata: number;
  /** Variance of the models' scores less what sampling clusters brings to it, at least 0. */
  readonly model: number;
  /** What sampling clusters, and tasks inside them, brings to the variance of scores. */
  readonly error: number;
  /** Of one model on one cluster beyond the tasks in it; null where no cluster has two tasks of one stratum. */
  readonly model_by_cluster: number | null;
  /** Of one model on one task inside its cluster. */
  readonly model_by_task: number;
  /** Null where nothing varies, or beside a stratum of one cluster. */
  readonly relative_g: number | null;
  /** Numbers at which the coefficient reaches the target, strata and sizes of clusters as they are; null where none would. */
  readonly clusters_for_target: number | null;
  readonly tasks_for_target: number | null;
  /** Labels of strata with one cluster: how much clusters vary there cannot be seen. */
  readonly lone_strata: readonly string[];
}

/**
 * Estimates reliability over clusters sampled within strata: the error is that of the linearised scores (decisions 2.4), each cluster's influence
 * less its mean over models. For one stratum of lone tasks this is the coefficient of the crossed design (analyses 2). Errors: those
 * of `clusterDesign`.
 */
export function clusterReliability({ chance: _, ...matrix }: ScoreMatrix, target: number): ClusterReliability {
  const strata = strataOf(matrix, 'panel-family');
  const design = clusterDesign(matrix, strata);
  const layout = layoutOf(design);
  const { measure, influenceOf } = linearisation(design, layout, clusterUnits(design));
  const { scales, values, weights } = measure(new Uint8Array(layout.parts).fill(1));
  const M = matrix.models.length;
  let error = 0;
  for (let c = 0; c < design.clusters; c += 1) error += (scales[c]! * squaresAroundMean(influenceOf(c))) / (M - 1);
  const spread = squaresAroundMean(values) / (M - 1);
  const lone = loneStrata(design);
  const model = Math.max(0, spread - error);
  const inside = insideVariance(matrix, strata);
  const squared = strata.ofTask.reduce((sum, s) => sum + (1 / (strata.sizes.length * strata.sizes[s]!)) ** 2, 0);
  const between = weights.reduce((sum, a) => sum + a * a, 0);
  const more = model === 0 ? null : ((target / (1 - target)) * error) / model;
  const reaches = (n: number) => (more === null || lone.length > 0 ? null : Math.ceil(n * more - 1e-9));
  return {
    clusters: design.clusters,
    strata: strata.sizes.length,
    model,
    error,
    model_by_cluster: inside === null ? null : Math.max(0, (error - inside * squared) / between),
    model_by_task: inside ?? error / squared,
    relative_g: lone.length > 0 || model + error === 0 ? null : model / (model + error),
    clusters_for_target: reaches(design.clusters),
    tasks_for_target: reaches(matrix.tasks.length),
    lone_strata: lone.map((s) => strata.labels[s]!),
  };
}

/** Values that are all the same give exactly 0. */
function squaresAroundMean(values: Float64Array): number {
  const shifted = values.map((value) => value - values[0]!);
  const mean = shifted.reduce((sum, value) => sum + value, 0) / values.length;
  return shifted.reduce((sum, value) => sum + (value - mean) ** 2, 0);
}

/** Variance of a model on a task around its mean over the tasks of the cluster in that stratum, both less the mean over models. */
function insideVariance(matrix: Omit<ScoreMatrix, 'chance'>, { ofTask }: Strata): number | null {
  const { models, tasks, values, scale, clusters } = matrix;
  const T = tasks.length;
  const parts = new Map<string, number[]>();
  ofTask.forEach((s, t) => {
    const key = `${s} ${clusters[t]!}`;
    const part = parts.get(key);
    if (part) part.push(t);
    else parts.set(key, [t]);
  });
  let squares = 0;
  let freedom = 0;
  for (const part of parts.values()) {
    if (part.length < 2) continue;
    freedom += part.length - 1;
    const means = part.map((t) => {
      let sum = 0;
      for (let m = 0; m < models.length; m += 1) sum += values[m * T + t]!;
      return sum / models.length;
    });
    for (let m = 0; m < models.length; m += 1)
      squares += squaresAroundMean(Float64Array.from(part, (t, i) => (values[m * T + t]! - means[i]!) / scale));
  }
  return freedom === 0 ? null : squares / (freedom * (models.length - 1));
}
