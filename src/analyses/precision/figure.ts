import * as Plot from '@observablehq/plot';
import { axisHeight, logTicks } from '../../draw/axis.js';
import { drawFigure } from '../../draw/frame.js';
import { type DrawOptions, lookOf } from '../../draw/look.js';
import { PRECISION_SERIES, type PrecisionPoint, type PrecisionSize, precisionPoints } from './subsets.js';

const MARKS = [
  { colour: 'blue', symbol: 'circle', mark: 'dot' },
  { colour: 'teal', symbol: 'square', mark: 'square' },
  { colour: 'gold', symbol: 'triangle', mark: 'triangle' },
  { colour: 'red', symbol: 'diamond', mark: 'diamond' },
] as const;

/** The fifth under the lowest value. */
const lowest = (points: readonly PrecisionPoint[]): number =>
  Math.min(0.8, Math.floor(5 * Math.min(...points.map((p) => p.low ?? p.value))) / 5);

/** Draws how well smaller task sets keep the order of the whole (analyses 1; figure 4 of a release). */
export function drawPrecision(results: readonly PrecisionSize[], options: DrawOptions): string {
  const look = lookOf(options);
  const { size, colours: c } = look;
  const points = precisionPoints(results).sort((a, b) => a.tasks - b.tasks);
  const series = PRECISION_SERIES.map(([, label], k) => ({
    label,
    ...MARKS[k]!,
    own: points.filter((point) => point.series === label),
  })).filter(({ own }) => own.length > 0);
  const margins = {
    marginLeft: size.margin + Math.round(2.6 * size.text),
    marginRight: size.margin + Math.round(0.6 * size.text),
  };
  const sizes = [...new Set(points.map(({ tasks }) => tasks))];
  return drawFigure(look, {
    title: 'How many tasks the order needs',
    subtitle:
      'Random stratified subsets against the whole task set: medians, bands from the 2.5th to the 97.5th percentile; leader kept: share of subsets in which it leads, alone or tied; of several leaders the first.',
    caption:
      'Drawn without replacement and without a look at any score; subsets near the whole agree partly because they share its tasks. The last point is the whole set itself.',
    legend: series.map(({ label, colour, mark }) => ({ label, colour: c[colour], mark })),
    parts: [
      {
        height: Math.round(0.3 * size.width + 9.6 * size.text),
        plot: {
          ...margins,
          marginTop: size.text,
          marginBottom: axisHeight(look, true),
          x: { type: 'log', axis: null },
          y: { label: null, domain: [lowest(points), 1], ticks: 6, grid: true },
          marks: [
            Plot.axisX(logTicks(look, sizes, size.width - margins.marginLeft - margins.marginRight), {
              label: 'tasks',
              labelAnchor: 'center',
              labelArrow: 'none',
              tickSize: 0,
              text: (tasks: number) => String(tasks),
            }),
            ...series.flatMap(({ own, colour }) =>
              own[0]?.low === null
                ? []
                : [Plot.areaY(own, { x: 'tasks', y1: 'low', y2: 'high', fill: c[colour], fillOpacity: 0.14 })],
            ),
            ...series.flatMap(({ own, colour, symbol }) => [
              Plot.line(own, { x: 'tasks', y: 'value', stroke: c[colour], strokeWidth: 2 * size.mark }),
              Plot.dot(own, { x: 'tasks', y: 'value', fill: c[colour], r: 4 * size.mark, symbol }),
            ]),
          ],
        },
      },
    ],
  });
}
