import * as Plot from '@observablehq/plot';
import { rankTicks, rowPlot } from '../../draw/axis.js';
import { drawFigure } from '../../draw/frame.js';
import { lookOf } from '../../draw/look.js';
import { counted, coverageText } from '../../util/format.js';
import type { LevelDrawOptions } from '../analysis.js';
import type { RankAudit } from './audit.js';

/** Draws the rank intervals of all models, tie groups told apart by bands. */
export function drawRankAudit(audit: RankAudit, options: LevelDrawOptions): string {
  const look = lookOf(options);
  const { size, colours: c } = look;
  const { alpha } = options;
  const rows = audit.models.map((row, at) => ({ ...row, at, low: row.rank_low - 0.3, high: row.rank_high + 0.3 }));
  const last = rows.length;
  const plot = rowPlot(look, { names: rows.map(({ model }) => model), right: size.margin + 4 });
  return drawFigure(look, {
    title: 'Which ranks the data support',
    subtitle: `Bars: ranks inside the ${coverageText(alpha)} bootstrap interval. Dots: the point order. ${audit.separable_steps} of ${counted(Math.max(0, last - 1), 'step')} and ${audit.separable_pairs} of ${counted(audit.pairs, 'pair')} are separable.`,
    caption: `${counted(audit.tasks, 'task')} in ${counted(audit.clusters, 'cluster')}. Bands are tie groups: no two models inside one can be told apart (Holm, familywise ${alpha}); models of different groups may still be unresolved.`,
    parts: [
      {
        height: plot.height,
        plot: {
          ...plot.margins,
          x: { label: 'rank', domain: [0.5, last + 0.5], ticks: rankTicks(last), tickFormat: 'd' },
          y: plot.y,
          marks: [
            Plot.barX(
              rows.filter(({ group }) => group % 2 === 1),
              { x1: 0.5, x2: last + 0.5, y: 'at', fill: c.grid },
            ),
            Plot.ruleY(rows, {
              x1: 'low',
              x2: 'high',
              y: 'at',
              stroke: c.blue,
              strokeWidth: 5 * size.mark,
              strokeOpacity: 0.45,
              strokeLinecap: 'round',
            }),
            Plot.dot(rows, { x: 'rank', y: 'at', r: 3.4 * size.mark, fill: c.ink }),
          ],
        },
      },
    ],
  });
}
