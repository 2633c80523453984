import type { ScoreMatrix } from '../../core/matrix.js';
import { type ClusterDesign, pairIndex } from '../../engine/design.js';
import type { Engine, OnProgress } from '../../engine/engine.js';
import type { OnForecast } from '../../engine/forecast-engine.js';
import { MAX_ENUMERATED_CLUSTERS } from '../../engine/request.js';
import { clopperPearson } from '../../inference/binomial.js';
import { clusterDesign } from '../../inference/cluster-design.js';
import { flipsNeeded } from '../../inference/decisions/multiplicity.js';
import { pValue } from '../../inference/p-values.js';
import type { InferencePlan } from '../../inference/plan.js';
import { strataOf } from '../../inference/strata.js';
import { exactTotals, meanDifference } from '../../inference/totals.js';
import { added, type Shares } from '../../shares/ranged-work.js';
import { fail } from '../../util/error.js';
import { counted } from '../../util/format.js';
import { clusterFrame, sampleClusters, sampledDesign } from '../cluster-sample.js';
import { matrixWorkKey, piecesOf } from '../shared-work.js';
import { forecastDatasets } from '../simulated-work.js';

interface PowerSimulationOptions
  extends Pick<InferencePlan, 'strata' | 'alpha' | 'seed' | 'flips' | 'test' | 'multiplicity'> {
  readonly matrix: ScoreMatrix;
  readonly engine: Engine;
  /** Row numbers of the pair. */
  readonly pair: readonly [number, number];
  /** True difference to give the pair, points. */
  readonly difference: number;
  readonly tasks: number;
  /** Tests in the family, under `holm`. */
  readonly hypotheses: number;
  readonly datasets: number;
  readonly shares?: Shares | undefined;
  readonly signal?: AbortSignal;
  readonly onProgress?: OnProgress;
  readonly onForecast?: OnForecast;
}

export interface PowerSimulation {
  readonly left: string;
  readonly right: string;
  readonly tasks: number;
  /** Clusters of one data set: n of them give no p below 2 / 2^n. */
  readonly clusters: number;
  readonly datasets: number;
  readonly resolved: number;
  readonly power: number;
  /** 95 % Clopper-Pearson interval of the power. */
  readonly interval: readonly [number, number];
}

/** Stream of the simulated data sets; their flips use stream 1, as every flip does. */
export const POWER_STREAM = 9;
/** Most tasks of a simulated data set. */
const MOST_TASKS = 100_000;
/** Finer units, so that moving scores by fractions of a unit gives the planned difference. */
const FINER = 64;

/**
 * Simulates the power of the test in force (decisions 5.6): clusters of the pilot are drawn with replacement to the planned number of tasks, with the pair's
 * difference moved to the planned one, and each data set is tested under the seed XOR (its number + 1) x 2^32. Under `holm` the pair is tested at
 * alpha / hypotheses, which Holm never undercuts; under `max-t` with all models of the pilot, by the step-down. Errors: USAGE for fewer flips
 * than a rejection takes, BOUND_EXCEEDED past 100,000 tasks a data set, and those of `clusterDesign`.
 */
