import { columnsOf } from '../../io/arrow.js';
import { type AnalysisReport, percent, three } from '../report.js';
import { METRIC_LABEL } from './rows.js';
import type { MetricScores } from './scores.js';

/** Alternative boards as a table, a figure and a paragraph. */
export function metricsReport(models: readonly string[], boards: readonly MetricScores[]): AnalysisReport {
  const others = boards.filter(({ metric }) => metric in METRIC_LABEL);
  const rows = boards.flatMap(({ metric, values }) => models.map((model, m) => ({ metric, model, value: values[m]! })));
  return {
    columns: columnsOf(rows, {
      metric: ['text', (row) => row.metric],
      model: ['text', (row) => row.model],
      value: ['float64', (row) => row.value],
    }),
    words: `Against the primary score the order of the models keeps ${others.map(({ metric, agreement }) => `a rank correlation of ${three(agreement.rank_spearman)} and ${percent(agreement.pair_order_agreement, 1)} of pair orders under ${METRIC_LABEL[metric]} (leader ${agreement.leader})`).join('; ')}. Equal counts of optima are ties. It shows how far the order hangs on the way the maps are read; all of them read the same maps.`,
    figure: async (options) =>
      (await import('./figure.js')).drawMetrics(
        boards.map(({ metric, agreement }) => ({ metric, values: {}, ...agreement })),
        options,
      ),
  };
}
