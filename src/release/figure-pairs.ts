import * as Plot from '@observablehq/plot';
import { rankTicks } from '../draw/axis.js';
import { columnFigure } from '../draw/column.js';
import { columnRows, ROW, rankedLabels } from '../draw/column-axis.js';
import type { Theme } from '../draw/figure.js';
import { type PairCell, pairCells } from './figure-rows.js';
import { byRank, modelName } from './names.js';
import type { ReleaseView } from './release.js';

const RIGHT = 8;

/** Which pairs are told apart after Holm: rows against columns, both by rank (figure 5). */
export function drawPairs(view: ReleaseView, theme: Theme): string {
  const models = byRank(view.board.models);
  const cells = pairCells(view.board);
  const axis = columnRows(rankedLabels(models.map((model) => ({ rank: model.rank, name: modelName(view, model) }))));
  const of = (verdict: PairCell['verdict']) => cells.filter((cell) => cell.verdict === verdict);
  const band = { x: 'column', y: 'row', inset: 0.4 } as const;
  return columnFigure({
    theme,
    title: 'Which pairs are told apart',
    subtitle: `${view.board.resolvedPairs} of ${view.board.pairs.length} pairs are resolved at familywise ${view.board.alpha} (Holm). Unresolved is not equal.`,
    legend: (c) => [
      { label: 'row higher', colour: c.teal, mark: 'square' },
      { label: 'row lower (dotted)', colour: c.red, mark: 'square' },
      { label: 'unresolved', colour: c.grid, mark: 'square' },
    ],
    parts: (c) => [
      {
        height: 35 + ROW * models.length,
        plot: {
          marginLeft: axis.marginLeft,
          marginRight: RIGHT,
          marginTop: 2,
          marginBottom: 33,
          x: {
            type: 'band',
            domain: axis.rows,
            padding: 0,
            label: 'column: rank',
            ticks: rankTicks(models.length).map((rank) => rank - 1),
            tickFormat: (row: number) => String(row + 1),
          },
          y: axis.y,
          marks: [
            Plot.cell(of('unresolved'), { ...band, fill: c.grid }),
            Plot.cell(of('higher'), { ...band, fill: c.teal }),
            Plot.cell(of('lower'), { ...band, fill: c.red }),
            Plot.dot(of('lower'), { x: 'column', y: 'row', r: 1.3, fill: c.background }),
          ],
        },
      },
    ],
  });
}
