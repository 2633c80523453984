import type { ClusterDesign } from '../../engine/design.js';
import type { Engine } from '../../engine/engine.js';
import { FLIP_STREAM, type StudyRandom, seedFor } from '../../transfer/stream.js';
import { type TransferStrata, weightedTotal } from '../../transfer/transfer-strata.js';
import { crossedTotals, percentileInterval } from './crossed.js';

/** Draws the published study flips at once. */
const FLIP_BATCH = 2000;

export interface ContrastOptions {
  readonly label: string;
  /** Per seed, ascending: basis points of treatment minus control, one a task. */
  readonly differences: readonly Int32Array[];
  /** Per task: what is flipped whole. */
  readonly clusters: readonly string[];
  readonly strata: TransferStrata;
  readonly draws: number;
  readonly flips: number;
  readonly alpha: number;
  readonly random: StudyRandom;
  readonly engine: Engine;
}

/** One contrast of two conditions, in points (analyses 9.7). */
export interface Contrast {
  readonly label: string;
  readonly estimate: number;
  /** Percentile interval at 1 - alpha of the crossed seed x anchor bootstrap. */
  readonly interval: readonly [number, number];
  /** Two-sided anchor sign flips, conditional on the training seeds at hand. */
  readonly sign_flip_p: number;
  readonly exceedances: number;
  readonly per_seed: readonly number[];
  readonly bootstrap_seed: string;
  readonly sign_flip_seed: string;
  /** Effects of single anchors, seeds averaged. */
  readonly anchors: {
    readonly count: number;
    readonly mean: number;
    readonly median: number;
    readonly sd: number | null;
    readonly positive: number;
    readonly zero: number;
  };
}

/** Estimates a contrast with its interval and test. All totals are exact integers until one division. */
export async function estimateContrast(options: ContrastOptions): Promise<Contrast> {
  const { differences, strata, label, random } = options;
  const seeds = differences.length;
  const tasks = options.clusters.length;
  const bootstrapSeed = seedFor(random, label, 'crossed-bootstrap');
  const flipSeed = seedFor(random, label, 'anchor-sign-flip');
  const all = new Int32Array(seeds * tasks);
  differences.forEach((row, k) => {
    all.set(row, k * tasks);
  });
  const summed = Array.from({ length: tasks }, (_, t) => differences.reduce((sum, row) => sum + row[t]!, 0));
  const divisor = seeds * strata.divisor * 100;
  const totals = crossedTotals({
    differences: all,
    seeds,
    strata,
    draws: options.draws,
    random: { kind: random.kind, seed: bootstrapSeed },
  });
  const { rows } = await options.engine.flips(anchorDesign(summed, options), {
    draws: options.flips,
    random:
      random.kind === 'philox'
        ? { kind: 'philox', seed: flipSeed, stream: FLIP_STREAM }
        : { kind: 'numpy', seed: flipSeed, batch: FLIP_BATCH },
  });
  const exceedances = rows[0]!;
  return {
    label,
    estimate: weightedTotal(summed, strata) / divisor,
    interval: percentileInterval(totals, divisor, options.alpha),
    sign_flip_p: (exceedances + 1) / (options.flips + 1),
    exceedances,
    per_seed: differences.map((row) => weightedTotal(row, strata) / (strata.divisor * 100)),
    bootstrap_seed: bootstrapSeed.toString(),
    sign_flip_seed: flipSeed.toString(),
    anchors: anchorFacts(summed, seeds),
  };
}

/** One row, one stratum, integer weights folded in: the flips of the weighted anchor effects against zero. */
function anchorDesign(summed: readonly number[], { clusters, strata }: ContrastOptions): ClusterDesign {
  const weight = new Float64Array(summed.length);
  strata.members.forEach((positions, s) => {
    for (const t of positions) weight[t] = strata.weights[s]!;
  });
  const index = new Map<string, number>();
  for (const cluster of clusters) if (!index.has(cluster)) index.set(cluster, index.size);
  const partTotals = new Float64Array(index.size);
  const partTasks = new Int32Array(index.size);
  clusters.forEach((cluster, t) => {
    const c = index.get(cluster)!;
    partTotals[c]! += summed[t]! * weight[t]!;
    partTasks[c]! += 1;
  });
  return {
    rows: 1,
    ranked: 1,
    clusters: index.size,
    strata: 1,
    scale: 100,
    partCluster: Int32Array.from(index.values()),
    partStratum: new Int32Array(index.size),
    partTasks,
    partTotals,
  };
}

function anchorFacts(summed: readonly number[], seeds: number): Contrast['anchors'] {
  const n = summed.length;
  const unit = 100 * seeds;
  const sorted = Float64Array.from(summed).sort();
  const total = summed.reduce((sum, x) => sum + x, 0);
  const middle = (sorted[(n - 1) >> 1]! + sorted[n >> 1]!) / 2;
  const mean = total / n;
  const squares = summed.reduce((sum, x) => sum + (x - mean) ** 2, 0);
  return {
    count: n,
    mean: total / (n * unit),
    median: middle / unit,
    sd: n > 1 ? Math.sqrt(squares / (n - 1)) / unit : null,
    positive: summed.filter((x) => x > 0).length / n,
    zero: summed.filter((x) => x === 0).length / n,
  };
}
