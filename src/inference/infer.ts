import type { BoundedMatrix } from '../core/gaps.js';
import type { ScoreMatrix } from '../core/matrix.js';
import type { RosterEntry } from '../core/model-roster.js';
import type { ClusterDesign } from '../engine/design.js';
import type { Engine } from '../engine/engine.js';
import { MAX_ENUMERATED_CLUSTERS } from '../engine/request.js';
import { fail, shown } from '../util/error.js';
import { thousands } from '../util/format.js';
import { nearestOrAll } from '../util/spelling.js';
import { clusterDesign } from './cluster-design.js';
import { boundedInference } from './decisions/bounded-pairs.js';
import { comparedPairs, type DecidedPairs, decidePairs } from './decisions/decided-pairs.js';
import { clusterNumbers } from './decisions/effective-clusters.js';
import { equalWithin } from './decisions/equal-within.js';
import { openNeighbours } from './decisions/neighbours.js';
import { otherTestWords } from './decisions/other-test.js';
import { pairSummary, pairTable } from './decisions/pair-table.js';
import { pairTests } from './decisions/pair-tests.js';
import { groups, uniqueTop } from './groups.js';
import { inferenceWarnings } from './inference-warnings.js';
import { formIntervals } from './intervals/intervals.js';
import { pointOrder } from './model-ranks.js';
import { modelResults } from './models.js';
import { pairResults } from './pairs.js';
import type { InferenceParts } from './parts.js';
import { type InferencePlan, inferencePlan, isFrozen, type OpenPlan } from './plan.js';
import { panelReplication } from './replication.js';
import { emptiedShare, resample } from './resample.js';
import { type Defaults, resolvePlan } from './resolve-plan.js';
import type { Inference } from './result.js';
import { inGivenOrder, orderedMatrix, rowsByModelId } from './row-order.js';
import { familyOrder, plannedStrata, stratumShares } from './strata.js';
import { exactTotals } from './totals.js';

export interface InferenceOptions {
  readonly matrix: ScoreMatrix;
  /** Names of the models, in matrix order; where none is known a model is called by its id. */
  readonly names?: readonly RosterEntry[];
  /** The matrix with its missing cells at the least and at the greatest value; with `missing` bounds (decisions 4.2). */
  readonly bounds?: Pick<BoundedMatrix, 'low' | 'high'>;
  /** Choices to make otherwise than `DEFAULT_PLAN`; what stays open is chosen by the design (`resolvePlan`). */
  readonly plan?: Partial<InferencePlan>;
  /** What is taken where the plan leaves a choice open; `leaderboard` unless given. */
  readonly defaults?: Defaults;
  /** Leave records and intervals of pairs out, which cost most where models are many; the columns of `pairTable` stay. */
  readonly withoutPairs?: boolean;
  /** Warn where the other of the two tests decides otherwise, which takes flips of its own (decisions 3.2). */
  readonly otherTest?: boolean;
  readonly engine: Engine;
  readonly signal?: AbortSignal;
}

/** Past it the records of all pairs no longer fit one document. */
const MOST_MODELS = 1024;

/**
 * Runs the whole inference of a leaderboard (statistics 5 to 12, decisions): scores, errors, pointwise and simultaneous intervals,
 * chance comparison, pair tests and decisions, ranks, rank sets, letters, groups, unique top, panel replication. No digit depends on
 * the order of the rows. Nothing in it is ever NaN: data that do not vary give intervals of one point and p = 1.
 *
 * Errors: USAGE (plan), FAMILY_UNKNOWN, CLUSTER_MISSING, CELL_NOT_INTEGER, STRATUM_EMPTY, BOUND_EXCEEDED.
 */
export async function runInference(options: InferenceOptions): Promise<Inference> {
  const { matrix, names } = options;
  const plan = inferencePlan({ ...options.plan, ...(options.bounds ? { missing: 'bounds' } : {}) });
  const models = matrix.models.length;
  if (models > MOST_MODELS)
    fail(
      'BOUND_EXCEEDED',
      null,
      `${thousands(models)} models make ${thousands((models * (models - 1)) / 2)} pairs; at most ${thousands(MOST_MODELS)} models are compared`,
      'Name those to compare: --models A,B or a file with one id a line.',
    );
  const against = plan.against ?? null;
  if (against !== null && against !== 'best' && !matrix.models.includes(against))
    fail(
      'USAGE',
      null,
      `there is no model ${shown(against)} to compare with`,
      `${nearestOrAll(against, matrix.models)} best compares with the leader.`,
    );
  if (plan.order === 'rows') return inferenceOf(options, plan);
  const rows = rowsByModelId(matrix.models);
  const { bounds } = options;
  const ordered = {
    ...options,
    matrix: orderedMatrix(bounds ? middleOf(bounds) : matrix, rows),
    bounds: bounds && { low: orderedMatrix(bounds.low, rows), high: orderedMatrix(bounds.high, rows) },
    names: names && Array.from(rows, (row) => names[row]!),
  };
  return inGivenOrder(await inferenceOf(ordered, plan), rows);
}

