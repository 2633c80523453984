import type { Agreement } from '../agreement.js';
import type { MetricResult } from './scores.js';

export const METRIC_LABEL: Readonly<Record<string, string>> = {
  chance_adjusted_gain: 'gain over chance',
  action_percentile: 'action percentile',
  exact_optimum_rate: 'exact optimum',
};

export const METRIC_NAME: Readonly<Record<string, string>> = {
  flavourbench_score: 'FlavourBench Score',
  chance_adjusted_gain: 'Chance-adjusted gain',
  action_percentile: 'Action percentile',
  exact_optimum_rate: 'Exact-optimum rate',
};

/** Agreement of each summary of the answers with the score, and who leads under it. */
export function metricRows(metrics: readonly MetricResult[]): (Agreement & { readonly leader: string })[] {
  return metrics.map(({ metric, rank_spearman, pair_order_agreement, leader }) => ({
    label: METRIC_NAME[metric] ?? metric,
    correlation: rank_spearman,
    pairOrder: pair_order_agreement,
    leader,
  }));
}
