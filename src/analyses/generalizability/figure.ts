import * as Plot from '@observablehq/plot';
import { rowAxis } from '../../draw/axis.js';
import { renderFigure } from '../../draw/figure.js';
import type { DrawOptions } from '../analysis.js';
import { percent } from '../report.js';
import { varianceRows } from './rows.js';
import type { Generalizability } from './variance.js';

/** Where the variance of single answers lies: one bar a source. */
export function drawGeneralizability(result: Generalizability, { theme }: DrawOptions): string {
  const rows = varianceRows(result);
  const axis = rowAxis(rows.map(({ label }) => label));
  const most = Math.max(0.1, Math.ceil(10 * Math.max(...rows.map((r) => r.fraction))) / 10);
  return renderFigure({
    theme,
    height: 44 + 27 * rows.length,
    title: 'Where the variance of single answers lies',
    subtitle: `Share of the total sum of squares; ${result.models} models, ${result.tasks} tasks.`,
    plot: (c) => ({
      marginLeft: axis.marginLeft,
      marginRight: 64,
      marginTop: 6,
      marginBottom: 38,
      x: {
        label: 'share of the sum of squares',
        tickFormat: '%',
        domain: [0, most],
        ticks: 5,
        grid: true,
      },
      y: { ...axis.y, padding: 0.25 },
      marks: [
        Plot.barX(rows, {
          x1: 0,
          x2: ({ fraction }: { fraction: number }) => Math.max(0, fraction),
          y: (_: unknown, i: number) => i,
          fill: c.blue,
        }),
        Plot.text(rows, {
          x: ({ fraction }: { fraction: number }) => Math.max(0, fraction),
          y: (_: unknown, i: number) => i,
          text: ({ fraction }: { fraction: number }) => percent(fraction, 1),
          dx: 6,
          textAnchor: 'start',
          fill: c.ink,
        }),
      ],
    }),
  });
}
