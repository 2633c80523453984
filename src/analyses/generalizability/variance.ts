import type { ScoreMatrix } from '../../core/matrix.js';
import { familyOrder, panelOrder } from '../../inference/strata.js';
import { fail } from '../../util/error.js';
import { counted } from '../../util/format.js';

/** Sums of squares of a crossed model x task design, and what they say about reliability (analyses 2). */
export interface Generalizability {
  readonly models: number;
  readonly tasks: number;
  readonly grand_mean: number;
  readonly total: number;
  readonly sum_squares: Readonly<Record<Source, number>>;
  readonly fractions: Readonly<Record<Source, number>>;
  readonly components: {
    readonly model: number;
    readonly task: number;
    readonly model_by_task: number;
  };
  /** Relative coefficient at the tasks at hand; null when models and residual do not vary. */
  readonly relative_g: number | null;
  readonly target: number;
  /** Tasks at which the coefficient reaches the target; null when models do not differ. */
  readonly tasks_for_target: number | null;
}

/** Sources of variance in the order of the published table (analyses 2). */
export const SOURCES = [
  'model',
  'family',
  'panel',
  'family_by_panel',
  'task_within_family_panel',
  'model_by_task',
] as const;
export type Source = (typeof SOURCES)[number];

function levels(labels: readonly string[], order: readonly string[]): Int32Array {
  const index = new Map(order.map((label, i) => [label, i]));
  return Int32Array.from(labels, (label) => index.get(label)!);
}

/** Derives variance components and the relative coefficient from three sums of squares (analyses 2). */
export function reliability(options: {
  readonly model: number;
  readonly task: number;
  readonly interaction: number;
  readonly models: number;
  readonly tasks: number;
  readonly target: number;
}): Pick<Generalizability, 'components' | 'relative_g' | 'tasks_for_target'> {
  const { models: M, tasks: T, target } = options;
  const residual = options.interaction / ((M - 1) * (T - 1));
  const components = {
    model: Math.max(0, (options.model / (M - 1) - residual) / T),
    task: Math.max(0, (options.task / (T - 1) - residual) / M),
    model_by_task: residual,
  };
  const noise = components.model + residual / T;
  return {
    components,
    relative_g: noise === 0 ? null : components.model / noise,
    tasks_for_target:
      components.model === 0 ? null : Math.ceil(((target / (1 - target)) * residual) / components.model - 1e-9),
  };
}

/** Weighted squared deviations of level means from the grand mean: between-level sum of squares over tasks. */
function between(taskMeans: Float64Array, level: Int32Array, count: number, grand: number): number {
  const sums = new Float64Array(count);
  const sizes = new Float64Array(count);
  level.forEach((l, t) => {
    sums[l]! += taskMeans[t]!;
    sizes[l]! += 1;
  });
  return sums.reduce(
    (total, sum, l) => (sizes[l]! === 0 ? total : total + sizes[l]! * (sum / sizes[l]! - grand) ** 2),
    0,
  );
}

/**
 * Partitions the variance of a complete matrix. For equal cells the family-by-panel term is the between-cell sum minus both
 * main effects, which is the published formula. Errors: MODELS_TOO_FEW for fewer than two models or tasks, USAGE for a
 * target outside (0, 1).
 */
export function decompose({
  matrix,
  target = 0.9,
}: {
  readonly matrix: ScoreMatrix;
  /** Coefficient to plan for. */
  readonly target?: number;
}): Generalizability {
  const M = matrix.models.length;
  const T = matrix.tasks.length;
  if (M < 2 || T < 2) {
    fail(
      'MODELS_TOO_FEW',
      null,
      `a matrix of ${counted(M, 'model')} x ${counted(T, 'task')}`,
      'A crossed decomposition needs at least two of each.',
    );
  }
  if (!(target > 0 && target < 1)) {
    fail('USAGE', null, `target ${target} is not between 0 and 1`);
  }
  const value = (m: number, t: number) => matrix.values[m * T + t]! / matrix.scale;
  const modelMeans = new Float64Array(M);
  const taskMeans = new Float64Array(T);
  let grand = 0;
  for (let m = 0; m < M; m += 1)
    for (let t = 0; t < T; t += 1) {
      const y = value(m, t);
      modelMeans[m]! += y / T;
      taskMeans[t]! += y / M;
      grand += y;
    }
  grand /= M * T;
  let total = 0;
  let interaction = 0;
  for (let m = 0; m < M; m += 1)
    for (let t = 0; t < T; t += 1) {
      const y = value(m, t);
      total += (y - grand) ** 2;
      interaction += (y - modelMeans[m]! - taskMeans[t]! + grand) ** 2;
    }
  const families = familyOrder(matrix.families);
  const panels = panelOrder(matrix.panels);
  const family = levels(matrix.families, families);
  const panel = levels(matrix.panels, panels);
  const cell = family.map((f, t) => f * panels.length + panel[t]!);
  const model = modelMeans.reduce((sum, mean) => sum + T * (mean - grand) ** 2, 0);
  const task = M * taskMeans.reduce((sum, mean) => sum + (mean - grand) ** 2, 0);
  const ssFamily = M * between(taskMeans, family, families.length, grand);
  const ssPanel = M * between(taskMeans, panel, panels.length, grand);
  const ssCell = M * between(taskMeans, cell, families.length * panels.length, grand);
  const sum_squares = {
    model,
    family: ssFamily,
    panel: ssPanel,
    family_by_panel: ssCell - ssFamily - ssPanel,
    task_within_family_panel: task - ssCell,
    model_by_task: interaction,
  };
  const { components, relative_g, tasks_for_target } = reliability({
    model,
    task,
    interaction,
    models: M,
    tasks: T,
    target,
  });
  return {
    models: M,
    tasks: T,
    grand_mean: grand,
    total,
    sum_squares,
    fractions: Object.fromEntries(
      Object.entries(sum_squares).map(([source, ss]) => [source, total === 0 ? 0 : ss / total]),
    ) as Record<Source, number>,
    components,
    relative_g,
    target,
    tasks_for_target,
  };
}

const LABEL: Readonly<Record<Source, string>> = {
  model: 'model',
  family: 'family',
  panel: 'panel',
  family_by_panel: 'family x panel',
  task_within_family_panel: 'task within stratum',
  model_by_task: 'model x task, residual',
};

/** Lists one row a source of variance, in the order of the published table. */
export function varianceRows(result: Generalizability) {
  return SOURCES.map((source) => ({
    source,
    label: LABEL[source],
    sum_of_squares: result.sum_squares[source],
    fraction: result.fractions[source],
  }));
}
