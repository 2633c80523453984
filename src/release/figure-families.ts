import * as Plot from '@observablehq/plot';
import { rankedNames, rowPlot } from '../draw/axis.js';
import { mixed, type Theme } from '../draw/colours.js';
import { drawFigure, type FigurePart } from '../draw/frame.js';
import { type DrawOptions, type Look, lookOf } from '../draw/look.js';
import { rounded, textLine } from '../draw/svg.js';
import { shortened } from '../draw/text.js';
import { fixed } from '../util/format.js';
import { byRank, familiesOf, familyName, modelName } from './names.js';
import type { ReleaseView } from './view.js';

/** Share of blue at a score of 100: with more of it ink would be faint on the upper end of the scale. */
const STRENGTH: Readonly<Record<Theme, number>> = { light: 0.62, dark: 0.52 };

/** Blue mixed into the background: more for a higher score, 0 to 100. */
const shade = ({ theme, colours }: Look, score: number): string =>
  mixed(colours.background, colours.blue, (score / 100) * STRENGTH[theme]);

/** Draws the mean score of each model in each family (figure 6). */
export function drawFamilies(view: ReleaseView, options: DrawOptions): string {
  const look = lookOf(options);
  const { size, colours: c } = look;
  const { tasksPerFamily } = view.leaderboard;
  const families = familiesOf(view.leaderboard);
  const models = byRank(view.leaderboard.models);
  const plot = rowPlot(look, {
    names: rankedNames(models.map((model) => ({ rank: model.rank, name: modelName(view, model) }))),
    right: size.margin,
  });
  const cells = models.flatMap((model, row) =>
    families.map((family) => ({ row, family, score: model.familyScores[family]! })),
  );
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
              fill: ({ score }: { score: number }) => shade(look, score),
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
      scalePart(look, marginLeft),
    ],
  });
}

/** The colours of 0 to 100. */
function scalePart(look: Look, left: number): FigurePart {
  const { size, colours: c } = look;
  const steps = 20;
  const width = size.width - left - size.margin;
  const height = 0.7 * size.text;
  const bars = Array.from({ length: steps }, (_, k) => {
    const [x, end] = [left + (k * width) / steps, left + ((k + 1) * width) / steps];
    return `<rect x="${rounded(x)}" y="6" width="${rounded(end - x + 0.2)}" height="${rounded(height)}" fill="${shade(look, (100 * (k + 0.5)) / steps)}"/>`;
  });
  const written = { size: size.small, fill: c.muted };
  const numbers = ([0, 50, 100] as const).map((value) =>
    textLine(String(value), {
      ...written,
      x: left + (width * value) / 100,
      y: 6 + height + 1.1 * size.small,
      anchor: value === 0 ? 'start' : value === 100 ? 'end' : 'middle',
    }),
  );
  const title = textLine('score', { ...written, x: left - 9, y: 6 + height, anchor: 'end' });
  return { height: Math.round(6 + height + 1.4 * size.small), markup: [title, ...bars, ...numbers].join('') };
}
