import * as Plot from '@observablehq/plot';
import { rowAxis } from '../draw/axis.js';
import { columnRows } from '../draw/column-axis.js';
import { COLUMN } from '../draw/column-size.js';
import { renderFigure, type Theme, type ThemeColours, themeColours } from '../draw/figure.js';
import { measured, signed } from '../draw/text.js';
import { fixed } from '../util/format.js';
import type { Agreement } from './agreement.js';
import { three } from './report.js';

export interface AgreementFigureOptions {
  readonly title: string;
  readonly subtitle: string;
  readonly rows: readonly Agreement[];
  readonly theme: Theme;
}

const ROW = 44;
const MARGINS = { marginTop: 6, marginBottom: 38 };

interface Mark {
  readonly at: number;
  readonly value: number | null;
  readonly range: readonly [number, number] | undefined;
}

const written = ({ value }: Mark): string => signed(three(value));

/** Rank correlation and pair order of each row, values at the right. */
export function agreementFigure({ title, subtitle, rows, theme }: AgreementFigureOptions): string {
  const colours = themeColours(theme);
  const axis = rowAxis(rows.map(({ label }) => label));
  const series = [
    {
      name: 'rank correlation',
      colour: colours.blue,
      dy: -9,
      symbol: 'circle',
      mark: 'dot',
      marks: rows.map((row, at) => ({
        at,
        value: row.correlation,
        range: row.correlation === null ? undefined : row.correlationRange,
      })),
    },
    {
      name: 'share of pairs in the same order',
      colour: colours.gold,
      dy: 9,
      symbol: 'square',
      mark: 'square',
      marks: rows.map((row, at) => ({ at, value: row.pairOrder, range: row.pairRange })),
    },
  ] as const;
  const values = series.flatMap(({ marks }) =>
    marks.flatMap(({ value, range }) => [...(value === null ? [] : [value]), ...(range ?? [])]),
  );
  const least = Math.min(0.8, ...values);
  const low = least < 0 ? Math.floor(2 * least) / 2 : Math.floor(10 * least) / 10;
  const texts = series.flatMap(({ marks }) => marks.map(written));
  return renderFigure({
    theme,
    title,
    subtitle,
    height: MARGINS.marginTop + MARGINS.marginBottom + ROW * rows.length,
    legend: series.map(({ name, colour, mark }) => ({ label: name, colour, mark })),
    plot: (c) => ({
      ...MARGINS,
      marginLeft: axis.marginLeft,
      marginRight: 34 + Math.ceil(Math.max(0, ...texts.map((text) => measured(text, 12)))),
      x: { label: 'agreement', domain: [low, 1], ticks: 5, grid: true },
      y: axis.y,
      marks: series.flatMap(({ colour, dy, symbol, marks }) => [
        Plot.ruleY(
          marks.filter(({ range }) => range !== undefined),
          {
            y: 'at',
            x1: (mark: Mark) => mark.range?.[0],
            x2: (mark: Mark) => mark.range?.[1],
            stroke: colour,
            strokeWidth: 3,
            dy,
          },
        ),
        Plot.dot(
          marks.filter(({ value }) => value !== null),
          { x: 'value', y: 'at', r: 4.5, fill: colour, symbol, dy },
        ),
        Plot.text(marks, {
          y: 'at',
          frameAnchor: 'right',
          textAnchor: 'start',
          dx: 14,
          dy,
          text: written,
          fill: c.ink,
        }),
      ]),
    }),
  });
}

const writtenIn =
  (name: string) =>
  ({ value }: Mark): string => {
    if (value === null) return `undefined ${name}`;
    return name === 'pairs' ? `${fixed(100 * value, 1)}% ${name}` : `${signed(fixed(value, 3))} ${name}`;
  };

/** Where an axis of agreement begins: a tenth below the lowest value, a half where that is negative. */
function agreementFloor(values: readonly number[]): number {
  const low = Math.min(0.8, ...values);
  return low < 0 ? Math.floor(2 * low) / 2 : Math.floor(10 * low) / 10;
}

/** The same as a part of a figure of one column, two lines a row. */
export function agreementPlot(
  rows: readonly Agreement[],
  c: ThemeColours,
): { readonly height: number; readonly plot: Plot.PlotOptions } {
  const axis = columnRows(rows.map(({ label }) => label));
  const series = [
    {
      name: 'rank ρ',
      colour: c.blue,
      dy: -6.5,
      marks: rows.map(
        (row, at): Mark => ({
          at,
          value: row.correlation,
          range: row.correlation === null ? undefined : row.correlationRange,
        }),
      ),
    },
    {
      name: 'pairs',
      colour: c.gold,
      dy: 6.5,
      marks: rows.map((row, at): Mark => ({ at, value: row.pairOrder, range: row.pairRange })),
    },
  ];
  const texts = series.flatMap(({ name, marks }) => marks.map(writtenIn(name)));
  const low = agreementFloor(
    series.flatMap(({ marks }) =>
      marks.flatMap(({ value, range }) => [...(value === null ? [] : [value]), ...(range ?? [])]),
    ),
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
              x1: (mark: Mark) => mark.range?.[0],
              x2: (mark: Mark) => mark.range?.[1],
              stroke: colour,
              strokeWidth: 2,
              dy,
            },
          ),
          Plot.dot(
            marks.filter(({ value }) => value !== null),
            { x: 'value', y: 'at', r: 3.2, fill: colour, symbol: name === 'pairs' ? 'square' : 'circle', dy },
          ),
          Plot.text(marks, {
            y: 'at',
            frameAnchor: 'right',
            textAnchor: 'start',
            dx: 6,
            dy,
            text: writtenIn(name),
            fill: c.ink,
          }),
        ]),
      ],
    },
  };
}
