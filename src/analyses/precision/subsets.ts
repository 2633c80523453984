import type { ScoreMatrix } from '../../core/matrix.js';
import type { WordSource } from '../../engine/numpy.js';
import { sortedQuantile } from '../../engine/quantile.js';
import { referenceSubsetTotals } from '../../engine/reference/subset.js';
import type { SubsetTotals } from '../../engine/subset.js';
import { openWasmListedTotals } from '../../engine/wasm/listed.js';
import { pcgWordSource } from '../../engine/wasm/numpy.js';
import { equalSize, familyMajor, type Stratum } from '../../inference/rank-agreement.js';
import { isShared, joined, type Shares } from '../../shares/ranged-work.js';
import { fail } from '../../util/error.js';
import { matrixWorkKey } from '../shared-work.js';
import { subsetStream } from '../subset-stream.js';
import { leaderboardOrder, type RankedColumns } from './ranked-columns.js';

/** Streams of the subsets of N tasks. */
export const PRECISION_STREAM = 0x1000;

/** What a subset is compared by (analyses 1). */
export const PRECISION_METRICS = [
  'rank_spearman',
  'all_pair_order_agreement',
  'resolved_pair_direction_agreement',
  'top_5_overlap',
  'top_1_preserved',
  'mean_absolute_score_error',
  'maximum_absolute_score_error',
] as const;
type PrecisionMetric = (typeof PRECISION_METRICS)[number];

interface MetricSummary {
  readonly mean: number;
  readonly median: number;
  readonly p2_5: number;
  readonly p97_5: number;
}

export interface PrecisionSize {
  readonly tasks: number;
  readonly per_stratum: number;
  readonly draws: number;
  /** null for the resolved pairs when none is resolved. */
  readonly metrics: Readonly<Record<PrecisionMetric, MetricSummary | null>>;
}

export interface PrecisionOptions {
  readonly matrix: ScoreMatrix;
  /** Pairs of row numbers that the leaderboard resolves. */
  readonly resolved: readonly (readonly [number, number])[];
  /** Numbers of tasks in a subset; under numpy the order of use. */
  readonly sizes: readonly number[];
  readonly draws: number;
  readonly random: { readonly kind: 'philox' | 'numpy'; readonly seed: bigint };
  /** Kernel that makes the philox subsets; the reference unless given. */
  readonly totals?: SubsetTotals;
  readonly shares?: Shares | undefined;
}

/**
 * Measures how well smaller task sets would have ordered the same models: stratified subsets without replacement, drawn without a
 * look at any score, each against the whole. The whole matrix is added as the last size. Errors: STRATUM_UNEQUAL; USAGE
 * for a size that does not divide into the strata or exceeds them, BOUND_EXCEEDED for totals past 32 bits.
 */
export function subsetPrecision(options: PrecisionOptions): PrecisionSize[] {
  const { matrix, random } = options;
  const strata = familyMajor(matrix);
  const available = equalSize(strata);
  for (const size of options.sizes) {
    if (size % strata.length !== 0 || size < strata.length || size > available * strata.length) {
      fail(
        'USAGE',
        null,
        `${size} tasks cannot be drawn evenly from ${strata.length} strata of ${available}`,
        `Give multiples of ${strata.length} up to ${available * strata.length}.`,
      );
    }
  }
  const largest = matrix.values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (largest * matrix.tasks.length >= 2 ** 31) {
    fail(
      'BOUND_EXCEEDED',
      null,
      `${matrix.tasks.length} scores of up to ${largest} add up to more than 32 bits hold`,
      'Give the scores at a coarser --scale or --quantize.',
    );
  }
  const scores = leaderboardOrder(matrix, options.resolved);
  const generator =
    !isShared(options.shares, random) && random.kind === 'numpy' ? pcgWordSource(random.seed) : undefined;
  const sized = options.sizes.map((tasks) => {
    const takes = strata.map(() => tasks / strata.length);
    const sums = generator
      ? replayedSums(scores, strata, takes, options.draws, generator)
      : countedSums(options, scores, strata, takes);
    return precisionAt(scores, { strata: strata.length, sums, tasks, divisor: tasks });
  });
  const { tasks } = scores;
  return [...sized, precisionAt(scores, { strata: strata.length, sums: scores.totals, tasks, divisor: tasks })];
}

/** draws x models: totals over subsets of a counted stream. */
function countedSums(
  options: PrecisionOptions,
  { columns, models }: RankedColumns,
  strata: readonly Stratum[],
  takes: readonly number[],
): Int32Array | Float64Array {
  const { matrix, draws, shares } = options;
  const { seed } = options.random;
  const tasks = takes.reduce((sum, take) => sum + take, 0);
  const members = strata.map((stratum) => stratum.tasks);
  const made = (first: number, count: number) =>
    (options.totals ?? referenceSubsetTotals)({
      ...{ columns, rows: models, members, takes },
      ...{ draws: count, first, seed, stream: PRECISION_STREAM + tasks },
    });
  if (shares === undefined) return made(0, draws);
  const pieces = shares.piecesNow({
    what: 'subsets',
    units: draws,
    key: () => matrixWorkKey({ what: 'task subsets', size: tasks, draws, seed: seed.toString() }, matrix),
    lengths: (_, count) => ({ sums: count * models }),
    range: (first, count) => ({ sums: Float64Array.from(made(first, count)) }),
  });
  return joined(pieces, 'sums');
}

/** Draws listed at once, so that memory does not grow with them. */
const BATCH = 1024;

