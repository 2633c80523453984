import * as Plot from '@observablehq/plot';
import { rankAxis, rankedNames, rowPlot } from '../../draw/axis.js';
import { drawFigure } from '../../draw/frame.js';
import { lookOf } from '../../draw/look.js';
import type { ModelDrawOptions } from '../analysis.js';
import { type WeightsResults, weightRows } from './grid.js';

/** Draws the ranks of every model under all weightings of the families (analyses 6). */
export function drawWeights(results: WeightsResults, options: ModelDrawOptions): string {
  const look = lookOf(options);
  const { size, colours: c } = look;
  const rows = weightRows(results, options.models).map((row) => ({
    ...row,
    best: row.best - 0.25,
    worst: row.worst + 0.25,
  }));
  const plot = rowPlot(look, { names: rankedNames(rows), right: size.margin + 6 });
  const { x, lines } = rankAxis(look, rows.length, plot);
  return drawFigure(look, {
    title: 'Ranks under every weighting of the families',
    subtitle: `Bars: best to worst rank over ${results.grid_points} weightings. Dots: equal weights.`,
    parts: [
      {
        height: plot.height,
        plot: {
          ...plot.margins,
          x,
          y: plot.y,
          marks: [
            lines,
            Plot.ruleY(rows, {
              y: 'at',
              x1: 'best',
              x2: 'worst',
              stroke: c.teal,
              strokeWidth: 5 * size.mark,
              strokeOpacity: 0.55,
              strokeLinecap: 'round',
            }),
            Plot.dot(rows, { x: 'rank', y: 'at', r: 3.4 * size.mark, fill: c.ink }),
          ],
        },
      },
    ],
  });
}
