import * as Plot from '@observablehq/plot';
import { columnsOf } from '../util/arrow.js';
import { renderFigure, themeColours } from '../util/figure.js';
import { PRECISION_METRICS, type PrecisionMetric, type PrecisionSize } from './precision.js';
import { type AnalysisReport, percent, three } from './report.js';

const SERIES: readonly (readonly [PrecisionMetric, string, 'blue' | 'gold' | 'teal'])[] = [
  ['rank_spearman', 'rank correlation', 'blue'],
  ['top_5_overlap', 'top-five overlap', 'gold'],
  ['all_pair_order_agreement', 'pair order', 'teal'],
];

const WIDTH = 700;
const MARGINS = { marginLeft: 52, marginRight: 24, marginTop: 16, marginBottom: 44 };

/** Sizes whose numbers have room on the axis, the largest first of all. */
function ticksOf(sizes: readonly number[]): number[] {
  const span = WIDTH - MARGINS.marginLeft - MARGINS.marginRight;
  const [low, high] = [Math.sqrt(sizes[0] as number), Math.sqrt(sizes.at(-1) as number)];
  const at = (size: number) => (high === low ? 0 : (span * (Math.sqrt(size) - low)) / (high - low));
  const kept: number[] = [];
  for (const size of sizes.toReversed()) {
    const room = 8 + 7 * String(size).length;
    if (kept.length === 0 || at(kept[0] as number) - at(size) >= room) kept.unshift(size);
  }
  return kept;
}

/** Sizes as a table, a figure and a paragraph. */
export function precisionReport(results: readonly PrecisionSize[]): AnalysisReport {
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
    words: words(sizes),
    figure: (theme) =>
      renderFigure({
        theme,
        width: WIDTH,
        height: 340,
        title: 'How many tasks the order needs',
        subtitle:
          'Random stratified subsets against the whole task set: medians and 2.5-97.5 percentiles.',
        caption:
          'Drawn without replacement and without a look at any score; subsets near the whole agree partly because they share its tasks.',
        legend: SERIES.map(([, label, colour]) => ({
          label,
          colour: themeColours(theme)[colour],
          mark: 'line' as const,
        })),
        plot: (c) => {
          const least = Math.min(
            0,
            ...sizes.flatMap(({ metrics }) => SERIES.map(([name]) => metrics[name]?.p2_5 ?? 0)),
          );
          const drawn = SERIES.map(([metric, , colour]) => ({
            colour: c[colour],
            points: sizes.map((size) => ({ tasks: size.tasks, ...size.metrics[metric] })),
          }));
          return {
            ...MARGINS,
            x: {
              type: 'sqrt',
              label: 'tasks',
              labelAnchor: 'center',
              labelArrow: 'none',
              ticks: ticksOf(sizes.map(({ tasks }) => tasks)),
              tickFormat: (d: number) => String(d),
            },
            y: { label: null, grid: true, domain: [least, 1] },
            marks: drawn.flatMap(({ colour, points }) => [
              Plot.areaY(points, {
                x: 'tasks',
                y1: 'p2_5',
                y2: 'p97_5',
                fill: colour,
                fillOpacity: 0.13,
              }),
              Plot.line(points, { x: 'tasks', y: 'median', stroke: colour, strokeWidth: 2 }),
              Plot.dot(points, { x: 'tasks', y: 'median', fill: colour, r: 3 }),
            ]),
          };
        },
      }),
  };
}

function words(sizes: readonly PrecisionSize[]): string {
  const partial = sizes.slice(0, -1);
  const largest = partial.at(-1);
  if (largest === undefined) return 'Only the whole task set was compared with itself.';
  const { rank_spearman: rho, top_1_preserved: leader, top_5_overlap: five } = largest.metrics;
  return `With ${largest.tasks} of ${sizes.at(-1)?.tasks} tasks the order of the models keeps a median rank correlation of ${three(rho?.median ?? null)} (${three(rho?.p2_5 ?? null)} to ${three(rho?.p97_5 ?? null)}), ${percent(five?.median ?? 0)} of the first five at the median, and the same leader in ${percent(leader?.mean ?? 0, 1)} of the draws. It shows how stable this order is under fewer of these tasks; it does not show how other tasks would order the models.`;
}
