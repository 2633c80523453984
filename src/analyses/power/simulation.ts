import type { ScoreMatrix } from '../../core/matrix.js';
import type { ClusterDesign } from '../../engine/design.js';
import type { Engine, OnProgress } from '../../engine/engine.js';
import { clopperPearson } from '../../inference/binomial.js';
import { clusterDesign } from '../../inference/cluster-design.js';
import { pValue } from '../../inference/p-values.js';
import { type StrataMode, strataOf } from '../../inference/strata.js';
import { fail } from '../../util/error.js';
import { counted } from '../../util/format.js';
import { clusterFrame, sampleClusters } from '../cluster-sample.js';

interface PowerSimulationOptions {
  readonly matrix: ScoreMatrix;
  readonly engine: Engine;
  readonly strata: StrataMode;
  /** Row numbers of the pair. */
  readonly pair: readonly [number, number];
  /** True difference to give the pair, points. */
  readonly difference: number;
  readonly tasks: number;
  readonly alpha: number;
  readonly hypotheses: number;
  readonly seed: bigint;
  readonly datasets: number;
  readonly flips: number;
  readonly onProgress?: OnProgress;
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
/** Data sets tested by one set of sign flips. */
const BATCH = 64;
/** Most tasks of a simulated data set: a batch then fills 51 MB. */
const MOST_TASKS = 100_000;

/**
 * Simulates the power: clusters of the pilot drawn with replacement to the planned number of tasks, the pair's difference
 * moved to the planned one, the same sign-flip test at alpha / hypotheses. Data sets of a batch share sign vectors, as pairs
 * of a leaderboard do. Errors: USAGE for fewer flips than any p below the level takes, BOUND_EXCEEDED past 100,000 tasks a
 * data set, and those of `clusterDesign`.
 */
export async function simulatePower(options: PowerSimulationOptions): Promise<PowerSimulation> {
  const { matrix, engine, datasets, flips, seed, pair } = options;
  if (options.tasks > MOST_TASKS)
    fail(
      'BOUND_EXCEEDED',
      null,
      `a simulated data set of ${options.tasks} tasks; at most ${MOST_TASKS} are drawn`,
      'Plan for a larger --difference, or without the check: --no-simulation.',
    );
  const threshold = options.alpha / options.hypotheses;
  if (pValue(0, flips) > threshold)
    fail(
      'USAGE',
      null,
      `${counted(flips, 'flip')} for ${counted(options.hypotheses, 'test')}: no p can be as small as alpha / ${options.hypotheses}`,
      `Use at least ${Math.ceil(1 / threshold)} flips (--flips), or plan without the check: --no-simulation.`,
    );
  const [left, right] = pair.map((row) => matrix.models[row]!) as [string, string];
  const { chance: _, ...ranked } = matrix;
  const pilot = movedPair(clusterDesign(ranked, strataOf(matrix, options.strata)), pair, options.difference);
  const frame = clusterFrame(pilot.design);
  const factor = options.tasks / matrix.tasks.length;
  let resolved = 0;
  let clusters = 0;
  for (let from = 0; from < datasets; from += BATCH) {
    options.onProgress?.('data sets', from, datasets);
    const count = Math.min(BATCH, datasets - from);
    const rows = Array.from({ length: count }, (_, k) => {
      const draw = { frame, design: pilot.design, seed, stream: POWER_STREAM, draw: from + k, factor };
      return contributions(pilot, frame.parts, sampleClusters(draw));
    });
    clusters = rows[0]!.length;
    const counts = await engine.flips(rowsDesign(rows), {
      draws: flips,
      random: { kind: 'philox', seed, stream: 1 },
    });
    for (const count of counts.rows) if (pValue(count, flips) <= threshold) resolved += 1;
  }
  return {
    left,
    right,
    tasks: frame.parts.length === matrix.tasks.length ? clusters : options.tasks,
    clusters,
    datasets,
    resolved,
    power: resolved / datasets,
    interval: clopperPearson({ count: resolved, trials: datasets, confidence: 0.95 }),
  };
}

interface Pilot {
  readonly design: ClusterDesign;
  /** Per part: total of the moved difference, points. */
  readonly totals: Float64Array;
}

/** The pair's differences, every stratum moved by one amount a task so that the score difference is the planned one. */
function movedPair(design: ClusterDesign, [i, j]: readonly [number, number], difference: number): Pilot {
  const { rows, strata, scale, partStratum, partTasks, partTotals } = design;
  const plain = Float64Array.from(
    partStratum,
    (_, p) => (partTotals[p * rows + i]! - partTotals[p * rows + j]!) / scale,
  );
  const sums = new Float64Array(strata);
  const sizes = new Float64Array(strata);
  partStratum.forEach((s, p) => {
    sums[s] = sums[s]! + plain[p]!;
    sizes[s] = sizes[s]! + partTasks[p]!;
  });
  const score = sums.reduce((total, sum, s) => total + sum / sizes[s]!, 0) / strata;
  const shift = difference - score;
  return {
    design,
    totals: plain.map((total, p) => total + shift * partTasks[p]!),
  };
}

/** What each sampled cluster adds to the score difference, points. */
function contributions({ design, totals }: Pilot, parts: readonly Int32Array[], sample: Int32Array): Float64Array {
  const sizes = new Float64Array(design.strata);
  for (const cluster of sample)
    for (const p of parts[cluster]!) {
      const s = design.partStratum[p]!;
      sizes[s] = sizes[s]! + design.partTasks[p]!;
    }
  return Float64Array.from(sample, (cluster) =>
    parts[cluster]!.reduce((sum, p) => sum + totals[p]! / (design.strata * sizes[design.partStratum[p]!]!), 0),
  );
}

/** One stratum, one task a cluster, one row a data set; integers as fine as 2^30 allows. */
function rowsDesign(rows: readonly Float64Array[]): ClusterDesign {
  const clusters = rows[0]!.length;
  const reach = Math.max(...rows.map((row) => row.reduce((sum, x) => sum + Math.abs(x), 0)));
  const unit = reach === 0 ? 1 : 2 ** 28 / reach;
  const partTotals = new Float64Array(clusters * rows.length);
  rows.forEach((row, r) => {
    row.forEach((value, c) => {
      partTotals[c * rows.length + r] = Math.round(value * unit) + 0;
    });
  });
  return {
    rows: rows.length,
    ranked: rows.length,
    clusters,
    strata: 1,
    scale: 1,
    partCluster: Int32Array.from({ length: clusters }, (_, c) => c),
    partStratum: new Int32Array(clusters),
    partTasks: new Int32Array(clusters).fill(1),
    partTotals,
  };
}