/** Runs the inference of a matrix whose rows stand in the order of the plan. */
async function inferenceOf(options: InferenceOptions, open: OpenPlan): Promise<Inference> {
  const { matrix, names, defaults = 'leaderboard', withoutPairs = false, otherTest = false, engine, signal } = options;
  const strata = plannedStrata(matrix, open);
  const design = clusterDesign(matrix, strata);
  const exact = exactTotals(design);
  const numbers = clusterNumbers(design);
  const tests = isFrozen(open) ? null : pairTests(design, open);
  const plan = resolvePlan({ plan: open, defaults, matrix, design, floors: tests?.floors ?? [] });
  const compared = tests ? comparedPairs(matrix.models, plan.against) : new Int32Array(0);
  const drawn = await resample({
    ...{ design, plan, engine, signal },
    ...(tests && { compared, constant: tests.constant }),
    exactWeights: tests?.exactWeights,
    withoutPairs: withoutPairs && tests !== null,
  });
  const few = 2 ** design.clusters <= plan.flips && design.clusters <= MAX_ENUMERATED_CLUSTERS;
  const order = pointOrder(exact, design.ranked);
  const bounded =
    options.bounds &&
    (await boundedInference({
      ...{ plan, order, engine, signal },
      designs: { low: designOf(options.bounds.low, plan), high: designOf(options.bounds.high, plan) },
    }));
  const parts: InferenceParts = {
    matrix,
    plan,
    design,
    strata,
    exact,
    enumerated: tests === null && few ? await engine.exactFlips(design, { signal }) : null,
    drawn,
    bounded: bounded ?? null,
    decided: bounded
      ? bounded.decided
      : tests && decidePairs({ plan, models: matrix.models, compared, design, exact, tests, drawn, order }),
    intervals: await formIntervals({ plan, matrix, design, exact, drawn, withoutPairs, engine, signal }),
    equal: await equalWithin({ plan, design, engine, signal }),
  };
  const { decided } = parts;
  const otherwise =
    otherTest && decided && !bounded
      ? await otherTestWords({ plan, models: matrix.models, design, decided, engine, signal })
      : null;
  const pairs = withoutPairs && decided ? [] : pairResults(parts);
  const significant = decided ? significantIn(decided) : Uint8Array.from(pairs, (pair) => Number(pair.significant));
  const table = decided && pairTable(decided, exact, tests!.pairs);
  const summary = table && pairSummary(decided!, table);
  const models = modelResults(parts, order, groups({ order, significant }), names);
  return {
    plan,
    streams: drawn.streams,
    tasks: matrix.tasks.length,
    tasksPerFamily: tally(matrix.families),
    strata: strata.labels.map((label, s) => ({
      ...{ label, tasks: strata.sizes[s]!, clusters: numbers.byStratum[s]! },
      ...(strata.weights === undefined ? {} : { weight: stratumShares(strata)[s]! }),
    })),
    clusters: design.clusters,
    effectiveClusters: tests && numbers.effective,
    models,
    pairs,
    replication: panelReplication(matrix, open.family_weights),
    bandCritical: drawn.scores.bandCritical!,
    pairTable: table,
    pairSummary: summary,
    neighbours: table
      ? openNeighbours({ design, tasks: matrix.tasks.length, plan, order, table, needed: summary!.clustersNeeded })
      : [],
    redraws: drawn.redraws,
    emptied: emptiedShare(drawn, plan),
    weights: drawn.weights,
    warnings: [
      ...inferenceWarnings({ ...parts, pairs: (design.ranked * (design.ranked - 1)) / 2, summary }),
      ...(otherwise === null ? [] : [otherwise]),
      ...drawn.warnings,
      ...parts.intervals.warnings,
    ],
    resolvedPairs: significant.reduce((n, apart) => n + apart, 0),
    top: uniqueTop({ order, significant }) ?? null,
  };
}

/** By pair: whether it is told apart. */
function significantIn({ place, tests }: DecidedPairs): Uint8Array {
  if (tests.rejected.length === place.length) return tests.rejected;
  const out = new Uint8Array(place.length);
  for (let pair = 0; pair < out.length; pair += 1) if (place[pair]! >= 0) out[pair] = tests.rejected[place[pair]!]!;
  return out;
}

/** The matrix half-way between two, in units half as large. */
function middleOf({ low, high }: Pick<BoundedMatrix, 'low' | 'high'>): ScoreMatrix {
  return {
    ...low,
    values: low.values.map((value, at) => value + high.values[at]!),
    scale: 2 * low.scale,
    ...(low.chance ? { chance: low.chance.map((value) => 2 * value) } : {}),
  };
}

function designOf(matrix: ScoreMatrix, plan: InferencePlan): ClusterDesign {
  return clusterDesign(matrix, plannedStrata(matrix, plan));
}

function tally(families: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    familyOrder(families).map((family) => [family, families.reduce((n, other) => n + (other === family ? 1 : 0), 0)]),
  );
}
