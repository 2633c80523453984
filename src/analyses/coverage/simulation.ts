import type { ScoreMatrix } from '../../core/matrix.js';
import { type ClusterDesign, pairCount } from '../../engine/design.js';
import type { BootstrapSummary, Engine, OnProgress } from '../../engine/engine.js';
import { clopperPearson } from '../../inference/binomial.js';
import { clusterDesign } from '../../inference/cluster-design.js';
import { holm, pValue } from '../../inference/p-values.js';
import type { Scheme } from '../../inference/plan.js';
import { type StrataMode, strataOf } from '../../inference/strata.js';
import { fail, shown } from '../../util/error.js';
import { clusterFrame, sampleClusters, sampledDesign } from '../cluster-sample.js';

export interface CoverageSimulation {
  readonly matrix: ScoreMatrix;
  readonly engine: Engine;
  readonly strata: StrataMode;
  readonly scheme: Scheme;
  readonly alpha: number;
  readonly seed: bigint;
  /** Simulated data sets. */
  readonly datasets: number;
  /** Bootstrap draws of each data set. */
  readonly draws: number;
  /** Sign flips of each data set; Holm over all pairs needs more than pairs / alpha. */
  readonly flips: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: OnProgress;
}

/** How often something went wrong that should go wrong with rate alpha. */
export interface ErrorRate {
  readonly wrong: number;
  readonly of: number;
  readonly rate: number;
  /**
   * 95 % Clopper-Pearson interval of the rate over data sets. Where one data set gives many trials they are not independent:
   * the interval is then that of as few trials as data sets, never too narrow. Null where there is nothing to err.
   */
  readonly interval: readonly [number, number] | null;
}

export interface CoverageResults {
  /** A model's true score outside its pointwise interval. */
  readonly pointwise: ErrorRate;
  /** A true difference of two models outside its interval. */
  readonly pairwise: ErrorRate;
  /** Some model's true score outside the simultaneous band. */
  readonly simultaneous: ErrorRate;
  /** Holm declares some pair different though none is. */
  readonly holm: ErrorRate;
  /** Single-step max-T declares some pair different though none is. */
  readonly max_t: ErrorRate;
  readonly models: readonly { readonly model: string; readonly missed: number }[];
  readonly datasets: number;
}

/** Stream of the simulated data sets. */
export const COVERAGE_STREAM = 10;
/** Finer units for the null world, so that moving scores by fractions of a unit leaves no difference behind. */
const FINER = 64;

/**
 * Simulates whether intervals cover and tests hold their level on data like these. The null world is the matrix with every model
 * moved, stratum by stratum, to the mean of all models; data sets are samples of its clusters; each is inferred as a
 * leaderboard is, under the seed XOR (number of the data set + 1) x 2^32. What should err at rate alpha is counted. Errors: USAGE, and those of `clusterDesign`.
 */
export async function simulateCoverage(options: CoverageSimulation): Promise<CoverageResults> {
  const { matrix, engine, alpha, seed, datasets, draws, flips, signal } = options;
  const models = matrix.models.length;
  const pairs = pairCount(models);
  if (flips + 1 < pairs / alpha)
    fail(
      'USAGE',
      null,
      `${shown(flips)} flips for ${pairs} pairs`,
      `The smallest Holm p would be ${pairs}/${flips + 1}, above alpha; use at least ${Math.ceil(pairs / alpha)} flips.`,
    );
  const { chance: _, ...ranked } = matrix;
  const world = nullWorld(clusterDesign(ranked, strataOf(matrix, options.strata)));
  const frame = clusterFrame(world.design);
  const missed = new Float64Array(models);
  const wrong = { pairwise: 0, simultaneous: 0, holm: 0, maxT: 0 };
  const stop = signal ? { signal } : {};
  for (let d = 0; d < datasets; d += 1) {
    options.onProgress?.('data sets', d, datasets);
    const sample = sampleClusters({ frame, design: world.design, seed, stream: COVERAGE_STREAM, draw: d });
    const design = sampledDesign(world.design, frame, sample);
    const own = seed ^ (BigInt(d + 1) << 32n);
    const boot = await engine.bootstrap(design, {
      draws,
      random: { kind: 'philox', seed: own, stream: 0 },
      scheme: options.scheme,
      probabilities: [alpha / 2, 1 - alpha / 2],
      bandProbability: 1 - alpha,
      pairs: true,
      ...stop,
    });
    wrong.simultaneous += Number(countMisses(boot, world.score, missed));
    wrong.pairwise += outside(boot.pairQuantiles!, 0, pairs);
    const counts = await engine.flips(design, {
      draws: flips,
      random: { kind: 'philox', seed: own, stream: 1 },
      maxT: true,
      ...stop,
    });
    const p = (count: number) => pValue(count, flips);
    wrong.holm += Number(holm(counts.pairs.map(p)).some((value) => value < alpha));
    wrong.maxT += Number(counts.maxT!.some((count) => p(count) < alpha));
  }
  const total = missed.reduce((a, b) => a + b, 0);
  return {
    pointwise: dependentRate(total, models * datasets, datasets),
    pairwise: dependentRate(wrong.pairwise, pairs * datasets, datasets),
    simultaneous: rate(wrong.simultaneous, datasets),
    holm: rate(wrong.holm, datasets),
    max_t: rate(wrong.maxT, datasets),
    models: matrix.models.map((model, m) => ({ model, missed: missed[m]! })),
    datasets,
  };
}

