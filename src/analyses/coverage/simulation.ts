import type { ScoreMatrix } from '../../core/matrix.js';
import { type ClusterDesign, pairCount } from '../../engine/design.js';
import type { Engine, OnProgress } from '../../engine/engine.js';
import type { OnForecast } from '../../engine/forecast-engine.js';
import { layoutOf, pointValues } from '../../engine/layout.js';
import { clusterDesign } from '../../inference/cluster-design.js';
import { chooseMultiplicity, flipsNeeded, floorP } from '../../inference/decisions/multiplicity.js';
import { runInference } from '../../inference/infer.js';
import { outcomesOf } from '../../inference/intervals/binomial-interval.js';
import { constantRows } from '../../inference/intervals/constant.js';
import { narrowReasons } from '../../inference/intervals/lone-strata.js';
import { holm, pValue } from '../../inference/p-values.js';
import type { InferencePlan, Multiplicity } from '../../inference/plan.js';
import type { Inference, Interval } from '../../inference/result.js';
import { strataOf } from '../../inference/strata.js';
import { direction, type ExactTotals, exactTotals } from '../../inference/totals.js';
import { added, joined, type Piece, type RangedWork, type Shares } from '../../shares/ranged-work.js';
import { fail, shown } from '../../util/error.js';
import { counted, general } from '../../util/format.js';
import { clusterFrame, sampleClusters } from '../cluster-sample.js';
import { matrixWorkKey, piecesOf } from '../shared-work.js';
import { forecastDatasets } from '../simulated-work.js';
import { dependentRate, type ErrorRates, rateOf } from './rates.js';
import { equalWorld, exchangedModels, sampledMatrix, tasksByCluster } from './worlds.js';

/** Choices of the inference that is checked; what is left open is chosen as `infer` does. */
export type CheckedPlan = Pick<InferencePlan, 'strata' | 'scheme' | 'alpha' | 'draws' | 'flips' | 'seed'> &
  Partial<Pick<InferencePlan, 'test' | 'multiplicity' | 'interval'>>;

export interface CoverageSimulation {
  readonly matrix: ScoreMatrix;
  readonly engine: Engine;
  readonly plan: CheckedPlan;
  /** Simulated data sets. */
  readonly datasets: number;
  readonly shares?: Shares | undefined;
  readonly signal?: AbortSignal;
  readonly onProgress?: OnProgress;
  readonly onForecast?: OnForecast;
}

export interface CoverageResults extends ErrorRates {
  readonly models: readonly { readonly model: string; readonly missed: number }[];
  readonly datasets: number;
  /** Why the rates cannot speak for this design (decisions 2.5, 5.6); absent in documents of version 1. */
  readonly unseen?: readonly string[];
}

/** Stream of the simulated data sets. */
export const COVERAGE_STREAM = 10;
/** Ends of intervals that lie this close, relative to the score, are equal but for rounding. */
const ROUNDING = 1e-9;

/**
 * Simulates whether intervals and rank sets cover and tests hold their level on data like these (decisions 5.6). Data sets are samples of
 * the clusters, each inferred as `infer` does under the seed XOR (number of the data set + 1) x 2^32, twice: from the table as it is, in which the truth is what
 * the table says, for intervals and rank sets; and from a world of equal models, for tests: every model is moved, stratum by stratum, to the mean
 * of all, or, for data of 0 and 1, their values change places in each cluster. What should err at rate alpha is counted. Errors: USAGE, and those of `runInference`.
 */
