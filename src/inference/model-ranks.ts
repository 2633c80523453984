import type { ModelResult } from './result.js';
import type { ExactTotals } from './totals.js';

/** Sorts models by exact score, best first; equal scores in index order. */
export function pointOrder(exact: ExactTotals, models: number): Int32Array {
  return Int32Array.from({ length: models }, (_, i) => i).sort((a, b) => {
    const left = exact.totals[a]!;
    const right = exact.totals[b]!;
    return left > right ? -1 : left < right ? 1 : a - b;
  });
}

/** Gives the rank of each model: 1 + the number strictly above (decisions 1.1), or, ordinal, its place in the order. */
export function pointRanks(exact: ExactTotals, order: Int32Array, kind: 'shared' | 'ordinal'): Int32Array {
  const ranks = new Int32Array(order.length);
  order.forEach((model, k) => {
    const above = order[k - 1];
    const shares = kind === 'shared' && above !== undefined && exact.totals[above] === exact.totals[model];
    ranks[model] = shares ? ranks[above]! : k + 1;
  });
  return ranks;
}

export interface RankIntervalOptions {
  /** models x models: draws, or weight of draws, in which model m took rank k + 1 as its best. */
  readonly best: ArrayLike<number>;
  /** The same of its worst; that of its best where ranks are not shared. */
  readonly worst: ArrayLike<number>;
  readonly models: number;
  readonly draws: number;
  /** What the weights of a model add up to, where counts are weights of an enumerated bootstrap. */
  readonly total?: number;
  readonly alpha: number;
}

/**
 * Forms the percentile rank intervals, models x 2: from the lower alpha / 2 quantile of the best rank to the upper 1 - alpha / 2
 * quantile of the worst (decisions 1.2; statistics 5.5 where ranks are not shared).
 */
export function rankIntervals({ best, worst, models, draws, total, alpha }: RankIntervalOptions): Int32Array {
  const low = total !== undefined ? total * (alpha / 2) : Math.floor((draws - 1) * (alpha / 2)) + 1;
  const high = total !== undefined ? total * (1 - alpha / 2) : Math.ceil((draws - 1) * (1 - alpha / 2)) + 1;
  const intervals = new Int32Array(models * 2);
  for (let m = 0; m < models; m += 1) {
    intervals[2 * m] = rankReaching(best, m, models, low);
    intervals[2 * m + 1] = rankReaching(worst, m, models, high);
  }
  return intervals;
}

/** The least rank up to which `target` of a model's draws lie. */
function rankReaching(counts: ArrayLike<number>, model: number, models: number, target: number): number {
  let upTo = 0;
  for (let k = 0; k < models; k += 1) {
    upTo += counts[model * models + k]!;
    if (upTo >= target) return k + 1;
  }
  return models;
}

/** Sorts models by rank, equal ranks by id: the order of every table. */
export function byRank<Model extends { readonly rank: number; readonly modelId: string }>(
  models: readonly Model[],
): Model[] {
  return [...models].sort((a, b) => a.rank - b.rank || (a.modelId < b.modelId ? -1 : 1));
}

/** Writes a rank; one that is shared with an equals sign (decisions 1.1). */
export function rankText({ rank, rankTied }: Pick<ModelResult, 'rank' | 'rankTied'>): string {
  return rankTied === true ? `${rank}=` : String(rank);
}

/** Writes a range of ranks: `2-5`, a single one as `3`, none as nothing. */
export function rangeText(range: readonly [number, number] | null): string {
  if (range === null) return '';
  return range[0] === range[1] ? String(range[0]) : `${range[0]}-${range[1]}`;
}