function rate(wrong: number, of: number): ErrorRate {
  return {
    wrong,
    of,
    rate: wrong / of,
    interval: clopperPearson({ count: wrong, trials: of, confidence: 0.95 }),
  };
}

/**
 * A rate over intervals that share data sets. The share of a data set's intervals that miss lies between 0 and 1, so its
 * variance is at most that of one trial with the same rate.
 */
function dependentRate(wrong: number, of: number, datasets: number): ErrorRate {
  if (of === 0) return { wrong, of, rate: 0, interval: null };
  const limits = (count: number) => clopperPearson({ count, trials: datasets, confidence: 0.95 });
  const effective = (wrong / of) * datasets;
  return {
    wrong,
    of,
    rate: wrong / of,
    interval: [limits(Math.floor(effective))[0], limits(Math.ceil(effective))[1]],
  };
}

/** Adds each model's miss to `missed`; true when some model is outside the simultaneous band. */
function countMisses(boot: BootstrapSummary, truth: number, missed: Float64Array): boolean {
  let outsideBand = false;
  for (let m = 0; m < missed.length; m += 1) {
    const low = boot.quantiles[2 * m]!;
    const high = boot.quantiles[2 * m + 1]!;
    if (truth < low || truth > high) missed[m] = missed[m]! + 1;
    const half = boot.bandCritical! * boot.standardErrors[m]!;
    if (Math.abs(boot.points[m]! - truth) > half) outsideBand = true;
  }
  return outsideBand;
}

function outside(quantiles: Float64Array, truth: number, intervals: number): number {
  let count = 0;
  for (let k = 0; k < intervals; k += 1) if (truth < quantiles[2 * k]! || truth > quantiles[2 * k + 1]!) count += 1;
  return count;
}

/** Every model moved to the mean of all models in every stratum, in finer units, and the score they all have. */
function nullWorld(design: ClusterDesign): { design: ClusterDesign; score: number } {
  const { rows, strata, partStratum, partTasks, partTotals } = design;
  const sizes = new Float64Array(strata);
  const sums = new Float64Array(strata * rows);
  partStratum.forEach((s, p) => {
    sizes[s] = sizes[s]! + partTasks[p]!;
    for (let r = 0; r < rows; r += 1) sums[s * rows + r] = sums[s * rows + r]! + partTotals[p * rows + r]!;
  });
  const target = Float64Array.from({ length: strata }, (_, s) =>
    Math.round((FINER * sums.subarray(s * rows, (s + 1) * rows).reduce((a, b) => a + b, 0)) / (rows * sizes[s]!)),
  );
  const moved = new Float64Array(partTotals.length);
  partStratum.forEach((s, p) => {
    for (let r = 0; r < rows; r += 1) {
      const mean = (FINER * sums[s * rows + r]!) / sizes[s]!;
      const shift = Math.round(target[s]! - mean);
      moved[p * rows + r] = FINER * partTotals[p * rows + r]! + shift * partTasks[p]!;
    }
  });
  const scale = design.scale * FINER;
  return {
    design: { ...design, scale, partTotals: moved },
    score: target.reduce((a, b) => a + b, 0) / strata / scale,
  };
}

/** An error rate with what errs. */
export interface NamedRate extends ErrorRate {
  readonly name: string;
}

/** Names the five error rates, in the order in which every form shows them. */
export function namedRates({ pointwise, pairwise, simultaneous, holm, max_t }: CoverageResults): NamedRate[] {
  return [
    { name: 'pointwise interval misses a score', ...pointwise },
    { name: 'pair interval misses a difference', ...pairwise },
    { name: 'simultaneous band misses some score', ...simultaneous },
    { name: 'Holm declares some pair different', ...holm },
    { name: 'max-T declares some pair different', ...max_t },
  ];
}
