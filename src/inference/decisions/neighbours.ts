import { type ClusterDesign, pairIndex } from '../../engine/design.js';
import type { InferencePlan } from '../plan.js';
import { type Neighbours, PAIR_DECISIONS, type PairTable } from '../result.js';
import { clusterInfluence, differenceVariance, tasksNeeded } from '../tasks-needed.js';

/** Power that the number of further tasks is stated for. */
const POWER = 0.8;

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

/**
 * Lists the models next to one another in the order that are not told apart, and about how many more tasks would do it with power
 * .8 if the observed difference were the true one, at the level of a Bonferroni test among all pairs; never fewer than the least
 * number of differing clusters asks for. Null where no number would do: an observed difference of zero, or one cluster
 * (decisions 6).
 */
export function openNeighbours({ design, tasks, plan, order, table, needed }: NeighbourOptions): Neighbours[] {
  const models = order.length;
  const influence = design.clusters > 1 ? clusterInfluence(design) : null;
  const level = { alpha: plan.alpha, hypotheses: Math.max(1, plan.against === null ? table.p.length : models - 1) };
  const found: Neighbours[] = [];
  for (let k = 0; k + 1 < models; k += 1) {
    const higher = order[k]!;
    const lower = order[k + 1]!;
    const pair = higher < lower ? pairIndex(higher, lower, models) : pairIndex(lower, higher, models);
    const decision = PAIR_DECISIONS[table.decision[pair]!];
    if (decision === 'higher' || decision === 'lower') continue;
    const difference = Math.abs(table.difference[pair]!);
    let more: number | null = null;
    if (influence !== null && difference > 0) {
      const sigma = Math.sqrt(differenceVariance(influence, design, higher, lower) * tasks);
      const clusters = decision === 'untestable' ? (needed ?? 0) : 0;
      const least = Math.ceil((clusters * tasks) / design.clusters);
      const planned = tasksNeeded(difference, sigma, POWER, level);
      more = planned === null ? null : Math.max(1, Math.max(planned, least) - tasks);
    }
    found.push({ higher, lower, difference, moreTasks: more });
  }
  return found;
}
