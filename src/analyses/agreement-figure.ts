import * as Plot from '@observablehq/plot';
import { rowAxis } from '../draw/axis.js';
import { renderFigure, type Theme, themeColours } from '../draw/figure.js';
import { measured, signed } from '../draw/text.js';
import { three } from './report.js';

/** How one board agrees with the primary board. */
export interface Agreement {
  readonly label: string;
  /** Null where it is not defined. */
  readonly correlation: number | null;
  readonly pairOrder: number;
  readonly correlationRange?: readonly [number, number];
  readonly pairRange?: readonly [number, number];
}

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
