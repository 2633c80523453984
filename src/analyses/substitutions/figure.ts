import * as Plot from '@observablehq/plot';
import { rowAxis } from '../../draw/axis.js';
import { columnFigure } from '../../draw/column.js';
import { columnRows } from '../../draw/column-axis.js';
import { renderFigure, type Theme, themeColours } from '../../draw/figure.js';
import { fixed } from '../../util/format.js';
import type { DrawOptions } from '../analysis.js';
import { three } from '../report.js';
import type { SubstitutionResult } from './check.js';
import { substitutionRows } from './rows.js';

/** Where people's substitutes stand among their food group (figure 11 of a release). */
export function drawSubstitutions(spaces: readonly SubstitutionResult[], { theme, size }: DrawOptions): string {
  return size === 'column' ? drawnInColumn(spaces, theme) : drawnOnScreen(spaces, theme);
}

const SUBSETS = [
  { name: 'all', label: 'all pairs', mark: 'dot', dy: -9 },
  { name: 'novel', label: 'pairs not seen in training', mark: 'ring', dy: 9 },
] as const;

function drawnOnScreen(results: readonly SubstitutionResult[], theme: Theme): string {
  const axis = rowAxis(results.map(({ space }) => space));
  const series = SUBSETS.map(({ name, ...look }) => ({
    ...look,
    marks: results.flatMap((result, at) => {
      const estimate = result[name];
      if (estimate === null) return [];
      const [low, high] = estimate.interval;
      return [{ at, percentile: estimate.percentile, low, high }];
    }),
  })).filter(({ marks }) => marks.length > 0);
  const least = Math.min(0.4, ...series.flatMap(({ marks }) => marks.map(({ low }) => low)));
  const { teal, gold } = themeColours(theme);
  return renderFigure({
    theme,
    height: 44 + 44 * results.length,
    title: 'Where people’s substitutes stand',
    subtitle: 'Mean percentile among candidates of the same food group; bars: 95% source bootstrap.',
    legend: [
      ...series.map(({ label, mark }) => ({ label, colour: teal, mark })),
      { label: 'chance', colour: gold, mark: 'dash' as const },
    ],
    plot: (c) => ({
      marginLeft: axis.marginLeft,
      marginRight: 64,
      marginTop: 6,
      marginBottom: 38,
      x: { label: 'percentile', domain: [Math.floor(10 * least) / 10, 1], ticks: 6, grid: true },
      y: axis.y,
      marks: [
        Plot.ruleX([0.5], { stroke: c.gold, strokeDasharray: '5,4', strokeWidth: 1.8 }),
        ...series.flatMap(({ marks, mark, dy }) => [
          Plot.ruleY(marks, {
            y: 'at',
            x1: 'low',
            x2: 'high',
            stroke: c.teal,
            strokeWidth: 2.5,
            dy,
          }),
          Plot.dot(marks, {
            x: 'percentile',
            y: 'at',
            r: 4.5,
            stroke: c.teal,
            strokeWidth: 1.8,
            fill: mark === 'dot' ? c.teal : c.background,
            dy,
          }),
          Plot.text(marks, {
            y: 'at',
            frameAnchor: 'right',
            textAnchor: 'start',
            dx: 12,
            dy,
            text: ({ percentile }: { percentile: number }) => three(percentile),
            fill: c.ink,
          }),
        ]),
      ],
    }),
  });
}

/** A number of pairs, or where spaces differ, the least and the most. */
function counted(pairs: readonly number[]): string {
  const [least, most] = [Math.min(...pairs), Math.max(...pairs)];
  return least === most ? String(least) : `${least}–${most}`;
}

function drawnInColumn(results: readonly SubstitutionResult[], theme: Theme): string {
  const rows = substitutionRows(results).map((row, at) => ({ ...row, at }));
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
