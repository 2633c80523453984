import * as Plot from '@observablehq/plot';
import { rightValues, rowPlot } from '../../draw/axis.js';
import { drawFigure } from '../../draw/frame.js';
import { type DrawOptions, lookOf } from '../../draw/look.js';
import { percent } from '../analysis.js';
import { type Generalizability, varianceRows } from './variance.js';

/** Draws the share of each source in the sum of squares (analyses 2). */
export function drawGeneralizability(results: Generalizability, options: DrawOptions): string {
  const look = lookOf(options);
  const { size, colours: c } = look;
  const rows = varianceRows(results).map((row, at) => ({ ...row, at }));
  const most = Math.max(0.1, Math.ceil(10 * Math.max(...rows.map(({ fraction }) => fraction))) / 10);
  const share = ({ fraction }: { fraction: number }) => percent(fraction, 1);
  const values = rightValues(look, rows.map(share));
  const plot = rowPlot(look, {
    names: rows.map(({ label }) => label),
    rowHeight: Math.round(1.4 * size.row),
    right: values.room,
  });
  return drawFigure(look, {
    title: 'Where the variance of single answers lies',
    subtitle: `Share of the total sum of squares; ${results.models} models, ${results.tasks} tasks.`,
    parts: [
      {
        height: plot.height,
        plot: {
          ...plot.margins,
          x: { label: 'share of the sum of squares', tickFormat: '%', domain: [0, most], ticks: 5, grid: true },
          y: { ...plot.y, padding: 0.25 },
          marks: [
            Plot.barX(rows, {
              x1: 0,
              x2: ({ fraction }: { fraction: number }) => Math.max(0, fraction),
              y: 'at',
              fill: c.blue,
            }),
            values.mark(rows, share),
          ],
        },
      },
    ],
  });
}
