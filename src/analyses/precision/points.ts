import type { PrecisionSize } from './subsets.js';

/** What the figure of one column shows, in the order of its legend. */
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

/** Agreement of smaller task sets with the whole, by size and quantity. */
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
