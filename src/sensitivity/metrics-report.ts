import * as Plot from '@observablehq/plot';
import { columnsOf } from '../util/arrow.js';
import { renderFigure } from '../util/figure.js';
import type { MetricBoard } from './metrics.js';
import { type AnalysisReport, percent, three } from './report.js';

const LABEL: Readonly<Record<string, string>> = {
  chance_adjusted_gain: 'gain over chance',
  action_percentile: 'action percentile',
  exact_optimum_rate: 'exact optimum',
};

/** Alternative boards as a table, a figure and a paragraph. */
export function metricsReport(
  models: readonly string[],
  boards: readonly MetricBoard[],
): AnalysisReport {
  const others = boards.filter(({ metric }) => metric in LABEL);
  const rows = boards.flatMap(({ metric, values }) =>
    models.map((model, m) => ({ metric, model, value: values[m] as number })),
  );
  const points = others.flatMap(({ metric, agreement }) => [
    { metric: LABEL[metric] as string, kind: 'rank correlation', value: agreement.rank_spearman },
    { metric: LABEL[metric] as string, kind: 'pair order', value: agreement.pair_order_agreement },
  ]);
  const low = Math.min(0.8, ...points.map(({ value }) => Math.floor(value * 10) / 10));
  return {
    columns: columnsOf(rows, {
      metric: ['text', (row) => row.metric],
      model: ['text', (row) => row.model],
      value: ['float64', (row) => row.value],
    }),
    words: `Against the primary score the order of the models keeps ${others.map(({ metric, agreement }) => `a rank correlation of ${three(agreement.rank_spearman)} and ${percent(agreement.pair_order_agreement, 1)} of pair orders under ${LABEL[metric]} (leader ${agreement.leader})`).join('; ')}. Equal counts of optima are ties. It shows how far the order hangs on the way the maps are read; all of them read the same maps.`,
    figure: (theme) =>
      renderFigure({
        theme,
        width: 600,
        height: 190,
        title: 'Other ways to read the same answers',
        subtitle: 'Agreement of three summaries with the primary score.',
        plot: (c) => ({
          marginLeft: 130,
          marginRight: 140,
          marginBottom: 40,
          x: { label: null, domain: [low, 1], grid: true },
          y: { label: null, type: 'band', domain: others.map(({ metric }) => LABEL[metric]) },
          marks: [
            ...(['rank correlation', 'pair order'] as const).flatMap((kind, i) => {
              const own = points.filter((point) => point.kind === kind);
              const dy = i === 0 ? -8 : 8;
              return [
                Plot.dot(own, {
                  x: 'value',
                  y: 'metric',
                  r: 5,
                  dy,
                  fill: i === 0 ? c.blue : c.gold,
                }),
                Plot.text(own, {
                  x: 1,
                  y: 'metric',
                  dx: 10,
                  dy,
                  textAnchor: 'start',
                  text: (d: { kind: string; value: number }) => `${d.value.toFixed(3)} ${d.kind}`,
                  fill: c.ink,
                }),
              ];
            }),
          ],
        }),
      }),
  };
}
