import * as Plot from '@observablehq/plot';
import { rankTicks, rowPlot } from '../draw/axis.js';
import { mixed } from '../draw/colours.js';
import { drawFigure } from '../draw/frame.js';
import { type DrawOptions, lookOf } from '../draw/look.js';
import { scaleBar } from '../draw/scale-bar.js';
import { rankText } from '../inference/model-ranks.js';
import { isGrouped, type PairCell, pairCells } from './figure-rows.js';
import { byRank } from './names.js';
import { rankedLabels } from './ranked-labels.js';
import type { ReleaseView } from './view.js';

/** Share of the colour where the difference is nothing. */
const FAINT = 0.22;

/** The first whole number that no difference is beyond, at least 1. */
const reachOf = (cells: readonly PairCell[]): number =>
  Math.ceil(Math.max(1, ...cells.map(({ difference }) => Math.abs(difference))));

/** Draws every pair once: the better rank as the row, shaded by the difference, whole where the two are told apart (figure 5). */
export function drawPairs(view: ReleaseView, options: DrawOptions): string {
  const look = lookOf(options);
  const { size, colours: c } = look;
  const models = byRank(view.leaderboard.models);
  const cells = pairCells(view.leaderboard);
  const reach = reachOf(cells);
  const shade = (difference: number) =>
    mixed(c.background, c.teal, FAINT + (1 - FAINT) * Math.min(1, Math.abs(difference) / reach));
  const of = (verdict: PairCell['verdict']) => cells.filter((cell) => cell.verdict === verdict);
  const fill = ({ difference }: PairCell) => shade(difference);
  const plot = rowPlot(look, {
    names: rankedLabels(view),
    right: size.margin,
  });
  const { marginLeft, marginRight } = plot.margins;
  const width = (size.width - marginLeft - marginRight) / models.length;
  /** Of a small square in the middle of its cell. */
  const inset = {
    insetLeft: 0.3 * width,
    insetRight: 0.3 * width,
    insetTop: 0.3 * size.row,
    insetBottom: 0.3 * size.row,
  };
  const apart = isGrouped(view) ? 'resolved' : 'told apart';
  const open = isGrouped(view) ? 'unresolved' : 'not told apart';
  const against = of('lower');
  return drawFigure(look, {
    title: 'Which pairs are told apart',
    subtitle: `${view.leaderboard.resolvedPairs} of ${view.leaderboard.pairs.length} pairs are ${apart} at familywise ${view.leaderboard.plan.alpha} (${view.leaderboard.plan.multiplicity === 'max-t' ? 'max-T' : 'Holm'}): the row above the column. ${isGrouped(view) ? 'Unresolved' : 'Not told apart'} is not equal.`,
    legend: [
      { label: apart, colour: c.teal, mark: 'square' },
      { label: open, colour: c.teal, mark: 'cell' },
      ...(against.length === 0 ? [] : [{ label: 'the column above the row', colour: c.red, mark: 'square' as const }]),
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
            ticks: rankTicks(look, models.length, plot, true).map((rank) => rank - 1),
            tickFormat: (row: number) => rankText(models[row]!),
          },
          y: { ...plot.y, axis: null },
          color: { type: 'identity' },
          marks: [
            Plot.text(models, {
              x: (_, k) => k,
              y: (_, k) => k,
              text: (_, k) => plot.names[k]!,
              textAnchor: 'end',
              dx: -width / 2 - 4,
              fill: c.ink,
            }),
            Plot.cell(of('unresolved'), { x: 'column', y: 'row', ...inset, fill }),
            Plot.cell(of('higher'), { x: 'column', y: 'row', inset: 0.4, fill }),
            Plot.cell(against, { x: 'column', y: 'row', inset: 0.4, fill: c.red }),
          ],
        },
      },
      scaleBar(look, { title: 'points', left: marginLeft, domain: [0, reach], shade }),
    ],
  });
}
