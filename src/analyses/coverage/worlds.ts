import type { ScoreMatrix } from '../../core/matrix.js';
import { philoxDraw } from '../../engine/philox.js';
import { rowsByModelId } from '../../inference/row-order.js';
import type { Strata } from '../../inference/strata.js';

/** Finer units for the world of equal models, so that moving scores by fractions of a unit leaves no difference behind. */
const FINER = 64;

/** Makes the world in which all models are equal: each is moved, stratum by stratum, to the mean of all, in finer units. */
export function equalWorld(matrix: ScoreMatrix, { ofTask, sizes }: Strata): ScoreMatrix {
  const models = matrix.models.length;
  const tasks = matrix.tasks.length;
  const strata = sizes.length;
  const sums = new Float64Array(strata * models);
  for (let m = 0; m < models; m += 1)
    for (let t = 0; t < tasks; t += 1) sums[ofTask[t]! * models + m]! += matrix.values[m * tasks + t]!;
  const shifts = new Float64Array(strata * models);
  for (let s = 0; s < strata; s += 1) {
    const own = sums.subarray(s * models, (s + 1) * models);
    const target = Math.round((FINER * own.reduce((a, b) => a + b, 0)) / (models * sizes[s]!));
    own.forEach((sum, m) => {
      shifts[s * models + m] = Math.round(target - (FINER * sum) / sizes[s]!);
    });
  }
  return {
    ...matrix,
    scale: matrix.scale * FINER,
    values: matrix.values.map(
      (value, at) => FINER * value + shifts[ofTask[at % tasks]! * models + Math.floor(at / tasks)]!,
    ),
  };
}

/** Stream of the orders in which the values of a cluster go to the models of a world of equal models. */
export const EXCHANGE_STREAM = 12;

/**
 * Makes the models of a data set equal by chance: in each cluster the values of all models go to them in a random order, models by id. So
 * data of 0 and 1 stay what they are; moving them by a fraction would make near twins differ by the same amount everywhere.
 */
export function exchangedModels(sampled: ScoreMatrix, seed: bigint, draw: number): ScoreMatrix {
  const models = sampled.models.length;
  const width = sampled.tasks.length;
  const byId = rowsByModelId(sampled.models);
  const words = philoxDraw({ seed, stream: EXCHANGE_STREAM, draw });
  const values = new Float64Array(sampled.values.length);
  for (const tasks of tasksByCluster(sampled)) {
    const order = words.subset(models, models);
    byId.forEach((row, k) => {
      for (const t of tasks) values[row * width + t] = sampled.values[byId[order[k]!]! * width + t]!;
    });
  }
  return { ...sampled, values };
}

/** Lists the tasks of each cluster, clusters by first appearance as in a design. */
export function tasksByCluster({ clusters }: ScoreMatrix): readonly (readonly number[])[] {
  const lists = new Map<string, number[]>();
  clusters.forEach((cluster, t) => {
    const list = lists.get(cluster);
    if (list) list.push(t);
    else lists.set(cluster, [t]);
  });
  return [...lists.values()];
}

/** Makes the table of a sample of clusters; each drawn cluster is a cluster of its own. */
export function sampledMatrix(
  matrix: ScoreMatrix,
  tasks: readonly (readonly number[])[],
  sample: Int32Array,
): ScoreMatrix {
  const columns = Array.from(sample, (cluster, slot) => tasks[cluster]!.map((task) => ({ task, slot }))).flat();
  const of = (texts: readonly string[]) => columns.map(({ task }) => texts[task]!);
  const width = matrix.tasks.length;
  return {
    models: matrix.models,
    tasks: columns.map(({ task, slot }) => `${matrix.tasks[task]}#${slot}`),
    panels: of(matrix.panels),
    families: of(matrix.families),
    clusters: columns.map(({ slot }) => String(slot)),
    values: Float64Array.from(
      matrix.models.flatMap((_, m) => columns.map(({ task }) => matrix.values[m * width + task]!)),
    ),
    scale: matrix.scale,
  };
}
