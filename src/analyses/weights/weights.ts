import { columnsOf } from '../../io/arrow.js';
import { type AnalysisReport, three } from '../report.js';
import type { WeightsResult } from './grid.js';
import { weightRows } from './rows.js';

/** The weight grid as a table, a figure and a paragraph. `order` names the models by primary rank. */
export function weightsReport(result: WeightsResult, order: readonly string[]): AnalysisReport {
  const models = order.map((id, k) => ({ id, name: id, rank: k + 1 }));
  const rows = weightRows(result, models);
  const [a, b, c] = result.least_alike;
  return {
    columns: columnsOf(rows, {
      model: ['text', (row) => row.id],
      rank: ['int32', (row) => row.rank],
      best_rank: ['int32', (row) => row.best],
      worst_rank: ['int32', (row) => row.worst],
      leads: ['int32', (row) => row.leads],
    }),
    words: `Over ${result.grid_points} weightings of the three families the rank correlation with equal weights is at least ${three(result.rank_spearman[0])} (at ${a}/${b}/${c}) and ${three(result.rank_spearman[1])} at the median. ${Object.entries(
      result.leaders,
    )
      .map(([model, n]) => `${model} leads in ${n}`)
      .join(', ')}. It shows how far the order hangs on the weights; it does not say which weights are right.`,
    figure: async (options) => (await import('./figure.js')).drawWeights(result, { ...options, models }),
  };
}
