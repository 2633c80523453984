import * as Plot from '@observablehq/plot';
import { rowPlot } from '../draw/axis.js';
import { mixed, type Theme } from '../draw/colours.js';
import { drawFigure } from '../draw/frame.js';
import { type DrawOptions, lookOf } from '../draw/look.js';
import { scaleBar } from '../draw/scale-bar.js';
import { shortened } from '../draw/text.js';
import { fixed } from '../util/format.js';
import { byRank, familiesOf, familyName } from './names.js';
import { rankedLabels } from './ranked-labels.js';
import type { ReleaseView } from './view.js';

/** Share of blue at the upper end: with more of it ink would be faint. */
const STRENGTH: Readonly<Record<Theme, number>> = { light: 0.62, dark: 0.52 };

/** The tens that hold all scores. */
function tensAround(scores: readonly number[]): readonly [number, number] {
  const low = Math.min(90, 10 * Math.floor(Math.min(...scores) / 10));
  return [low, Math.max(low + 10, 10 * Math.ceil(Math.max(...scores) / 10))];
}

/** Draws the mean score of each model in each family (figure 6). */
export function drawFamilies(view: ReleaseView, options: DrawOptions): string {
  const look = lookOf(options);
  const { size, colours: c } = look;
  const { tasksPerFamily } = view.leaderboard;
  const families = familiesOf(view.leaderboard);
  const models = byRank(view.leaderboard.models);
  const plot = rowPlot(look, {
    names: rankedLabels(view),
    right: size.margin,
  });
  const cells = models.flatMap((model, row) =>
    families.map((family) => ({ row, family, score: model.familyScores[family]! })),
  );
  const domain = tensAround(cells.map(({ score }) => score));
  const shade = (score: number) =>
    mixed(c.background, c.blue, ((score - domain[0]) / (domain[1] - domain[0])) * STRENGTH[look.theme]);
  const { marginLeft, marginRight } = plot.margins;
  const room = (size.width - marginLeft - marginRight) / families.length - 4;
  const names = Math.round(2 * size.text);
  return drawFigure(look, {
    title: 'Scores by family',
    subtitle: `${families.map((family) => `${familyName(family)}: ${tasksPerFamily[family]} tasks`).join('; ')}. Families share the scale, not its meaning.`,
    parts: [
      {
        height: names + 2 + size.row * models.length,
        plot: {
          marginLeft,
          marginRight,
          marginTop: names,
          marginBottom: 2,
          x: {
            type: 'band',
            domain: [...families],
            padding: 0,
            axis: 'top',
            label: null,
            tickFormat: (family: string) => shortened(familyName(family), size.text, room),
          },
          y: plot.y,
          marks: [
            Plot.cell(cells, {
              x: 'family',
              y: 'row',
              inset: 0.4,
              fill: ({ score }: { score: number }) => shade(score),
            }),
            Plot.text(cells, {
              x: 'family',
              y: 'row',
              text: ({ score }: { score: number }) => fixed(score, 0),
              fill: c.ink,
            }),
          ],
          color: { type: 'identity' },
        },
      },
      scaleBar(look, { title: 'score', left: marginLeft, domain, shade }),
    ],
  });
}
