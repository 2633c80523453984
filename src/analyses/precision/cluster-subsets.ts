import type { ScoreMatrix } from '../../core/matrix.js';
import type { PhiloxDraw } from '../../engine/philox.js';
import { openWasmDraws } from '../../engine/wasm/draw-words.js';
import { equalWeights, familyMajor, stratifiedTotal } from '../../inference/rank-agreement.js';
import { joined, type Shares } from '../../shares/ranged-work.js';
import { fail } from '../../util/error.js';
import { counted } from '../../util/format.js';
import { drawnPieces, matrixWorkKey } from '../shared-work.js';
import { rankedColumns } from './ranked-columns.js';
import { PRECISION_STREAM, type PrecisionSize, precisionAt } from './subsets.js';
import { openWeightedSums } from './weighted-sums.js';

export interface ClusterSubsetOptions {
  readonly matrix: ScoreMatrix;
  /** Pairs of row numbers that the leaderboard resolves. */
  readonly resolved: readonly (readonly [number, number])[];
  /** Numbers of tasks in a subset. */
  readonly sizes: readonly number[];
  readonly draws: number;
  readonly seed: bigint;
  readonly shares?: Shares | undefined;
}

/**
 * Measures how well smaller sets of clusters would have ordered the same models (decisions 5.3): each subset takes clusters in random order,
 * in every stratum until it has its share of the tasks, and of the last cluster tasks at random. Scores are means of stratum means,
 * whatever the sizes of strata. The whole matrix is added as the last size. Errors: USAGE for a size that leaves a stratum empty or that the
 * matrix does not have.
 */
export function clusterPrecision(options: ClusterSubsetOptions): PrecisionSize[] {
  const { matrix, sizes, draws, seed } = options;
  const strata = familyMajor(matrix);
  const T = matrix.tasks.length;
  const available = strata.map(({ tasks }) => tasks.length);
  const all = scoreWeights(available);
  const scores = rankedColumns(matrix, {
    totals: Float64Array.from(matrix.models, (_, m) =>
      stratifiedTotal((t) => matrix.values[m * T + t]!, strata, all.weights),
    ),
    divisor: all.divisor,
    resolved: options.resolved,
  });
  const members = strata.map(({ tasks }) => clusterMembers(matrix, tasks));
  const clusters = new Set(matrix.clusters).size;
  const stratumOf = new Int32Array(T);
  strata.forEach((stratum, s) => {
    for (const t of stratum.tasks) stratumOf[t] = s;
  });
  const sized = sizes.map((tasks) => {
    const takes =
      stratumTakes(available, tasks) ??
      fail(
        'USAGE',
        null,
        `${counted(tasks, 'task')} cannot be shared out among strata of ${[...new Set(available)].join(', ')}`,
        `Give numbers of tasks below ${T} of which every stratum has a share.`,
      );
    const { weights, divisor } = scoreWeights(takes);
    const { models } = scores;
    const pieces = drawnPieces(
      options.shares,
      { kind: 'philox' },
      {
        what: 'subsets',
        units: draws,
        key: () => matrixWorkKey({ what: 'cluster subsets', size: tasks, draws, seed: seed.toString() }, matrix),
        lengths: (_, count) => ({ sums: count * models }),
        range(first, count) {
          const open = openWasmDraws({ seed, stream: PRECISION_STREAM + tasks, run: clusters });
          const add = openWeightedSums(scores, { takes, weights, stratumOf });
          const sums = add(first, count, (draw, taken) => {
            const words = open(draw);
            const order = words.subset(clusters, clusters);
            let from = 0;
            for (let s = 0; s < takes.length; s += 1) {
              takeTasks(words, order, members[s]!, taken.subarray(from, from + takes[s]!));
              from += takes[s]!;
            }
          });
          return { sums };
        },
      },
    );
    const sums = joined(pieces, 'sums');
    return precisionAt(scores, { strata: strata.length, sums, tasks, divisor });
  });
  return [
    ...sized,
    precisionAt(scores, { strata: strata.length, sums: scores.totals, tasks: T, divisor: all.divisor }),
  ];
}

/** Largest multiple of stratum sizes that integers of scores may be weighed by. */
const MOST_MULTIPLE = 2 ** 20;

/** Weights that make strata count alike: whole numbers where they are small enough for exact ties, else fractions. */
function scoreWeights(takes: readonly number[]): { readonly weights: readonly number[]; readonly divisor: number } {
  const exact = equalWeights(takes);
  if (exact.divisor <= MOST_MULTIPLE * takes.length) return exact;
  return { weights: takes.map((take) => 1 / take), divisor: takes.length };
}

/** Tasks of a stratum by cluster, clusters numbered over the whole matrix by first appearance; undefined where a cluster has none there. */
function clusterMembers({ clusters }: ScoreMatrix, tasks: Int32Array): readonly (readonly number[] | undefined)[] {
  const numbers = new Map<string, number>();
  for (const cluster of clusters) if (!numbers.has(cluster)) numbers.set(cluster, numbers.size);
  const members = Array.from({ length: numbers.size }, (): number[] | undefined => undefined);
  for (const t of tasks) {
    const c = numbers.get(clusters[t]!)!;
    (members[c] ??= []).push(t);
  }
  return members;
}

/** Shares tasks out among strata, rounded at the running total; null where some stratum would get none, or more than it has. */
export function stratumTakes(sizes: readonly number[], tasks: number): number[] | null {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let before = 0;
  const takes = sizes.map((size) => {
    const from = Math.round((tasks * before) / total);
    before += size;
    return Math.round((tasks * before) / total) - from;
  });
  return takes.every((take, s) => take >= 1 && take <= sizes[s]!) ? takes : null;
}

/** Takes clusters in order until `taken` is full, of the last one a random part. */
function takeTasks(
  words: PhiloxDraw,
  order: Int32Array,
  members: readonly (readonly number[] | undefined)[],
  taken: Int32Array,
): void {
  let filled = 0;
  for (let at = 0; filled < taken.length; at += 1) {
    const own = members[order[at]!];
    if (own === undefined) continue;
    const left = taken.length - filled;
    if (own.length <= left) for (let i = 0; i < own.length; i += 1) taken[filled++] = own[i]!;
    else for (const position of words.subset(own.length, left)) taken[filled++] = own[position]!;
  }
}
