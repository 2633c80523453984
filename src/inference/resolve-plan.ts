import type { ScoreMatrix } from '../core/matrix.js';
import { type ClusterDesign, pairCount } from '../engine/design.js';
import { countMultisets } from '../engine/multisets.js';
import { clusterNumbers } from './decisions/effective-clusters.js';
import { chooseMultiplicity } from './decisions/multiplicity.js';
import { rankSetSource } from './decisions/rank-sets.js';
import { chooseInterval, intervalSituation } from './intervals/interval-choice.js';
import { FROZEN_CHOICES, type InferencePlan, isFrozen, type OpenPlan } from './plan.js';

/**
 * What is taken where a call leaves a choice open. `leaderboard`: plain flips, Holm and percentile intervals, as published. `table`: what
 * fits a table of any origin, of `rank-audit` and whatever else reads one (decisions 2.6).
 */
export type Defaults = 'leaderboard' | 'table';

export interface ResolveOptions {
  readonly plan: OpenPlan;
  readonly defaults: Defaults;
  readonly matrix: ScoreMatrix;
  readonly design: ClusterDesign;
  /** 2 / 2^c of every pair of models. */
  readonly floors: ArrayLike<number>;
}

/**
 * Makes the choices that a plan leaves open, from the design and never from a score: what was asked for stays (decisions 1.4, 2.2, 3.1).
 * A plan of version 1 is complete.
 */
export function resolvePlan({ plan, defaults, matrix, design, floors }: ResolveOptions): InferencePlan {
  if (isFrozen(plan)) return { ...plan, ...FROZEN_CHOICES };
  const { alpha, flips, against = null, margin = null, missing = 'withhold' } = plan;
  const { clusters, effective } = clusterNumbers(design);
  const table = defaults === 'table';
  const tests = against === null || against === 'best' ? pairCount(design.ranked) : design.ranked - 1;
  const { multiplicity, reason } = chooseMultiplicity({
    asked: plan.multiplicity ?? (missing === 'bounds' ? 'holm' : undefined),
    usual: table && against === null ? 'max-t' : 'holm',
    tests,
    clusters,
    flips,
    alpha,
  });
  const noSets = (against !== null && against !== 'best') || missing === 'bounds';
  return {
    ...plan,
    order: plan.order ?? 'model-id',
    ranks: plan.ranks ?? 'shared',
    bootstrap: plan.bootstrap ?? (countMultisets(design, plan.scheme) <= plan.draws ? 'enumerated' : 'drawn'),
    test: plan.test ?? (table && design.strata > 1 && missing !== 'bounds' ? 'centred' : 'sign-flip'),
    exact: plan.exact ?? 'decides',
    multiplicity,
    multiplicity_reason: plan.multiplicity_reason ?? reason,
    against,
    ...intervalOf(plan, table, matrix, design),
    rank_sets: plan.rank_sets ?? (noSets ? 'none' : rankSetSource({ effectiveClusters: effective, floors, alpha })),
    margin,
    missing,
  };
}

/** The interval that was asked for, or the default of the kind of table (decisions 2.4). */
function intervalOf(
  plan: OpenPlan,
  table: boolean,
  { values }: ScoreMatrix,
  design: ClusterDesign,
): Pick<InferencePlan, 'interval' | 'interval_reason'> {
  const { interval, interval_reason: stated } = plan;
  if (interval !== undefined) return { interval, interval_reason: stated ?? 'asked for' };
  if (!table) return { interval: 'percentile', interval_reason: stated ?? 'default' };
  const chosen = chooseInterval(intervalSituation({ values, design }));
  return { interval: chosen.interval, interval_reason: chosen.reason };
}
