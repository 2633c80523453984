import * as Plot from '@observablehq/plot';
import { rankTicks, rowAxis } from '../draw/axis.js';
import { renderFigure } from '../draw/figure.js';
import { columnsOf } from '../io/arrow.js';
import { type AnalysisReport, MODEL_ROW, three } from './report.js';
import type { WeightsResult } from './weights.js';

/** The weight grid as a table, a figure and a paragraph. `order` names the models by primary rank. */
export function weightsReport(result: WeightsResult, order: readonly string[]): AnalysisReport {
  const rows = order.map((model, k) => {
    const [best, worst] = result.rank_ranges[model]!;
    return {
      at: k,
      model,
      rank: k + 1,
      best,
      worst,
      leads: result.leaders[model] ?? 0,
    };
  });
  const [a, b, c] = result.least_alike;
  return {
    columns: columnsOf(rows, {
      model: ['text', (row) => row.model],
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
    figure: (theme) => {
      const axis = rowAxis(order);
      return renderFigure({
        theme,
        height: 44 + MODEL_ROW * rows.length,
        title: 'Ranks under every weighting of the families',
        subtitle: `Bars: best to worst rank over ${result.grid_points} weightings. Dots: equal weights.`,
        plot: (colours) => ({
          marginLeft: axis.marginLeft,
          marginRight: 24,
          marginTop: 6,
          marginBottom: 38,
          x: {
            label: 'rank',
            domain: [0.5, rows.length + 0.5],
            ticks: rankTicks(rows.length),
            tickFormat: 'd',
            grid: true,
          },
          y: axis.y,
          marks: [
            Plot.ruleY(rows, {
              y: 'at',
              x1: (d: { best: number }) => d.best - 0.25,
              x2: (d: { worst: number }) => d.worst + 0.25,
              stroke: colours.teal,
              strokeWidth: 5,
              strokeOpacity: 0.55,
              strokeLinecap: 'round',
            }),
            Plot.dot(rows, { x: 'rank', y: 'at', r: 3.2, fill: colours.ink }),
          ],
        }),
      });
    },
  };
}
