import type { Agreement } from '../agreement.js';
import type { Metric, MetricResult } from './scores.js';

/** The summaries that are compared with the score, as sentences call them. */
export const METRIC_LABEL: Readonly<Record<string, string>> = {
  chance_adjusted_gain: 'gain over chance',
  action_percentile: 'action percentile',
  exact_optimum_rate: 'exact optimum',
};

/** The primary score, as tables call it. */
export const SCORE_NAME = 'FlavourBench Score';

const NAME: Readonly<Record<Metric, string>> = {
  flavourbench_score: SCORE_NAME,
  chance_adjusted_gain: 'Chance-adjusted gain',
  action_percentile: 'Action percentile',
  exact_optimum_rate: 'Exact-optimum rate',
};

/** Agreement of each summary of the answers with the score, and who leads under it. */
export function metricRows(metrics: readonly MetricResult[]): (Agreement & { readonly leader: string })[] {
  return metrics.map(({ metric, rank_spearman, pair_order_agreement, leader }) => ({
    label: NAME[metric],
    correlation: rank_spearman,
    pairOrder: pair_order_agreement,
    leader,
  }));
}
