import { columnsOf } from '../../io/arrow.js';
import { type AnalysisReport, percent, three } from '../report.js';
import { PRECISION_METRICS, type PrecisionSize } from './subsets.js';

/** Sizes as a table, a figure and a paragraph, of as many models. */
export function precisionReport(results: readonly PrecisionSize[], models: number): AnalysisReport {
  const sizes = results.toSorted((a, b) => a.tasks - b.tasks);
  const rows = sizes.flatMap((size) =>
    PRECISION_METRICS.flatMap((metric) => {
      const summary = size.metrics[metric];
      return summary === null ? [] : [{ ...size, metric, ...summary }];
    }),
  );
  return {
    columns: columnsOf(rows, {
      tasks: ['int32', (row) => row.tasks],
      draws: ['int32', (row) => row.draws],
      metric: ['text', (row) => row.metric],
      mean: ['float64', (row) => row.mean],
      median: ['float64', (row) => row.median],
      p2_5: ['float64', (row) => row.p2_5],
      p97_5: ['float64', (row) => row.p97_5],
    }),
    words: words(sizes, models),
    figure: async (options) => (await import('./figure.js')).drawPrecision(results, options),
  };
}

function words(sizes: readonly PrecisionSize[], models: number): string {
  const partial = sizes.slice(0, -1);
  const largest = partial.at(-1);
  if (largest === undefined) return 'Only the whole task set was compared with itself.';
  const { rank_spearman: rho, top_1_preserved: leader, top_5_overlap: five } = largest.metrics;
  const first = models > 5 ? `, ${percent(five?.median ?? 0)} of the first five at the median,` : '';
  return `With ${largest.tasks} of ${sizes.at(-1)?.tasks} tasks the order of the models keeps a median rank correlation of ${three(rho?.median ?? null)} (${three(rho?.p2_5 ?? null)} to ${three(rho?.p97_5 ?? null)})${first} and the same leader in ${percent(leader?.mean ?? 0, 1)} of the draws. It shows how stable this order is under fewer of these tasks; it does not show how other tasks would order the models.`;
}
