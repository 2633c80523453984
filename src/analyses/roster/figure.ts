import * as Plot from '@observablehq/plot';
import { rowAxis } from '../../draw/axis.js';
import type { FigurePart } from '../../draw/column.js';
import { columnRows, ROW, rankedLabels } from '../../draw/column-axis.js';
import { COLUMN } from '../../draw/column-size.js';
import { renderFigure, type ThemeColours, themeColours } from '../../draw/figure.js';
import { measured } from '../../draw/text.js';
import { fixed } from '../../util/format.js';
import type { DrawOptions, RankedModel } from '../analysis.js';
import { MODEL_ROW, percent } from '../report.js';
import type { RosterResult } from './omission.js';
import { keptRows } from './rows.js';

/** Share of the selected tasks that stay without each model, by that share. */
export function drawRoster(result: RosterResult, { theme }: DrawOptions): string {
  const { omissions, tasks } = result;
  const rows = [...omissions].sort((a, b) => a.kept_tasks - b.kept_tasks).map((omission, at) => ({ ...omission, at }));
  const axis = rowAxis(rows.map(({ omitted }) => omitted));
  return renderFigure({
    theme,
    height: 44 + MODEL_ROW * rows.length,
    title: 'What one model decides about the task set',
    subtitle: `Share of the ${tasks} selected tasks that stay when a model is left out.`,
    legend: [
      { label: 'the same model leads the others', colour: themeColours(theme).blue },
      {
        label: 'another model leads',
        colour: themeColours(theme).blue,
        mark: 'ring' as const,
      },
    ],
    plot: (c) => ({
      marginLeft: axis.marginLeft,
      marginRight: 72,
      marginTop: 6,
      marginBottom: 38,
      x: { label: 'tasks kept', domain: [0, 1], tickFormat: '%', ticks: 5, grid: true },
      y: axis.y,
      marks: [
        Plot.ruleY(rows, {
          y: 'at',
          x1: 0,
          x2: 'kept_share',
          stroke: c.blue,
          strokeWidth: 1.5,
        }),
        Plot.dot(rows, {
          x: 'kept_share',
          y: 'at',
          r: 4,
          stroke: c.blue,
          strokeWidth: 1.5,
          fill: (d: { leader_kept: boolean }) => (d.leader_kept ? c.blue : c.background),
        }),
        Plot.text(rows, {
          y: 'at',
          frameAnchor: 'right',
          textAnchor: 'end',
          dx: 12 + measured('100.0%', 12),
          text: (d: { kept_share: number }) => percent(d.kept_share, 1),
          fill: c.ink,
        }),
      ],
      color: { type: 'identity' },
    }),
  });
}

/** The same by rank, as a part of the figure of the selection. */
export function keptPart(result: RosterResult, models: readonly RankedModel[], c: ThemeColours): FigurePart[] {
  const rows = keptRows(result, models).map((row, at) => ({ ...row, at }));
  if (rows.length === 0) return [];
  const axis = columnRows(rankedLabels(rows));
  return [
    {
      heading: `Share of the ${result.tasks} tasks kept without a model (hollow: the leader of the others changes)`,
      height: 32 + ROW * rows.length,
      plot: {
        marginLeft: axis.marginLeft,
        marginRight: 48,
        marginTop: 6,
        marginBottom: 26,
        x: { label: null, domain: [0, 1], tickFormat: '%', ticks: 5, grid: true },
        y: axis.y,
        marks: [
          Plot.ruleY(rows, { y: 'at', x1: 0, x2: 'share', stroke: c.blue, strokeWidth: 1.4 }),
          Plot.dot(rows, {
            x: 'share',
            y: 'at',
            r: 2.8,
            stroke: c.blue,
            strokeWidth: 1.4,
            fill: (row: { leaderKept: boolean }) => (row.leaderKept ? c.blue : c.background),
          }),
          Plot.text(rows, {
            y: 'at',
            frameAnchor: 'right',
            textAnchor: 'end',
            dx: 6 + measured('100.0%', COLUMN.text),
            text: (row: { share: number }) => `${fixed(100 * row.share, 1)}%`,
            fill: c.ink,
          }),
        ],
        color: { type: 'identity' },
      },
    },
  ];
}
