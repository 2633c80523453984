import * as Plot from '@observablehq/plot';
import { rankTicks, rowAxis } from '../../draw/axis.js';
import { renderFigure } from '../../draw/figure.js';
import { counted, coverageText } from '../../util/format.js';
import type { LevelDrawOptions } from '../analysis.js';
import { MODEL_ROW } from '../report.js';
import type { RankAudit } from './audit.js';

/** Rank intervals of all models, tie groups told apart by bands. */
export function drawRankAudit(audit: RankAudit, { theme, alpha }: LevelDrawOptions): string {
  const rows = audit.models.map((row, at) => ({ ...row, at }));
  const axis = rowAxis(rows.map(({ model }) => model));
  const last = rows.length;
  return renderFigure({
    theme,
    height: 44 + MODEL_ROW * last,
    title: 'Which ranks the data support',
    subtitle: `Bars: ranks inside the ${coverageText(alpha)} bootstrap interval. Dots: the point order. ${audit.separable_steps} of ${counted(Math.max(0, last - 1), 'step')} and ${audit.separable_pairs} of ${counted(audit.pairs, 'pair')} are separable.`,
    caption: `${counted(audit.tasks, 'task')} in ${counted(audit.clusters, 'cluster')}. Bands are tie groups: no two models inside one can be told apart (Holm, familywise ${alpha}); models of different groups may still be unresolved.`,
    plot: (colours) => ({
      marginLeft: axis.marginLeft,
      marginRight: 24,
      marginTop: 6,
      marginBottom: 38,
      x: { label: 'rank', domain: [0.5, last + 0.5], ticks: rankTicks(last), tickFormat: 'd' },
      y: axis.y,
      marks: [
        Plot.barX(
          rows.filter(({ group }) => group % 2 === 1),
          { x1: 0.5, x2: last + 0.5, y: 'at', fill: colours.grid },
        ),
        Plot.ruleY(rows, {
          x1: (row) => row.rank_low - 0.3,
          x2: (row) => row.rank_high + 0.3,
          y: 'at',
          stroke: colours.blue,
          strokeWidth: 5,
          strokeOpacity: 0.45,
          strokeLinecap: 'round',
        }),
        Plot.dot(rows, { x: 'rank', y: 'at', r: 3.2, fill: colours.ink }),
      ],
    }),
  });
}