/** draws x models: totals over subsets that one replayed generator draws. */
function replayedSums(
  { columns, models }: RankedColumns,
  strata: readonly Stratum[],
  takes: readonly number[],
  draws: number,
  generator: WordSource,
): Int32Array {
  const sums = new Int32Array(draws * models);
  const stream = subsetStream({ sizes: strata.map(({ tasks }) => tasks.length), takes }, { kind: 'numpy', generator });
  const length = takes.reduce((sum, take) => sum + take, 0);
  const add = openWasmListedTotals({ columns, rows: models });
  for (let first = 0; first < draws; first += BATCH) {
    const lists = new Int32Array(Math.min(BATCH, draws - first) * length);
    for (let at = 0; at < lists.length; ) {
      stream.next().forEach((positions, s) => {
        const { tasks } = strata[s]!;
        for (const position of positions) lists[at++] = tasks[position]!;
      });
    }
    add(sums, first, lists, length);
  }
  return sums;
}

/** Totals of subsets of one size. */
interface SubsetSums {
  readonly strata: number;
  /** draws x models. */
  readonly sums: Int32Array | Float64Array;
  readonly tasks: number;
  /** What a total is divided by to give a mean, before the scale. */
  readonly divisor: number;
}

/** Summarises how the subsets of one size agree with the whole. */
export function precisionAt(scores: RankedColumns, { strata, sums, tasks, divisor }: SubsetSums): PrecisionSize {
  const draws = sums.length / scores.models;
  const columns = PRECISION_METRICS.map(() => new Float64Array(draws));
  const measure = subsetMeasure(scores, divisor);
  for (let draw = 0; draw < draws; draw += 1) {
    const values = measure(sums, draw * scores.models);
    for (let k = 0; k < columns.length; k += 1) columns[k]![draw] = values[k]!;
  }
  const entries = PRECISION_METRICS.map((metric, k): [PrecisionMetric, MetricSummary | null] => [
    metric,
    metric === 'resolved_pair_direction_agreement' && scores.resolved.length === 0
      ? null
      : summary(columns[k] as Float64Array),
  ]);
  return {
    tasks,
    per_stratum: tasks / strata,
    draws,
    metrics: Object.fromEntries(entries) as Record<PrecisionMetric, MetricSummary | null>,
  };
}

/** Compares subset sums with the whole, in exact integers but for the score errors. Values in PRECISION_METRICS order. */
function subsetMeasure(
  scores: RankedColumns,
  divisor: number,
): (sums: Int32Array | Float64Array, from: number) => Float64Array {
  const { models: n, totals, resolved, scale } = scores;
  const top = Math.min(5, n);
  const ranks = new Int32Array(n);
  const out = new Float64Array(PRECISION_METRICS.length);
  const full = totals.map((total) => total / scores.divisor);
  const pairs = Math.max(1, (n * (n - 1)) / 2);
  return (sums, from) => {
    ranks.fill(1);
    let agree = 0;
    for (let i = 0; i < n; i += 1) {
      const x = sums[from + i]!;
      for (let j = i + 1; j < n; j += 1) {
        const y = sums[from + j]!;
        if (y > x) ranks[i]! += 1;
        else ranks[j]! += 1;
        const tied = totals[i] === totals[j];
        if (tied ? x === y : x > y) agree += 1;
      }
    }
    let squares = 0;
    let overlap = 0;
    let error = 0;
    let worst = 0;
    for (let i = 0; i < n; i += 1) {
      squares += (ranks[i]! - (i + 1)) ** 2;
      if (i < top && ranks[i]! <= top) overlap += 1;
      const miss = Math.abs(sums[from + i]! / divisor - full[i]!) / scale;
      error += miss;
      if (miss > worst) worst = miss;
    }
    let kept = 0;
    for (const [a, b] of resolved) {
      const was = Math.sign(totals[a]! - totals[b]!);
      if (was === Math.sign(sums[from + a]! - sums[from + b]!)) kept += 1;
    }
    out[0] = n < 2 ? 1 : 1 - (6 * squares) / (n * (n * n - 1));
    out[1] = n < 2 ? 1 : agree / pairs;
    out[2] = resolved.length === 0 ? 0 : kept / resolved.length;
    out[3] = overlap / top;
    out[4] = ranks[0] === 1 ? 1 : 0;
    out[5] = error / n;
    out[6] = worst;
    return out;
  };
}

function summary(values: Float64Array): MetricSummary {
  const sorted = values.slice().sort();
  return {
    mean: values.reduce((a, b) => a + b, 0) / values.length,
    median: sortedQuantile(sorted, 0.5),
    p2_5: sortedQuantile(sorted, 0.025),
    p97_5: sortedQuantile(sorted, 0.975),
  };
}

/** What the figure shows, in the order of its legend. */
export const PRECISION_SERIES = [
  ['rank_spearman', 'rank correlation'],
  ['all_pair_order_agreement', 'pair order'],
  ['top_5_overlap', 'top-five overlap'],
  ['top_1_preserved', 'leader kept'],
] as const;

/** Agreement of the subsets of one size with the whole, by one quantity. */
export interface PrecisionPoint {
  readonly tasks: number;
  readonly series: string;
  /** Median over subsets; for a kept leader the mean: a share of the subsets. */
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
}

/** Lists how smaller task sets agree with the whole, by size and quantity. */
export function precisionPoints(sizes: readonly PrecisionSize[]): PrecisionPoint[] {
  return sizes.flatMap(({ tasks, metrics }) =>
    PRECISION_SERIES.flatMap(([key, series]): PrecisionPoint[] => {
      const summary = metrics[key];
      if (summary === null) return [];
      if (key === 'top_1_preserved') return [{ tasks, series, value: summary.mean, low: null, high: null }];
      return [{ tasks, series, value: summary.median, low: summary.p2_5, high: summary.p97_5 }];
    }),
  );
}
