import { columnsOf } from '../io/arrow.js';
import { agreementFigure } from './agreement-figure.js';
import type { MetricBoard } from './metrics.js';
import { type AnalysisReport, percent, three } from './report.js';

const LABEL: Readonly<Record<string, string>> = {
  chance_adjusted_gain: 'gain over chance',
  action_percentile: 'action percentile',
  exact_optimum_rate: 'exact optimum',
};

/** Alternative boards as a table, a figure and a paragraph. */
export function metricsReport(models: readonly string[], boards: readonly MetricBoard[]): AnalysisReport {
  const others = boards.filter(({ metric }) => metric in LABEL);
  const rows = boards.flatMap(({ metric, values }) => models.map((model, m) => ({ metric, model, value: values[m]! })));
  return {
    columns: columnsOf(rows, {
      metric: ['text', (row) => row.metric],
      model: ['text', (row) => row.model],
      value: ['float64', (row) => row.value],
    }),
    words: `Against the primary score the order of the models keeps ${others.map(({ metric, agreement }) => `a rank correlation of ${three(agreement.rank_spearman)} and ${percent(agreement.pair_order_agreement, 1)} of pair orders under ${LABEL[metric]} (leader ${agreement.leader})`).join('; ')}. Equal counts of optima are ties. It shows how far the order hangs on the way the maps are read; all of them read the same maps.`,
    figure: (theme) =>
      agreementFigure({
        theme,
        title: 'Other ways to read the same answers',
        subtitle: 'Agreement of three summaries with the primary score.',
        rows: others.map(({ metric, agreement }) => ({
          label: LABEL[metric]!,
          correlation: agreement.rank_spearman,
          pairOrder: agreement.pair_order_agreement,
        })),
      }),
  };
}
