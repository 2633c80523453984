import type { ExactTotals } from './totals.js';

/** Sorts models by exact score, best first; equal scores in index order. */
export function pointOrder(exact: ExactTotals, models: number): Int32Array {
  return Int32Array.from({ length: models }, (_, i) => i).sort((a, b) => {
    const left = exact.totals[a]!;
    const right = exact.totals[b]!;
    return left > right ? -1 : left < right ? 1 : a - b;
  });
}

/** Gives the rank 1..M of each model, without shared ranks. */
export function pointRanks(order: Int32Array): Int32Array {
  const ranks = new Int32Array(order.length);
  order.forEach((model, k) => {
    ranks[model] = k + 1;
  });
  return ranks;
}

export interface RankIntervalOptions {
  /** models x models: draws in which model m took rank k + 1. */
  readonly counts: ArrayLike<number>;
  readonly models: number;
  readonly draws: number;
  readonly alpha: number;
}

/** Forms the bootstrap rank intervals, models x 2: the `lower` quantile at alpha / 2 and the `higher` one at 1 - alpha / 2. */
export function rankIntervals(options: RankIntervalOptions): Int32Array {
  const { counts, models, draws, alpha } = options;
  const low = Math.floor((draws - 1) * (alpha / 2));
  const high = Math.ceil((draws - 1) * (1 - alpha / 2));
  const intervals = new Int32Array(models * 2);
  for (let m = 0; m < models; m += 1) {
    intervals[2 * m] = rankAt(counts, m, models, low);
    intervals[2 * m + 1] = rankAt(counts, m, models, high);
  }
  return intervals;
}

/** Rank at place `index` of a model's ranks sorted ascending. */
function rankAt(counts: ArrayLike<number>, model: number, models: number, index: number): number {
  let below = 0;
  for (let k = 0; k < models; k += 1) {
    below += counts[model * models + k]!;
    if (below > index) return k + 1;
  }
  return models;
}

/** Sorts models by rank, equal ranks by id: the order of every table. */
export function byRank<Model extends { readonly rank: number; readonly modelId: string }>(
  models: readonly Model[],
): Model[] {
  return [...models].sort((a, b) => a.rank - b.rank || (a.modelId < b.modelId ? -1 : 1));
}