export async function simulateCoverage(options: CoverageSimulation): Promise<CoverageResults> {
  const { engine, plan, datasets, signal } = options;
  const { chance: _, ...matrix } = options.matrix;
  const { alpha, seed } = plan;
  const models = matrix.models.length;
  const pairs = pairCount(models);
  const strata = strataOf(matrix, plan.strata);
  const design = clusterDesign(matrix, strata);
  // Each data set is inferred twice.
  const { draws, flips } = plan;
  forecastDatasets({ datasets, design, flips: 2 * flips, draws: 2 * draws, onForecast: options.onForecast });
  const holmCan = assertEnoughFlips(plan, pairs, design.clusters);
  const exchanged = outcomesOf(matrix.values, matrix.scale) !== null;
  const moved = exchanged ? matrix : equalWorld(matrix, strata);
  const truth = truthOf(exactTotals(design), pointValues(design, layoutOf(design)));
  const frame = clusterFrame(design);
  const tasks = tasksByCluster(matrix);
  const work: RangedWork = {
    what: 'data sets',
    units: datasets,
    key: () => matrixWorkKey({ what: 'coverage', ...plan, seed: seed.toString(), datasets }, matrix),
    lengths: (_, count) => ({ missed: models, wrong: Object.keys(NO_WRONGS).length, emptied: count }),
    most: (count) => ({ missed: count, wrong: count * (models + pairs) }),
    range: (first, count) => rangeOfDatasets(first, count),
  };
  const pieces = await piecesOf(options.shares, work);
  const missed = added(pieces, 'missed');
  const wrong = wrongsOf(added(pieces, 'wrong'));
  // One by one, as they came, for the order of a sum of fractions shows in its last digit.
  const emptied = joined(pieces, 'emptied').reduce((sum, share) => sum + share / datasets, 0);
  const ranked = wrong.unranked === 0;
  const rate = (count: number) => rateOf(count, datasets);
  const total = missed.reduce((a, b) => a + b, 0);
  return {
    pointwise: dependentRate(total, models * datasets, datasets),
    pairwise: dependentRate(wrong.pairwise, pairs * datasets, datasets),
    simultaneous: rate(wrong.simultaneous),
    rank_set_simultaneous: ranked ? rate(wrong.ranks) : null,
    rank_set_marginal: ranked ? dependentRate(wrong.marginal, models * datasets, datasets) : null,
    rank_set_equal: ranked ? rate(wrong.equal) : null,
    test: rate(wrong.test),
    holm: holmCan ? rate(wrong.holm) : null,
    max_t: rate(wrong.maxT),
    centred: wrong.tried === 0 ? null : rate(wrong.centred),
    models: matrix.models.map((model, m) => ({ model, missed: missed[m]! })),
    datasets,
    unseen: [...narrowReasons({ design, labels: strata.labels, emptied }), ...powerless(design, alpha)],
  };

  async function rangeOfDatasets(first: number, count: number): Promise<Piece> {
    const missed = new Float64Array(models);
    const wrong = { ...NO_WRONGS };
    const emptied = new Float64Array(count);
    for (let d = first; d < first + count; d += 1) {
      options.onProgress?.('data sets', d - first, count);
      const sample = sampleClusters({ frame, design, seed, stream: COVERAGE_STREAM, draw: d });
      const own = { ...plan, seed: seed ^ (BigInt(d + 1) << 32n) };
      const infer = (data: ScoreMatrix) => runInference({ matrix: data, plan: own, engine, signal });
      const table = await infer(sampledMatrix(matrix, tasks, sample));
      emptied[d - first] = table.emptied;
      wrong.unranked += Number(table.plan.rank_sets === 'none');
      const misses = missesOf(table, truth, missed);
      wrong.pairwise += misses.pairwise;
      wrong.simultaneous += Number(misses.simultaneous);
      wrong.ranks += Number(misses.ranks > 0);
      wrong.marginal += misses.marginal;
      const same = sampledMatrix(moved, tasks, sample);
      const data = exchanged ? exchangedModels(same, seed, d) : same;
      const equal = await infer(data);
      wrong.equal += Number(equal.models.some(({ rankSet }) => rankSet && (rankSet[0] > 1 || rankSet[1] < models)));
      wrong.test += Number(equal.resolvedPairs > 0);
      wrong.holm += Number(equal.pairs.some((pair) => pair.holm < alpha));
      wrong.maxT += Number(equal.pairs.some((pair) => pair.maxTP! < alpha));
      if (design.strata > 1 && equal.plan.test !== 'centred') {
        wrong.tried += 1;
        wrong.centred += Number(await centredErrs(options, data, equal.plan));
      }
    }
    return { missed, wrong: Float64Array.from(Object.values(wrong)), emptied };
  }
}

/** What is counted over data sets. */
const NO_WRONGS = {
  ...{ pairwise: 0, simultaneous: 0, ranks: 0, marginal: 0, equal: 0, test: 0, holm: 0, maxT: 0 },
  /** The centred test: how often it erred, and in how many data sets it was looked at. */
  ...{ centred: 0, tried: 0 },
  /** Data sets that gave no rank sets. */
  unranked: 0,
};

/** The counts by name, from their numbers in order. */
function wrongsOf(counts: Float64Array): typeof NO_WRONGS {
  return Object.fromEntries(Object.keys(NO_WRONGS).map((name, k) => [name, counts[k]!])) as typeof NO_WRONGS;
}

