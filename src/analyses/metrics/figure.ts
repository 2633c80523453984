import { agreementFigure } from '../agreement-figure.js';
import type { DrawOptions } from '../analysis.js';
import { METRIC_LABEL } from './rows.js';
import type { MetricResult } from './scores.js';

/** Agreement of three summaries of the answers with the score. */
export function drawMetrics(metrics: readonly MetricResult[], { theme }: DrawOptions): string {
  return agreementFigure({
    theme,
    title: 'Other ways to read the same answers',
    subtitle: 'Agreement of three summaries with the primary score.',
    rows: metrics
      .filter(({ metric }) => metric in METRIC_LABEL)
      .map(({ metric, rank_spearman, pair_order_agreement }) => ({
        label: METRIC_LABEL[metric]!,
        correlation: rank_spearman,
        pairOrder: pair_order_agreement,
      })),
  });
}
