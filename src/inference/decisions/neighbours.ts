import { exactWeights } from '../../engine/bounds.js';
import { type ClusterDesign, pairIndex } from '../../engine/design.js';
import type { InferencePlan } from '../plan.js';
import { type Neighbours, PAIR_DECISIONS, type PairDecision, type PairTable } from '../result.js';
import {
  clusterInfluence,
  detectableDifference,
  differenceVariance,
  type TestLevel,
  tasksNeeded,
} from '../tasks-needed.js';

/** Power that the number of further tasks is stated for. */
const POWER = 0.8;
/** Clusters below which a normal error says little of what a design finds. */
const LEAST_CLUSTERS = 10;

export interface NeighbourOptions {
  readonly design: ClusterDesign;
  readonly tasks: number;
  readonly plan: Pick<InferencePlan, 'alpha' | 'against'>;
  /** Models best first. */
  readonly order: Int32Array;
  readonly table: PairTable;
  /** Differing clusters that an untestable pair would take; null where there are none. */
  readonly needed: number | null;
}

/** A pair of models, and what was decided of it. */
export interface DecidedPair {
  readonly higher: number;
  readonly lower: number;
  /** Points, not negative. */
  readonly difference: number;
  readonly decision: PairDecision;
}

/** What the number of further tasks is worked out from. */
export interface PlannedDesign extends Pick<NeighbourOptions, 'design' | 'tasks' | 'needed'> {
  readonly level: TestLevel;
  /** Of `clusterInfluence`; null with one cluster. */
  readonly influence: Float64Array | null;
}

/** Prepares what `moreTasksFor` needs of a design: the level of a Bonferroni test among all pairs that are compared. */
export function plannedDesign({
  plan,
  models,
  ...given
}: Pick<NeighbourOptions, 'design' | 'tasks' | 'needed' | 'plan'> & { readonly models: number }): PlannedDesign {
  const tests = plan.against === null || plan.against === 'best' ? (models * (models - 1)) / 2 : models - 1;
  return {
    ...given,
    level: { alpha: plan.alpha, hypotheses: Math.max(1, tests) },
    influence: given.design.clusters > 1 ? clusterInfluence(given.design) : null,
  };
}

/** Counts the clusters in which the weighted totals of two rows differ (decisions 2.2). */
function differingClusters(design: ClusterDesign, i: number, j: number): number {
  const { rows, clusters, strata, partCluster, partStratum, partTasks, partTotals } = design;
  const sizes = new Array<number>(strata).fill(0);
  partStratum.forEach((s, p) => {
    sizes[s]! += partTasks[p]!;
  });
  const weights = exactWeights(sizes.map((size) => BigInt(size)));
  const totals = new Array<bigint>(clusters).fill(0n);
  partCluster.forEach((c, p) => {
    const difference = partTotals[p * rows + i]! - partTotals[p * rows + j]!;
    totals[c]! += weights[partStratum[p]!]! * BigInt(difference);
  });
  return totals.filter((total) => total !== 0n).length;
}

/**
 * Finds about how many more tasks would tell two models apart with power .8 if the observed difference were the true one; never fewer
 * than the least number of differing clusters asks for, the share of those that differ staying as it is. Null where no number would do: an observed difference of zero, or one cluster
 * (decisions 6).
 */
export function moreTasksFor(
  { design, tasks, needed, level, influence }: PlannedDesign,
  { higher, lower, difference, decision }: DecidedPair,
): number | null {
  if (influence === null || difference === 0) return null;
  const sigma = Math.sqrt(differenceVariance(influence, design, higher, lower) * tasks);
  // As large a part of further clusters will differ as of those at hand.
  const differing = decision === 'untestable' ? differingClusters(design, higher, lower) : 0;
  const least = differing === 0 ? 0 : Math.ceil(((needed ?? 0) * tasks) / differing);
  const planned = tasksNeeded(difference, sigma, POWER, level);
  return planned === null ? null : Math.max(1, Math.max(planned, least) - tasks);
}

/**
 * Finds the true difference that a design of so many tasks finds with power .8: of the neighbour whose error is the median one. Null where
 * fewer than ten clusters make it a guess, or no score varies.
 */
export function visibleDifference(planned: PlannedDesign, order: ArrayLike<number>): number | null {
  const { design, tasks, influence, level } = planned;
  if (influence === null || design.clusters < LEAST_CLUSTERS || order.length < 2) return null;
  const sigmas = Array.from({ length: order.length - 1 }, (_, k) =>
    Math.sqrt(differenceVariance(influence, design, order[k]!, order[k + 1]!) * tasks),
  ).sort((a, b) => a - b);
  const sigma = sigmas[(sigmas.length - 1) >> 1]!;
  return sigma === 0 ? null : detectableDifference(sigma, tasks, POWER, level);
}

/** Lists the models next to one another in the order that are not told apart, and about how many more tasks would do it. */
export function openNeighbours({ plan, order, table, ...given }: NeighbourOptions): Neighbours[] {
  const models = order.length;
  const planned = plannedDesign({ ...given, plan, models });
  const found: Neighbours[] = [];
  for (let k = 0; k + 1 < models; k += 1) {
    const higher = order[k]!;
    const lower = order[k + 1]!;
    const pair = higher < lower ? pairIndex(higher, lower, models) : pairIndex(lower, higher, models);
    const decision = PAIR_DECISIONS[table.decision[pair]!]!;
    if (decision === 'higher' || decision === 'lower') continue;
    const difference = Math.abs(table.difference[pair]!);
    const moreTasks = moreTasksFor(planned, { higher, lower, difference, decision });
    found.push({ higher, lower, difference, moreTasks });
  }
  return found;
}