/** Tells whether Holm could reject anything. Errors: USAGE where it was asked for and could not. */
function assertEnoughFlips({ multiplicity, flips, alpha }: CheckedPlan, tests: number, clusters: number): boolean {
  const chosen = chooseMultiplicity({ usual: 'holm', tests, clusters, flips, alpha });
  const can = chosen.multiplicity === 'holm';
  const level = multiplicity === 'holm' ? tests : 1;
  if (flips < flipsNeeded(level, alpha) && 2 ** clusters > flips)
    fail(
      'USAGE',
      null,
      `${shown(flips)} flips for ${tests} pairs`,
      `The smallest ${level === 1 ? '' : 'Holm '}p would be ${level}/${flips + 1}, above alpha; use at least ${flipsNeeded(level, alpha)} flips.`,
    );
  return can;
}

/** What no data set drawn from this table can show: misses of models that do not vary, errors of tests that cannot reject. */
function powerless(design: ClusterDesign, alpha: number): string[] {
  const constant = constantRows(design, layoutOf(design)).reduce((sum, flag) => sum + flag, 0);
  const reasons: string[] = [];
  if (constant > 0)
    reasons.push(
      `${constant} of ${counted(design.rows, 'model')} ${constant === 1 ? 'has' : 'have'} the same mean in every cluster: no data set drawn from them can miss it`,
    );
  const least = floorP(design.clusters);
  if (least >= alpha)
    reasons.push(
      `over ${counted(design.clusters, 'cluster')} no sign-flip test can reject anything (its least p is ${general(least, 3)}), so the rates of tests and rank sets show nothing`,
    );
  return reasons;
}

interface Truth {
  /** models: points. */
  readonly scores: Float64Array;
  /** Models x 2: 1 + the models strictly above, and the models at or above. */
  readonly ranks: Int32Array;
}

function truthOf(exact: ExactTotals, scores: Float64Array): Truth {
  const ranks = new Int32Array(2 * scores.length);
  for (let m = 0; m < scores.length; m += 1) {
    ranks[2 * m] = 1;
    for (let other = 0; other < scores.length; other += 1) {
      const sign = direction(exact, other, m);
      if (sign > 0) ranks[2 * m]! += 1;
      if (sign >= 0) ranks[2 * m + 1]! += 1;
    }
  }
  return { scores, ranks };
}

/** Counts what an inference misses, and adds each model's miss to `missed`. */
function missesOf({ models, pairs }: Inference, { scores, ranks }: Truth, missed: Float64Array) {
  const outside = ([low, high]: Interval, value: number) => {
    const slack = ROUNDING * Math.max(1, Math.abs(value));
    return value < low - slack || value > high + slack;
  };
  const misses = { pairwise: 0, simultaneous: false, ranks: 0, marginal: 0 };
  models.forEach(({ pointwise, simultaneous, rankSet, rankSetMarginal }, m) => {
    const score = scores[m]!;
    if (outside(pointwise, score)) missed[m]! += 1;
    if (outside(simultaneous, score)) misses.simultaneous = true;
    const apart = (set: readonly [number, number] | null) =>
      set !== null && (set[0] > ranks[2 * m]! || set[1] < ranks[2 * m + 1]!);
    misses.ranks += Number(apart(rankSet));
    misses.marginal += Number(apart(rankSetMarginal));
  });
  for (const { left, right, interval } of pairs)
    misses.pairwise += Number(outside(interval, scores[left]! - scores[right]!));
  return misses;
}

/** Does the centred test, under the multiplicity in force, tell some pair of a data set of equal models apart? */
async function centredErrs(
  { engine, signal }: CoverageSimulation,
  matrix: ScoreMatrix,
  { strata, alpha, flips, seed, multiplicity }: InferencePlan,
): Promise<boolean> {
  const counts = await engine.flips(clusterDesign(matrix, strataOf(matrix, strata)), {
    draws: flips,
    random: { kind: 'philox', seed, stream: 1 },
    test: 'centred',
    maxT: multiplicity === 'max-t',
    ...(signal ? { signal } : {}),
  });
  const p = (values: Float64Array) => values.map((count) => pValue(count, flips));
  const adjusted: Readonly<Record<Multiplicity, () => Float64Array>> = {
    holm: () => holm(p(counts.pairs)),
    'max-t': () => p(counts.maxT!),
  };
  return adjusted[multiplicity]().some((value) => value < alpha);
}
