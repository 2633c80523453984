import * as Plot from '@observablehq/plot';
import { columnFigure } from '../draw/column.js';
import { columnRows } from '../draw/column-axis.js';
import type { Theme } from '../draw/figure.js';
import { fixed } from '../util/format.js';
import { substitutionRows } from './analysis-rows.js';
import type { ReleaseView } from './release.js';

/** A number of pairs, or where spaces differ, the least and the most. */
function counted(pairs: readonly number[]): string {
  const [least, most] = [Math.min(...pairs), Math.max(...pairs)];
  return least === most ? String(least) : `${least}–${most}`;
}

/** Where people's substitutes stand among their food group (figure 11). */
export function drawSubstitutions(view: ReleaseView, theme: Theme): string {
  const rows = substitutionRows(view)!.map((row, at) => ({ ...row, at }));
  const axis = columnRows(rows.map(({ space }) => space));
  const novel = rows.flatMap((row) => (row.novel === null ? [] : [{ at: row.at, percentile: row.novel.percentile }]));
  const values = [0.5, ...rows.flatMap((row) => [row.low, row.novel?.percentile ?? 1])];
  const low = Math.max(0, Math.floor((Math.min(...values) - 0.02) * 20) / 20);
  return columnFigure({
    theme,
    title: 'Where people’s substitutes stand',
    subtitle:
      'Mean percentile of observed targets among candidates of the same food group; bars: 95% source bootstrap.',
    legend: (c) => [
      { label: `all pairs (${counted(rows.map(({ pairs }) => pairs))})`, colour: c.teal },
      ...(novel.length === 0
        ? []
        : [
            {
              label: `not in training (${counted(rows.flatMap((row) => row.novel?.pairs ?? []))})`,
              colour: c.teal,
              mark: 'ring' as const,
            },
          ]),
      { label: 'chance', colour: c.gold, mark: 'dash' },
    ],
    parts: (c) => [
      {
        height: 42 + 34 * rows.length,
        plot: {
          marginLeft: axis.marginLeft,
          marginRight: 40,
          marginTop: 4,
          marginBottom: 34,
          x: {
            label: 'percentile',
            domain: [low, 1],
            ticks: 5,
            grid: true,
          },
          y: axis.y,
          marks: [
            Plot.ruleX([0.5], { stroke: c.gold, strokeDasharray: '4,3', strokeWidth: 1.6 }),
            Plot.ruleY(rows, {
              y: 'at',
              x1: 'low',
              x2: 'high',
              stroke: c.teal,
              strokeWidth: 2.4,
              dy: -6.5,
            }),
            Plot.dot(rows, { x: 'percentile', y: 'at', r: 3.6, fill: c.teal, dy: -6.5 }),
            Plot.dot(novel, {
              x: 'percentile',
              y: 'at',
              r: 3.4,
              stroke: c.teal,
              strokeWidth: 1.5,
              fill: c.background,
              dy: 6.5,
            }),
            Plot.text(rows, {
              y: 'at',
              frameAnchor: 'right',
              textAnchor: 'start',
              dx: 6,
              dy: -6.5,
              text: (d: { percentile: number }) => fixed(d.percentile, 3),
              fill: c.ink,
            }),
            Plot.text(novel, {
              y: 'at',
              frameAnchor: 'right',
              textAnchor: 'start',
              dx: 6,
              dy: 6.5,
              text: (d: { percentile: number }) => fixed(d.percentile, 3),
              fill: c.muted,
            }),
          ],
        },
      },
    ],
  });
}
