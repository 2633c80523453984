import * as Plot from '@observablehq/plot';
import { rankedNames, rankTicks, rowPlot } from '../draw/axis.js';
import { drawFigure } from '../draw/frame.js';
import { type DrawOptions, lookOf } from '../draw/look.js';
import { isGrouped, type PairCell, pairCells } from './figure-rows.js';
import { byRank, modelName } from './names.js';
import type { ReleaseView } from './view.js';

/** Draws which pairs are told apart: rows against columns, both by rank (figure 5). */
export function drawPairs(view: ReleaseView, options: DrawOptions): string {
  const look = lookOf(options);
  const { size, colours: c } = look;
  const models = byRank(view.leaderboard.models);
  const cells = pairCells(view.leaderboard);
  const of = (verdict: PairCell['verdict']) => cells.filter((cell) => cell.verdict === verdict);
  const band = { x: 'column', y: 'row', inset: 0.4 } as const;
  const plot = rowPlot(look, {
    names: rankedNames(
      models.map((model) => ({ rank: model.rank, rankTied: model.rankTied, name: modelName(view, model) })),
    ),
    right: size.margin,
  });
  return drawFigure(look, {
    title: 'Which pairs are told apart',
    subtitle: `${view.leaderboard.resolvedPairs} of ${view.leaderboard.pairs.length} pairs are ${isGrouped(view) ? 'resolved' : 'told apart'} at familywise ${view.leaderboard.plan.alpha} (${view.leaderboard.plan.multiplicity === 'max-t' ? 'max-T' : 'Holm'}). ${isGrouped(view) ? 'Unresolved is' : 'Not told apart is'} not equal.`,
    legend: [
      { label: 'row higher', colour: c.teal, mark: 'square' },
      { label: 'row lower (dotted)', colour: c.red, mark: 'square' },
      { label: isGrouped(view) ? 'unresolved' : 'not told apart', colour: c.grid, mark: 'square' },
    ],
    parts: [
      {
        height: plot.height,
        plot: {
          ...plot.margins,
          x: {
            type: 'band',
            domain: models.map((_, i) => i),
            padding: 0,
            label: 'column: rank',
            ticks: rankTicks(models.length).map((rank) => rank - 1),
            tickFormat: (row: number) => String(row + 1),
          },
          y: plot.y,
          marks: [
            Plot.cell(of('unresolved'), { ...band, fill: c.grid }),
            Plot.cell(of('higher'), { ...band, fill: c.teal }),
            Plot.cell(of('lower'), { ...band, fill: c.red }),
            Plot.dot(of('lower'), { x: 'column', y: 'row', r: 1.8 * size.mark, fill: c.background }),
          ],
        },
      },
    ],
  });
}
