import * as Plot from '@observablehq/plot';
import { rightValues, rowPlot } from '../../draw/axis.js';
import { drawFigure } from '../../draw/frame.js';
import { type DrawOptions, lookOf } from '../../draw/look.js';
import { three } from '../analysis.js';
import type { SubstitutionResult } from './check.js';

const SUBSETS = [
  { name: 'all', label: 'all pairs', mark: 'dot', side: -1 },
  { name: 'novel', label: 'pairs not seen in training', mark: 'ring', side: 1 },
] as const;

/** A number of pairs, or where spaces differ, the least and the most. */
function counted(pairs: readonly number[]): string {
  const [least, most] = [Math.min(...pairs), Math.max(...pairs)];
  return least === most ? String(least) : `${least}–${most}`;
}

/** Draws where people's substitutes stand among their food group (analyses 8; figure 11 of a release). */
export function drawSubstitutions(spaces: readonly SubstitutionResult[], options: DrawOptions): string {
  const look = lookOf(options);
  const { size, colours: c } = look;
  const series = SUBSETS.map(({ name, side, ...own }) => ({
    ...own,
    dy: 0.72 * side * size.text,
    marks: spaces.flatMap((space, at) => {
      const estimate = space[name];
      if (estimate === null) return [];
      const [low, high] = estimate.interval;
      return [{ at, low, high, pairs: estimate.pairs, percentile: estimate.percentile }];
    }),
  })).filter(({ marks }) => marks.length > 0);
  const all = series.flatMap(({ marks }) => marks);
  const lowest = Math.min(0.5, ...all.map(({ low }) => low));
  const values = rightValues(
    look,
    all.map(({ percentile }) => three(percentile)),
  );
  const plot = rowPlot(look, {
    names: spaces.map(({ space }) => space),
    rowHeight: Math.round(3.4 * size.text),
    right: values.room,
  });
  return drawFigure(look, {
    title: 'Where people’s substitutes stand',
    subtitle:
      'Mean percentile of observed targets among candidates of the same food group; bars: 95% source bootstrap.',
    legend: [
      ...series.map(({ label, mark, marks }) => ({
        label: `${label} (${counted(marks.map(({ pairs }) => pairs))})`,
        colour: c.teal,
        mark,
      })),
      { label: 'chance', colour: c.gold, mark: 'dash' },
    ],
    parts: [
      {
        height: plot.height,
        plot: {
          ...plot.margins,
          x: {
            label: 'percentile',
            domain: [Math.max(0, Math.floor((lowest - 0.02) * 20) / 20), 1],
            ticks: 5,
            grid: true,
          },
          y: plot.y,
          marks: [
            Plot.ruleX([0.5], { stroke: c.gold, strokeDasharray: '4,3', strokeWidth: 2 * size.mark }),
            ...series.flatMap(({ marks, mark, dy }) => [
              Plot.ruleY(marks, {
                y: 'at',
                x1: 'low',
                x2: 'high',
                stroke: c.teal,
                strokeWidth: 3 * size.mark,
                dy,
              }),
              Plot.dot(marks, {
                x: 'percentile',
                y: 'at',
                r: 4.5 * size.mark,
                stroke: c.teal,
                strokeWidth: 2 * size.mark,
                fill: mark === 'dot' ? c.teal : c.background,
                dy,
              }),
              values.mark(marks, ({ percentile }) => three(percentile), dy),
            ]),
          ],
        },
      },
    ],
  });
}