export async function simulatePower(options: PowerSimulationOptions): Promise<PowerSimulation> {
  const { matrix, datasets, seed, pair } = options;
  if (options.tasks > MOST_TASKS)
    fail(
      'BOUND_EXCEEDED',
      null,
      `a simulated data set of ${options.tasks} tasks; at most ${MOST_TASKS} are drawn`,
      'Plan for a larger --difference, or without the check: --no-simulation.',
    );
  const pilot = movedPair(options);
  const { flips, onForecast } = options;
  forecastDatasets({ datasets, design: pilot, flips, onForecast });
  const frame = clusterFrame(pilot);
  const factor = options.tasks / matrix.tasks.length;
  const { strata, alpha, difference, hypotheses, test, multiplicity } = options;
  const choices = { strata, alpha, difference, hypotheses, test, multiplicity, tasks: options.tasks, flips, pair };
  const pieces = await piecesOf(options.shares, {
    what: 'data sets',
    units: datasets,
    key: () => matrixWorkKey({ what: 'power', ...choices, seed: seed.toString(), datasets }, matrix),
    lengths: () => ({ resolved: 1, clusters: 1 }),
    most: (count) => ({ resolved: count, clusters: Number.MAX_SAFE_INTEGER }),
    async range(first, count) {
      let resolved = 0;
      let clusters = 0;
      for (let d = first; d < first + count; d += 1) {
        options.onProgress?.('data sets', d - first, count);
        const sample = sampleClusters({ frame, design: pilot, seed, stream: POWER_STREAM, draw: d, factor });
        clusters = sample.length;
        if (d === first) assertEnoughFlips(options, clusters);
        const design = sampledDesign(pilot, frame, sample);
        if (await isResolved(design, options, seed ^ (BigInt(d + 1) << 32n))) resolved += 1;
      }
      return { resolved: Float64Array.of(resolved), clusters: Float64Array.of(clusters) };
    },
  });
  const resolved = added(pieces, 'resolved')[0]!;
  const clusters = pieces.at(-1)!.clusters![0]!;
  return {
    left: matrix.models[pair[0]]!,
    right: matrix.models[pair[1]]!,
    tasks: frame.parts.length === matrix.tasks.length ? clusters : options.tasks,
    clusters,
    datasets,
    resolved,
    power: resolved / datasets,
    interval: clopperPearson({ count: resolved, trials: datasets, confidence: 0.95 }),
  };
}

/** By how many a p is multiplied. */
const together = ({ multiplicity, hypotheses }: PowerSimulationOptions) => (multiplicity === 'holm' ? hypotheses : 1);

function assertEnoughFlips(options: PowerSimulationOptions, clusters: number): void {
  const { alpha, flips } = options;
  const needed = flipsNeeded(together(options), alpha);
  if (flips >= needed || allSigns(clusters, flips)) return;
  fail(
    'USAGE',
    null,
    `${counted(flips, 'flip')} for ${counted(together(options), 'test')}: no p can be as small as alpha / ${together(options)}`,
    `Use at least ${needed} flips (--flips), or plan without the check: --no-simulation.`,
  );
}

const allSigns = (clusters: number, flips: number) => clusters <= MAX_ENUMERATED_CLUSTERS && 2 ** clusters <= flips;

/** Does the test in force tell the pair of a data set apart? The pair stands in the first two rows. */
async function isResolved(design: ClusterDesign, options: PowerSimulationOptions, seed: bigint): Promise<boolean> {
  const { engine, alpha, flips, test, multiplicity, signal } = options;
  const step = multiplicity === 'max-t';
  const request = { test, ...(step ? { stepDown: { alpha } } : {}), ...(signal ? { signal } : {}) };
  const all = allSigns(design.clusters, flips);
  const counts = await (all
    ? engine.exactFlips(design, request)
    : engine.flips(design, { ...request, draws: flips, random: { kind: 'philox', seed, stream: 1 } }));
  const at = pairIndex(0, 1, design.rows);
  const count = step ? counts.maxTStep!.exceedances[at]! : counts.pairs[at]!;
  const p = all ? count / counts.draws : pValue(count, flips);
  return together(options) * p < alpha;
}

/**
 * The pilot with the pair in its first two rows, the first of them moved by one amount a task so that the score difference is the planned one; the other models
 * stand after them where the test looks at all.
 */
function movedPair(options: PowerSimulationOptions): ClusterDesign {
  const { pair, difference, multiplicity } = options;
  const { chance: _, ...matrix } = options.matrix;
  const design = clusterDesign(matrix, strataOf(matrix, options.strata));
  const others = multiplicity === 'holm' ? [] : matrix.models.map((_, m) => m).filter((m) => !pair.includes(m));
  const order = [...pair, ...others];
  const observed = meanDifference(exactTotals(design), pair[0], pair[1]);
  const shift = Math.round((difference - observed) * design.scale * FINER);
  const partTotals = new Float64Array(design.partTasks.length * order.length);
  design.partTasks.forEach((tasks, p) => {
    order.forEach((row, at) => {
      const moved = FINER * design.partTotals[p * design.rows + row]! + (at === 0 ? shift * tasks : 0);
      partTotals[p * order.length + at] = moved;
    });
  });
  return { ...design, rows: order.length, ranked: order.length, scale: design.scale * FINER, partTotals };
}
