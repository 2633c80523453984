import * as Plot from '@observablehq/plot';
import { columnFigure } from '../../draw/column.js';
import { COLUMN } from '../../draw/column-size.js';
import { FIGURE_WIDTH, renderFigure, type Theme, themeColours } from '../../draw/figure.js';
import { measured } from '../../draw/text.js';
import type { DrawOptions } from '../analysis.js';
import { PRECISION_SERIES, type PrecisionPoint, precisionPoints } from './points.js';
import type { PrecisionSize } from './subsets.js';

/** How many tasks the order of the models needs (figure 4 of a release). */
export function drawPrecision(results: readonly PrecisionSize[], { theme, size }: DrawOptions): string {
  if (size === 'column') return drawnInColumn(results, theme);
  return drawnOnScreen(
    results.toSorted((a, b) => a.tasks - b.tasks),
    theme,
  );
}

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

function drawnOnScreen(sizes: readonly PrecisionSize[], theme: Theme): string {
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

const LOOK = [
  { colour: 'blue', symbol: 'circle', mark: 'dot' },
  { colour: 'teal', symbol: 'square', mark: 'square' },
  { colour: 'gold', symbol: 'triangle', mark: 'triangle' },
  { colour: 'red', symbol: 'diamond', mark: 'diamond' },
] as const;

const LEFT = 34;
const RIGHT = 14;

/** The sizes whose labels have room on the axis, from the largest down. */
function apart(sizes: readonly number[]): number[] {
  const logs = sizes.map(Math.log);
  const span = Math.max(...logs) - Math.min(...logs) || 1;
  const inside = COLUMN.width - LEFT - RIGHT;
  const kept: { size: number; at: number }[] = [];
  for (const size of [...sizes].sort((a, b) => b - a)) {
    const at = (Math.log(size) / span) * inside;
    const last = kept.at(-1);
    if (last === undefined || last.at - at > measured(String(size), COLUMN.text) + 8) kept.push({ size, at });
  }
  return kept.map(({ size }) => size);
}

/** Zero, or where agreement falls below it, the fifth under the lowest. */
const lowest = (points: readonly PrecisionPoint[]): number =>
  Math.floor(5 * Math.min(0, ...points.map((p) => p.low ?? p.value))) / 5;

/** How well smaller task sets keep the order of the whole (figure 4). */
function drawnInColumn(sizesDrawn: readonly PrecisionSize[], theme: Theme): string {
  const points = precisionPoints(sizesDrawn);
  const present = PRECISION_SERIES.map(([, label], k) => ({
    label,
    ...LOOK[k]!,
    own: points.filter(({ series }) => series === label),
  })).filter(({ own }) => own.length > 0);
  const sizes = [...new Set(points.map(({ tasks }) => tasks))];
  return columnFigure({
    theme,
    title: 'How many tasks the order needs',
    subtitle:
      'Smaller stratified subsets against the whole set: medians, bands from the 2.5th to the 97.5th percentile; leader kept: share of subsets.',
    caption: 'The last point is the whole set itself.',
    legend: (c) => present.map(({ label, colour, mark }) => ({ label, colour: c[colour], mark })),
    parts: (c) => [
      {
        height: 216,
        plot: {
          marginLeft: LEFT,
          marginRight: RIGHT,
          marginTop: 6,
          marginBottom: 32,
          x: { type: 'log', axis: null },
          y: { label: null, domain: [lowest(points), 1], grid: true },
          marks: [
            Plot.axisX(apart(sizes), {
              label: 'tasks',
              labelAnchor: 'center',
              labelArrow: 'none',
              tickSize: 0,
              text: (size: number) => String(size),
            }),
            ...present.flatMap(({ own, colour }) =>
              own[0]?.low === null
                ? []
                : [
                    Plot.areaY(own, {
                      x: 'tasks',
                      y1: 'low',
                      y2: 'high',
                      fill: c[colour],
                      fillOpacity: 0.14,
                    }),
                  ],
            ),
            ...present.flatMap(({ own, colour, symbol }) => [
              Plot.line(own, { x: 'tasks', y: 'value', stroke: c[colour], strokeWidth: 1.6 }),
              Plot.dot(own, { x: 'tasks', y: 'value', fill: c[colour], r: 3, symbol }),
            ]),
          ],
        },
      },
    ],
  });
}
