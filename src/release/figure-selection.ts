import * as Plot from '@observablehq/plot';
import { columnFigure, type FigurePart } from '../draw/column.js';
import { columnRows, ROW, rankedLabels } from '../draw/column-axis.js';
import { COLUMN } from '../draw/column-size.js';
import type { Theme, ThemeColours } from '../draw/figure.js';
import { measured, signed } from '../draw/text.js';
import { fixed } from '../util/format.js';
import { type AgreementRow, keptRows, METRIC_NAME, metricRows } from './analysis-rows.js';
import type { ReleaseView } from './release.js';

/** Tasks kept without each model, and agreement of other summaries of the answers (figure 9). */
export function drawSelection(view: ReleaseView, theme: Theme): string {
  return columnFigure({
    theme,
    title: 'Does the task filter or the score decide?',
    parts: (c) => [...keptPart(view, c), ...metricPart(view, c)],
  });
}

function keptPart(view: ReleaseView, c: ThemeColours): FigurePart[] {
  const kept = keptRows(view);
  if (kept === null || kept.length === 0) return [];
  const rows = kept.map((row, at) => ({ ...row, at }));
  const axis = columnRows(rankedLabels(rows));
  return [
    {
      heading: `Share of the ${view.board.tasks} tasks kept without a model (hollow: the leader of the others changes)`,
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

function metricPart(view: ReleaseView, c: ThemeColours): FigurePart[] {
  const rows = (metricRows(view) ?? []).filter(({ label }) => label !== METRIC_NAME.flavourbench_score);
  if (rows.length === 0) return [];
  return [
    {
      heading: 'Agreement of other summaries with the score',
      ...agreementPlot(rows, c),
    },
  ];
}

const written =
  (name: string) =>
  ({ value }: { readonly value: number }): string =>
    name === 'pairs' ? `${fixed(100 * value, 1)}% ${name}` : `${signed(fixed(value, 3))} ${name}`;

/** Where an axis of agreement begins: a tenth below the lowest value, a half where that is negative. */
function agreementFloor(values: readonly number[]): number {
  const low = Math.min(0.8, ...values);
  return low < 0 ? Math.floor(2 * low) / 2 : Math.floor(10 * low) / 10;
}

/** Rank correlation and pair order of each row, values at the right; two lines a row. */
export function agreementPlot(
  rows: readonly (AgreementRow & {
    readonly correlationRange?: readonly [number, number];
    readonly pairRange?: readonly [number, number];
  })[],
  c: ThemeColours,
): { readonly height: number; readonly plot: Plot.PlotOptions } {
  const axis = columnRows(rows.map(({ label }) => label));
  const series = [
    {
      name: 'rank ρ',
      colour: c.blue,
      dy: -6.5,
      marks: rows.map((row, at) => ({ at, value: row.correlation, range: row.correlationRange })),
    },
    {
      name: 'pairs',
      colour: c.gold,
      dy: 6.5,
      marks: rows.map((row, at) => ({ at, value: row.pairOrder, range: row.pairRange })),
    },
  ];
  const texts = series.flatMap(({ name, marks }) => marks.map(written(name)));
  const low = agreementFloor(
    series.flatMap(({ marks }) => marks.flatMap(({ value, range }) => [value, ...(range ?? [])])),
  );
  return {
    height: 32 + 30 * rows.length,
    plot: {
      marginLeft: axis.marginLeft,
      marginRight: COLUMN.margin + 6 + Math.ceil(Math.max(...texts.map((text) => measured(text, COLUMN.text)))),
      marginTop: 6,
      marginBottom: 26,
      x: { label: null, domain: [low, 1], ticks: 4, grid: true },
      y: axis.y,
      marks: [
        ...series.flatMap(({ name, colour, dy, marks }) => [
          Plot.ruleY(
            marks.filter(({ range }) => range !== undefined),
            {
              y: 'at',
              x1: (d: { range: readonly number[] }) => d.range[0]!,
              x2: (d: { range: readonly number[] }) => d.range[1]!,
              stroke: colour,
              strokeWidth: 2,
              dy,
            },
          ),
          Plot.dot(marks, {
            x: 'value',
            y: 'at',
            r: 3.2,
            fill: colour,
            symbol: name === 'pairs' ? 'square' : 'circle',
            dy,
          }),
          Plot.text(marks, {
            y: 'at',
            frameAnchor: 'right',
            textAnchor: 'start',
            dx: 6,
            dy,
            text: written(name),
            fill: c.ink,
          }),
        ]),
      ],
    },
  };
}
