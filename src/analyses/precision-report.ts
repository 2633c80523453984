import * as Plot from '@observablehq/plot';
import { FIGURE_WIDTH, renderFigure, type Theme, themeColours } from '../draw/figure.js';
import { columnsOf } from '../io/arrow.js';
import { PRECISION_METRICS, type PrecisionSize } from './precision.js';
import { type AnalysisReport, percent, three } from './report.js';

const SERIES = [
  ['rank_spearman', 'rank correlation', { colour: 'blue', symbol: 'circle', mark: 'dot' }],
  ['all_pair_order_agreement', 'pair order', { colour: 'teal', symbol: 'square', mark: 'square' }],
  ['top_5_overlap', 'top-five overlap', { colour: 'gold', symbol: 'triangle', mark: 'triangle' }],
] as const;

const MARGINS = { marginLeft: 52, marginRight: 24, marginTop: 10, marginBottom: 38 };

/** Sizes whose numbers have room on the axis, the largest first of all. */
function ticksOf(sizes: readonly number[]): number[] {
  const span = FIGURE_WIDTH - MARGINS.marginLeft - MARGINS.marginRight;
  const [low, high] = [Math.sqrt(sizes[0]!), Math.sqrt(sizes.at(-1)!)];
  const at = (size: number) => (high === low ? 0 : (span * (Math.sqrt(size) - low)) / (high - low));
  const kept: number[] = [];
  for (const size of sizes.toReversed()) {
    const room = 8 + 7 * String(size).length;
    if (kept.length === 0 || at(kept[0]!) - at(size) >= room) kept.unshift(size);
  }
  return kept;
}

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
    figure: (theme) => precisionFigure(sizes, theme),
  };
}

function precisionFigure(sizes: readonly PrecisionSize[], theme: Theme): string {
  const drawn = SERIES.map(([metric, label, look]) => ({
    label,
    ...look,
    points: sizes.flatMap(({ tasks, metrics }) => {
      const summary = metrics[metric];
      return summary === null ? [] : [{ tasks, ...summary }];
    }),
  })).filter(({ points }) => points.length > 0);
  const least = Math.min(0, ...drawn.flatMap(({ points }) => points.map(({ p2_5 }) => p2_5)));
  return renderFigure({
    theme,
    height: 320,
    title: 'How many tasks the order needs',
    subtitle:
      'Random stratified subsets against the whole task set: medians, and bands from the 2.5th to the 97.5th percentile.',
    caption:
      'Drawn without replacement and without a look at any score; subsets near the whole agree partly because they share its tasks.',
    legend: drawn.map(({ label, colour, mark }) => ({
      label,
      colour: themeColours(theme)[colour],
      mark,
    })),
    plot: (c) => ({
      ...MARGINS,
      x: {
        type: 'sqrt',
        label: 'tasks',
        ticks: ticksOf(sizes.map(({ tasks }) => tasks)),
        tickFormat: (d: number) => String(d),
      },
      y: { label: null, ticks: 6, grid: true, domain: [Math.floor(5 * least) / 5, 1] },
      marks: [
        ...drawn.map(({ colour, points }) =>
          Plot.areaY(points, {
            x: 'tasks',
            y1: 'p2_5',
            y2: 'p97_5',
            fill: c[colour],
            fillOpacity: 0.14,
          }),
        ),
        ...drawn.flatMap(({ colour, points, symbol }) => [
          Plot.line(points, { x: 'tasks', y: 'median', stroke: c[colour], strokeWidth: 2 }),
          Plot.dot(points, { x: 'tasks', y: 'median', fill: c[colour], r: 3.5, symbol }),
        ]),
      ],
    }),
  });
}

function words(sizes: readonly PrecisionSize[], models: number): string {
  const partial = sizes.slice(0, -1);
  const largest = partial.at(-1);
  if (largest === undefined) return 'Only the whole task set was compared with itself.';
  const { rank_spearman: rho, top_1_preserved: leader, top_5_overlap: five } = largest.metrics;
  const first = models > 5 ? `, ${percent(five?.median ?? 0)} of the first five at the median,` : '';
  return `With ${largest.tasks} of ${sizes.at(-1)?.tasks} tasks the order of the models keeps a median rank correlation of ${three(rho?.median ?? null)} (${three(rho?.p2_5 ?? null)} to ${three(rho?.p97_5 ?? null)})${first} and the same leader in ${percent(leader?.mean ?? 0, 1)} of the draws. It shows how stable this order is under fewer of these tasks; it does not show how other tasks would order the models.`;
}
