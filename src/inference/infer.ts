import type { ScoreMatrix } from '../core/matrix.js';
import type { RosterEntry } from '../core/model-roster.js';
import type { Engine } from '../engine/engine.js';
import { MAX_ENUMERATED_CLUSTERS } from '../engine/request.js';
import { fail } from '../util/error.js';
import { clusterDesign } from './cluster-design.js';
import { groups, uniqueTop } from './groups.js';
import { pointOrder } from './model-ranks.js';
import { modelResults } from './models.js';
import { pairResults } from './pairs.js';
import type { InferenceParts } from './parts.js';
import { type InferencePlan, inferencePlan, planWarnings } from './plan.js';
import { panelReplication } from './replication.js';
import { resample } from './resample.js';
import type { Inference } from './result.js';
import { familyOrder, strataOf } from './strata.js';
import { exactTotals } from './totals.js';

export interface InferenceOptions {
  readonly matrix: ScoreMatrix;
  /** Names of the models, in matrix order; where none is known a model is called by its id. */
  readonly names?: readonly RosterEntry[];
  /** Choices to make otherwise than `DEFAULT_PLAN`. */
  readonly plan?: Partial<InferencePlan>;
  readonly engine: Engine;
  readonly signal?: AbortSignal;
}

/** Past it the records of all pairs no longer fit one document. */
const MOST_MODELS = 1024;

/**
 * Runs the whole inference of a leaderboard (statistics 5 to 12): scores, errors, pointwise and simultaneous intervals, chance
 * comparison, pair tests, Holm, max-T, rank intervals, groups, unique top, panel replication. Nothing in it is ever NaN:
 * data that do not vary give intervals of one point and p = 1.
 *
 * Errors: USAGE (plan), CLUSTER_MISSING, CELL_NOT_INTEGER, STRATUM_EMPTY, BOUND_EXCEEDED.
 */
export async function runInference(options: InferenceOptions): Promise<Inference> {
  const { matrix, engine, signal } = options;
  const plan = inferencePlan(options.plan);
  const models = matrix.models.length;
  if (models > MOST_MODELS)
    fail(
      'BOUND_EXCEEDED',
      null,
      `${models} models make ${(models * (models - 1)) / 2} pairs; at most ${MOST_MODELS} models are compared`,
      'Name the models to rank with a roster.',
    );
  const strata = strataOf(matrix, plan.strata);
  const design = clusterDesign(matrix, strata);
  const exact = exactTotals(design);
  const stop = signal ? { signal } : {};
  const drawn = await resample({ design, plan, engine, ...stop });
  const few = 2 ** design.clusters <= plan.flips && design.clusters <= MAX_ENUMERATED_CLUSTERS;
  const parts: InferenceParts = {
    matrix,
    plan,
    design,
    strata,
    exact,
    enumerated: few ? await engine.exactFlips(design, stop) : null,
    drawn,
  };
  const pairs = pairResults(parts);
  const order = pointOrder(exact, design.ranked);
  const significant = pairs.map((pair) => pair.significant);
  return {
    plan,
    streams: drawn.streams,
    tasks: matrix.tasks.length,
    tasksPerFamily: tally(matrix.families),
    strata: strata.labels.map((label, s) => ({ label, tasks: strata.sizes[s]! })),
    clusters: design.clusters,
    models: modelResults(parts, order, groups({ order, significant }), options.names),
    pairs,
    replication: panelReplication(matrix),
    bandCritical: drawn.scores.bandCritical!,
    redraws: drawn.redraws,
    weights: drawn.weights,
    warnings: [
      ...planWarnings({ plan, models, pairs: pairs.length, chance: matrix.chance !== undefined }),
      ...drawn.warnings,
    ],
    resolvedPairs: significant.filter(Boolean).length,
    top: uniqueTop({ order, significant }) ?? null,
  };
}

function tally(families: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    familyOrder(families).map((family) => [family, families.reduce((n, other) => n + (other === family ? 1 : 0), 0)]),
  );
}
