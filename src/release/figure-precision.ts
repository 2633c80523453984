import * as Plot from '@observablehq/plot';
import { columnFigure } from '../draw/column.js';
import { COLUMN } from '../draw/column-size.js';
import type { Theme } from '../draw/figure.js';
import { measured } from '../draw/text.js';
import { PRECISION_SERIES, type PrecisionPoint, precisionPoints } from './analysis-rows.js';
import type { ReleaseView } from './release.js';

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
export function drawPrecision(view: ReleaseView, theme: Theme): string {
  const points = precisionPoints(view)!;
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
