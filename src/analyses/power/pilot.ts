import type { ScoreMatrix } from '../../core/matrix.js';
import { pairCount } from '../../engine/design.js';
import { clusterDesign } from '../../inference/cluster-design.js';
import { clustersNeeded } from '../../inference/decisions/multiplicity.js';
import { loneStrata } from '../../inference/intervals/lone-strata.js';
import type { Multiplicity } from '../../inference/plan.js';
import { type StrataMode, strataOf } from '../../inference/strata.js';
import {
  clusterInfluence,
  criticalZ,
  detectableDifference,
  differenceVariance,
  type TestLevel,
  tasksNeeded,
} from '../../inference/tasks-needed.js';
import { exactTotals, meanDifference } from '../../inference/totals.js';
import { fail, shown } from '../../util/error.js';
import { normalCdf } from '../../util/normal.js';

/** Smallest tail whose quantile is computed: below it the density has no normal double. */
const SMALLEST_TAIL = 1e-300;

/** Computes the power at n tasks for a true difference and a standard deviation of one task, points (statistics 14.2). */
export function powerAt(difference: number, sigma: number, tasks: number, level: TestLevel): number {
  if (sigma === 0) return difference === 0 ? 0 : 1;
  return normalCdf((Math.abs(difference) * Math.sqrt(tasks)) / sigma - criticalZ(level));
}

export interface PowerOptions {
  /** Pilot data. */
  readonly matrix: ScoreMatrix;
  readonly strata: StrataMode;
  readonly alpha: number;
  /** Power to plan for, 0.8 for instance. */
  readonly target: number;
  /** Difference to resolve, points. */
  readonly difference: number;
  /** Tests in the family; all pairs of models unless given. */
  readonly hypotheses?: number;
  /** Under `max-t` one test alone has to be possible, under `holm` (the default) all together. */
  readonly multiplicity?: Multiplicity;
}

interface PairPower {
  readonly left: string;
  readonly right: string;
  /** Observed in the pilot, points. */
  readonly observed: number;
  /** Standard deviation of one task's contribution to the difference, points. */
  readonly sigma: number;
  readonly tasks_needed: number | null;
  /** Null where the pilot has too few clusters for any difference. */
  readonly detectable_now: number | null;
}

export interface PowerResult {
  readonly tasks_now: number;
  /** Absent in documents of version 1, as the two after it. */
  readonly clusters_now?: number;
  /** Least clusters at which a sign-flip test can reject at all, and the tasks that they hold at the pilot's tasks a cluster (decisions 2.3). */
  readonly least_clusters?: number;
  readonly least_tasks?: number;
  /** Strata of the pilot in which one cluster stands for all (decisions 2.5); absent in documents of version 1. */
  readonly lone_strata?: readonly string[];
  readonly hypotheses: number;
  readonly pairs: readonly PairPower[];
  /** Of the pairs: smallest, median and largest sigma, and what follows from them. */
  readonly spread: readonly {
    readonly at: 'smallest' | 'median' | 'largest';
    readonly sigma: number;
    readonly tasks_needed: number | null;
    readonly detectable_now: number | null;
  }[];
  /** Expected share of pairs resolved at a number of tasks, were the shrunken pilot differences true. */
  readonly curve: readonly { readonly tasks: number; readonly share: number }[];
  /** Fewest tasks for a share of all pairs; null where a million times the pilot would not do. */
  readonly shares: readonly { readonly share: number; readonly tasks: number | null }[];
}

const SHARES = [0.25, 0.5, 0.75, 0.9];
const FARTHEST = 1e6;

/**
 * Computes the tasks needed to resolve a difference, from pilot data: for each pair, and for a share of all pairs. A pair's variance is
 * that of the ratio estimator over clusters. Pilot differences are shrunk by their own error before they stand for true ones,
 * since the largest observed differences are the luckiest. No plan has fewer clusters than a test needs that can reject at all (decisions
 * 2.3). Errors: USAGE, and those of `clusterDesign`.
 */
