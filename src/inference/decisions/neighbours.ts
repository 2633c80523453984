import { type ClusterDesign, pairIndex } from '../../engine/design.js';
import type { InferencePlan } from '../plan.js';
import type { Neighbours, PairResult } from '../result.js';
import { clusterInfluence, differenceVariance, tasksNeeded } from '../tasks-needed.js';

/** Power that the number of further tasks is stated for. */
const POWER = 0.8;

export interface NeighbourOptions {
  readonly design: ClusterDesign;
  readonly tasks: number;
  readonly plan: Pick<InferencePlan, 'alpha' | 'against'>;
  /** Models best first. */
  readonly order: Int32Array;
  readonly pairs: readonly PairResult[];
}

/**
 * Lists the models next to one another in the order that are not told apart, and about how many more tasks would do it with power
 * .8 if the observed difference were the true one, at the level of a Bonferroni test among all pairs; never fewer than the least
 * number of differing clusters asks for. Null where no number would do: an observed difference of zero, or one cluster
 * (decisions 6).
 */
export function openNeighbours({ design, tasks, plan, order, pairs }: NeighbourOptions): Neighbours[] {
  const models = order.length;
  const influence = design.clusters > 1 ? clusterInfluence(design) : null;
  const level = { alpha: plan.alpha, hypotheses: Math.max(1, plan.against === null ? pairs.length : models - 1) };
  const found: Neighbours[] = [];
  for (let k = 0; k + 1 < models; k += 1) {
    const higher = order[k]!;
    const lower = order[k + 1]!;
    const pair = pairs[higher < lower ? pairIndex(higher, lower, models) : pairIndex(lower, higher, models)]!;
    if (pair.significant) continue;
    const difference = Math.abs(pair.meanDifference);
    let needed: number | null = null;
    if (influence !== null && difference > 0) {
      const sigma = Math.sqrt(differenceVariance(influence, design, higher, lower) * tasks);
      const clusters = pair.verdict?.clustersNeeded ?? 0;
      const least = Math.ceil((clusters * tasks) / design.clusters);
      const planned = tasksNeeded(difference, sigma, POWER, level);
      needed = planned === null ? null : Math.max(1, Math.max(planned, least) - tasks);
    }
    found.push({ higher, lower, difference, moreTasks: needed });
  }
  return found;
}
