import type { ScoreMatrix } from '../../core/matrix.js';
import { type PhiloxDraw, philoxDraw } from '../../engine/philox.js';
import { equalWeights, familyMajor, stratifiedTotal } from '../../inference/rank-agreement.js';
import { fail } from '../../util/error.js';
import { counted } from '../../util/format.js';
import { PRECISION_STREAM, type PrecisionSize, precisionAt, rankedColumns } from './subsets.js';

export interface ClusterSubsetOptions {
  readonly matrix: ScoreMatrix;
  /** Pairs of row numbers that the leaderboard resolves. */
  readonly resolved: readonly (readonly [number, number])[];
  /** Numbers of tasks in a subset. */
  readonly sizes: readonly number[];
  readonly draws: number;
  readonly seed: bigint;
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
    const sums = new Float64Array(draws * scores.models);
    for (let draw = 0; draw < draws; draw += 1) {
      const words = philoxDraw({ seed, stream: PRECISION_STREAM + tasks, draw });
      const order = words.subset(clusters, clusters);
      takes.forEach((take, s) => {
        for (const t of takenTasks(words, order, { members: members[s]!, take })) {
          const from = t * scores.models;
          const to = draw * scores.models;
          for (let k = 0; k < scores.models; k += 1) sums[to + k]! += weights[s]! * scores.columns[from + k]!;
        }
      });
    }
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

/** Tasks of a stratum by cluster, clusters numbered over the whole matrix by first appearance. */
function clusterMembers({ clusters }: ScoreMatrix, tasks: Int32Array): ReadonlyMap<number, readonly number[]> {
  const numbers = new Map<string, number>();
  for (const cluster of clusters) if (!numbers.has(cluster)) numbers.set(cluster, numbers.size);
  const members = new Map<number, number[]>();
  for (const t of tasks) {
    const c = numbers.get(clusters[t]!)!;
    const own = members.get(c);
    if (own) own.push(t);
    else members.set(c, [t]);
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

/** Takes clusters in order until there are tasks enough, of the last one a random part. */
function takenTasks(
  words: PhiloxDraw,
  order: Int32Array,
  { members, take }: { readonly members: ReadonlyMap<number, readonly number[]>; readonly take: number },
): number[] {
  const taken: number[] = [];
  for (const c of order) {
    const own = members.get(c);
    if (own === undefined) continue;
    const left = take - taken.length;
    if (own.length <= left) taken.push(...own);
    else for (const position of words.subset(own.length, left)) taken.push(own[position]!);
    if (taken.length === take) break;
  }
  return taken;
}
