import * as Plot from '@observablehq/plot';
import { rankTicks, rowAxis } from '../../draw/axis.js';
import { renderFigure } from '../../draw/figure.js';
import type { ModelDrawOptions } from '../analysis.js';
import { MODEL_ROW } from '../report.js';
import type { WeightsResult } from './grid.js';
import { weightRows } from './rows.js';

/** Best and worst rank of every model over the weightings. */
export function drawWeights(result: WeightsResult, { theme, models }: ModelDrawOptions): string {
  const rows = weightRows(result, models);
  const axis = rowAxis(rows.map(({ name }) => name));
  return renderFigure({
    theme,
    height: 44 + MODEL_ROW * rows.length,
    title: 'Ranks under every weighting of the families',
    subtitle: `Bars: best to worst rank over ${result.grid_points} weightings. Dots: equal weights.`,
    plot: (colours) => ({
      marginLeft: axis.marginLeft,
      marginRight: 24,
      marginTop: 6,
      marginBottom: 38,
      x: {
        label: 'rank',
        domain: [0.5, rows.length + 0.5],
        ticks: rankTicks(rows.length),
        tickFormat: 'd',
        grid: true,
      },
      y: axis.y,
      marks: [
        Plot.ruleY(rows, {
          y: 'at',
          x1: (d: { best: number }) => d.best - 0.25,
          x2: (d: { worst: number }) => d.worst + 0.25,
          stroke: colours.teal,
          strokeWidth: 5,
          strokeOpacity: 0.55,
          strokeLinecap: 'round',
        }),
        Plot.dot(rows, { x: 'rank', y: 'at', r: 3.2, fill: colours.ink }),
      ],
    }),
  });
}
