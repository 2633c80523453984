import type { ScoreMatrix } from '../src/core/matrix.js';
import { type ClusterDesign, philoxDraw } from '../src/engine/index.js';
import { clusterDesign } from '../src/inference/cluster-design.js';
import { strataOf } from '../src/inference/strata.js';

const FAMILIES = ['substitution', 'pairing', 'constraint'];
const TASKS = 534;
const MODELS = 27;

/** A matrix as large as the released core, 27 x 534, with simulated scores of models of graded skill. */
export function simulatedMatrix(models = MODELS): ScoreMatrix {
  const words = philoxDraw({ seed: 1n, stream: 0xbe7c, draw: 0 });
  const stratum = (t: number): number => Math.floor((t * 6) / TASKS);
  const values = new Float64Array(models * TASKS);
  for (let m = 0; m < models; m++)
    for (let t = 0; t < TASKS; t++) {
      const best = Math.max(words.word(), m % 2 === 0 ? words.word() : 0, m % 3 === 0 ? words.word() : 0);
      values[m * TASKS + t] = Math.round((best / 2 ** 32) * 10_000);
    }
  return {
    models: Array.from({ length: models }, (_, m) => `simulated/model-${m + 1}`),
    tasks: Array.from({ length: TASKS }, (_, t) => `task-${t + 1}`),
    panels: Array.from({ length: TASKS }, (_, t) => `panel_${Math.floor(stratum(t) / 3) + 1}`),
    families: Array.from({ length: TASKS }, (_, t) => FAMILIES[stratum(t) % 3]!),
    clusters: Array.from({ length: TASKS }, (_, t) => `anchor-${t + 1}`),
    values,
    scale: 100,
    chance: Float64Array.from({ length: TASKS }, () => 2000 + (words.word() % 2000)),
  };
}

/** The cluster design of that matrix, six strata, the chance row last. */
export function simulatedDesign(models = MODELS): ClusterDesign {
  const matrix = simulatedMatrix(models);
  return clusterDesign(matrix, strataOf(matrix, 'panel-family'));
}

/** A table without strata, every task a cluster: models of graded skill whose cells are made of a share of it and of a uniform number. */
function gradedDesign(
  models: number,
  tasks: number,
  cell: (skill: number, uniform: number) => number,
  scale: number,
): ClusterDesign {
  const words = philoxDraw({ seed: 3n, stream: 0xbe7c, draw: 0 });
  return {
    rows: models,
    ranked: models,
    clusters: tasks,
    strata: 1,
    scale,
    partCluster: Int32Array.from({ length: tasks }, (_, p) => p),
    partStratum: new Int32Array(tasks),
    partTasks: new Int32Array(tasks).fill(1),
    partTotals: Float64Array.from({ length: models * tasks }, (_, at) =>
      cell((at % models) / models, words.word() / 2 ** 32),
    ),
  };
}

/** Scores with two decimals. */
export function wideDesign(models: number, tasks: number): ClusterDesign {
  return gradedDesign(models, tasks, (skill, uniform) => Math.round(2000 + 3000 * skill + 5000 * uniform), 100);
}

/** Answers that are right, 1, or wrong, 0. */
export function answeredDesign(models: number, tasks: number): ClusterDesign {
  return gradedDesign(models, tasks, (skill, uniform) => Number(uniform < 0.2 + 0.7 * skill), 1);
}
