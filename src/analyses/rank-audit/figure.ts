import * as Plot from '@observablehq/plot';
import { rankAxis, rowPlot } from '../../draw/axis.js';
import { drawFigure } from '../../draw/frame.js';
import { lookOf } from '../../draw/look.js';
import { widest } from '../../draw/text.js';
import { rankText } from '../../inference/model-ranks.js';
import { counted, coverageText, thousands } from '../../util/format.js';
import type { LevelDrawOptions } from '../analysis.js';
import type { AuditedModel, RankAudit } from './audit.js';

/** A model as it is drawn: the ranks its bar reaches over, and what stands beside it. */
interface RankRow {
  readonly at: number;
  readonly name: string;
  readonly rank: number;
  readonly low: number;
  readonly high: number;
  readonly beside: string;
  readonly group: number;
}

/** A bar ends this far beyond the centre of its last rank. */
const REACH = 0.3;

function rankRow(row: AuditedModel, at: number): RankRow {
  const [low, high] = row.rank_set_simultaneous ?? [row.rank_low, row.rank_high];
  return {
    at,
    name: row.model,
    rank: row.rank,
    low: low - REACH,
    high: high + REACH,
    beside: row.letters ?? '',
    group: row.group,
  };
}

/** Models that one figure shows: past them a page is longer than anybody reads. */
const MOST_ROWS = 150;

/** Draws the ranks that the data allow each model, with letters; of a document of version 1 its rank intervals, on bands of groups. */
export function drawRankAudit(audit: RankAudit, options: LevelDrawOptions): string {
  const look = lookOf(options);
  const { size, colours: c } = look;
  const { alpha } = options;
  const shown = audit.models.slice(0, MOST_ROWS);
  const rows = shown.map(rankRow);
  const sets = audit.models.some((row) => row.rank_set_simultaneous);
  const lettered = rows.some(({ beside }) => beside !== '');
  const last = audit.models.length;
  const letters = lettered
    ? widest(
        rows.map(({ beside }) => beside),
        size.text,
      ) + 10
    : 4;
  const plot = rowPlot(look, {
    names: shown.map((row) =>
      row.rank_tied ? `${rankText({ rank: row.rank, rankTied: true })} ${row.model}` : row.model,
    ),
    right: Math.ceil(size.margin + letters),
  });
  const { x, lines } = rankAxis(look, last, plot);
  const supported = `${audit.separable_steps} of ${counted(Math.max(0, last - 1), 'step')} and ${thousands(audit.separable_pairs)} of ${counted(audit.pairs, 'pair')} are told apart.`;
  return drawFigure(look, {
    title: 'Which ranks the data support',
    subtitle: sets
      ? `Bars: the ranks that the data allow, for all models at once (${coverageText(alpha)}). Dots: the point order. ${supported}`
      : `Bars: ranks inside the ${coverageText(alpha)} bootstrap interval. Dots: the point order. ${supported}`,
    caption: `${last > shown.length ? `The first ${shown.length} of ${thousands(last)} models; the table beside it has all. ` : ''}${counted(audit.tasks, 'task')} in ${counted(audit.clusters, 'cluster')}. ${lettered ? 'Two models that share a letter are not told apart, which is not the same as equal' : sets ? 'Two models that are not told apart are not thereby equal' : 'Bands are tie groups; models of different groups may still be unresolved'} (familywise ${alpha}).`,
    parts: [
      {
        height: plot.height,
        plot: {
          ...plot.margins,
          x,
          y: plot.y,
          marks: [
            ...(sets
              ? []
              : [
                  Plot.barX(
                    rows.filter(({ group }) => group % 2 === 1),
                    { x1: 0.5, x2: last + 0.5, y: 'at', fill: c.grid },
                  ),
                ]),
            lines,
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
            ...(lettered
              ? [
                  Plot.text(rows, {
                    y: 'at',
                    frameAnchor: 'right',
                    textAnchor: 'start',
                    dx: 7,
                    text: 'beside',
                    fill: c.ink,
                  }),
                ]
              : []),
          ],
        },
      },
    ],
  });
}