export function powerAnalysis(options: PowerOptions): PowerResult {
  const { matrix, alpha, target, difference } = options;
  if (!(target > 0 && target < 1) || !(alpha > 0 && alpha < 1) || !(difference > 0))
    fail(
      'USAGE',
      null,
      `power ${shown(target)}, alpha ${shown(alpha)}, difference ${shown(difference)}`,
      'Power and alpha lie between 0 and 1; the difference is above 0.',
    );
  const models = matrix.models.length;
  if (models < 2)
    fail('USAGE', null, 'one model: there is no pair to plan for', 'Give pilot scores of at least two models.');
  const tasks = matrix.tasks.length;
  const { chance: _, ...ranked } = matrix;
  const strata = strataOf(matrix, options.strata);
  const design = clusterDesign(ranked, strata);
  if (design.clusters < 2)
    fail(
      'USAGE',
      null,
      'one cluster: how much clusters vary cannot be seen',
      'Give pilot scores over at least two clusters.',
    );
  assertInRange(difference, matrix);
  const exact = exactTotals(design);
  const hypotheses = options.hypotheses ?? pairCount(models);
  const level = { alpha, hypotheses };
  if (!(alpha / (2 * hypotheses) >= SMALLEST_TAIL))
    fail(
      'USAGE',
      null,
      `alpha ${shown(alpha)} over ${hypotheses} hypotheses: a tail below ${SMALLEST_TAIL}`,
      'Give a larger --alpha or fewer --hypotheses.',
    );
  const leastClusters = clustersNeeded(options.multiplicity === 'max-t' ? 1 : hypotheses, alpha);
  const leastTasks = Math.ceil((leastClusters * tasks) / design.clusters);
  const plan = (sigma: number) => {
    const planned = tasksNeeded(difference, sigma, target, level);
    return {
      sigma,
      tasks_needed: planned && Math.max(planned, leastTasks),
      detectable_now: design.clusters < leastClusters ? null : detectableDifference(sigma, tasks, target, level),
    };
  };
  const influence = clusterInfluence(design);
  const pairs: PairPower[] = [];
  for (let i = 0; i < models; i += 1)
    for (let j = i + 1; j < models; j += 1) {
      const sigma = Math.sqrt(differenceVariance(influence, design, i, j) * tasks);
      pairs.push({
        left: matrix.models[i]!,
        right: matrix.models[j]!,
        observed: meanDifference(exact, i, j),
        ...plan(sigma),
      });
    }
  const sigmas = pairs.map(({ sigma }) => sigma).sort((a, b) => a - b);
  const at = (name: 'smallest' | 'median' | 'largest', sigma: number) => ({ at: name, ...plan(sigma) });
  const ofPlan = shareCurve(pairs, tasks, level);
  const share = (n: number) => (n < leastTasks ? 0 : ofPlan(n));
  return {
    tasks_now: tasks,
    clusters_now: design.clusters,
    least_clusters: leastClusters,
    least_tasks: leastTasks,
    lone_strata: loneStrata(design).map((s) => strata.labels[s]!),
    hypotheses,
    pairs,
    spread: [
      at('smallest', sigmas[0]!),
      at('median', sigmas[(sigmas.length - 1) >> 1]!),
      at('largest', sigmas.at(-1)!),
    ],
    curve: grid(tasks).map((n) => ({ tasks: n, share: share(n) })),
    shares: SHARES.map((wanted) => ({ share: wanted, tasks: fewest(share, wanted, tasks) })),
  };
}

/** No two scores lie further apart than the values they are means of. Errors: USAGE. */
function assertInRange(difference: number, { values, scale }: ScoreMatrix): void {
  const low = values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  const high = values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  if (difference * scale <= high - low) return;
  fail(
    'USAGE',
    null,
    `a difference of ${difference} points; the pilot's values lie between ${low / scale} and ${high / scale}`,
    '--difference is in points (value / scale). Give a smaller one, or the right --scale.',
  );
}

/** Chooses a difference that suits any scale: three hundredths of the range of the values, to one digit. Errors: USAGE where all are equal. */
export function usualDifference({ values, scale }: ScoreMatrix): number {
  const low = values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  const high = values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  if (high === low)
    fail('USAGE', null, 'all values are equal, so nothing says which difference is meant', 'Give --difference.');
  return Number(((3 * (high - low)) / (100 * scale)).toPrecision(1));
}

/** Expected share of pairs resolved as a function of the number of tasks. */
function shareCurve(pairs: readonly PairPower[], pilot: number, level: TestLevel): (tasks: number) => number {
  const z = criticalZ(level);
  const ratios = pairs.map(({ observed, sigma }) => {
    if (sigma === 0) return observed === 0 ? 0 : Number.POSITIVE_INFINITY;
    return Math.sqrt(Math.max(0, observed ** 2 - sigma ** 2 / pilot)) / sigma;
  });
  const resolved = (ratio: number, tasks: number) => {
    if (ratio === 0) return 0;
    return ratio === Number.POSITIVE_INFINITY ? 1 : normalCdf(ratio * Math.sqrt(tasks) - z);
  };
  return (tasks) => ratios.reduce((sum, ratio) => sum + resolved(ratio, tasks), 0) / ratios.length;
}

/** Fewest tasks for a share, by doubling and halving. */
function fewest(share: (tasks: number) => number, wanted: number, pilot: number): number | null {
  const limit = pilot * FARTHEST;
  let high = 1;
  while (share(high) < wanted) {
    if (high >= limit) return null;
    high *= 2;
  }
  let low = high >> 1;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (share(middle) < wanted) low = middle;
    else high = middle;
  }
  return high;
}

/** Task counts from a tenth to thirty times the pilot, evenly spaced on a logarithmic axis. */
function grid(pilot: number): number[] {
  const points = Array.from({ length: 61 }, (_, k) => Math.max(1, Math.round((pilot / 10) * 300 ** (k / 60))));
  return [...new Set([...points, pilot])].sort((a, b) => a - b);
}
