import * as Plot from '@observablehq/plot';
import { rightValues, rowPlot } from '../draw/axis.js';
import type { FigurePart } from '../draw/frame.js';
import type { Look } from '../draw/look.js';
import { signed } from '../draw/text.js';
import type { Agreement } from './agreement.js';
import { three } from './analysis.js';

interface Mark {
  readonly at: number;
  readonly value: number | null;
  readonly range: readonly [number, number] | undefined;
}

const written = ({ value }: Mark): string => signed(three(value));

/** Where an axis of agreement begins: a tenth below the lowest value, a half where that is negative. */
function axisStart(values: readonly number[]): number {
  const low = Math.min(0.8, ...values);
  return low < 0 ? Math.floor(2 * low) / 2 : Math.floor(10 * low) / 10;
}

/** Draws rank correlation and pair order of each row, values at the right; two lines a row. */
export function agreementPart(look: Look, heading: string | undefined, rows: readonly Agreement[]): FigurePart {
  const { size, colours: c } = look;
  const shift = 0.75 * size.text;
  const series = [
    {
      name: 'rank correlation',
      colour: c.blue,
      dy: -shift,
      symbol: 'circle',
      mark: 'dot',
      marks: rows.map(({ correlation, correlationRange }, at) => ({
        at,
        value: correlation,
        range: correlation === null ? undefined : correlationRange,
      })),
    },
    {
      name: 'share of pairs in the same order',
      colour: c.gold,
      dy: shift,
      symbol: 'square',
      mark: 'square',
      marks: rows.map(({ pairOrder, pairRange }, at) => ({ at, value: pairOrder, range: pairRange })),
    },
  ] as const;
  const shown = series.flatMap(({ marks }) =>
    marks.flatMap(({ value, range }) => [...(value === null ? [] : [value]), ...(range ?? [])]),
  );
  const values = rightValues(
    look,
    series.flatMap(({ marks }) => marks.map(written)),
  );
  const plot = rowPlot(look, {
    names: rows.map(({ label }) => label),
    rowHeight: Math.round(3.4 * size.text),
    right: values.room,
    titled: false,
  });
  return {
    heading,
    legend: series.map(({ name, colour, mark }) => ({ label: name, colour, mark })),
    height: plot.height,
    plot: {
      ...plot.margins,
      x: { label: null, domain: [axisStart(shown), 1], ticks: 4, grid: true },
      y: plot.y,
      marks: series.flatMap(({ colour, dy, symbol, marks }) => [
        Plot.ruleY(
          marks.filter(({ range }) => range !== undefined),
          {
            y: 'at',
            x1: (mark: Mark) => mark.range?.[0],
            x2: (mark: Mark) => mark.range?.[1],
            stroke: colour,
            strokeWidth: 3 * size.mark,
            dy,
          },
        ),
        Plot.dot(
          marks.filter(({ value }) => value !== null),
          { x: 'value', y: 'at', r: 4.5 * size.mark, fill: colour, symbol, dy },
        ),
        values.mark(marks, written, dy),
      ]),
    },
  };
}
