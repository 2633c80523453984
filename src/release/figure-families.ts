import * as Plot from '@observablehq/plot';
import { columnFigure, lettering } from '../draw/column.js';
import { columnRows, ROW, rankedLabels } from '../draw/column-axis.js';
import { COLUMN } from '../draw/column-size.js';
import type { Theme, ThemeColours } from '../draw/figure.js';
import { fitted } from '../draw/text.js';
import { fixed } from '../util/format.js';
import { byRank, familyName, modelName } from './names.js';
import type { ReleaseView } from './release.js';

const RIGHT = 8;

const channel = (hex: string, at: number) => Number.parseInt(hex.slice(at, at + 2), 16);

/** Share of blue at a score of 100: with more of it ink would be faint on the upper end of the scale. */
const STRENGTH = { light: 0.62, dark: 0.52 } as const;

/** Blue mixed into the background: more for a higher share. */
function shade(c: ThemeColours, whole: number): string {
  const share = whole * STRENGTH[luminance(c.background) < 0.5 ? 'dark' : 'light'];
  const mixed = [1, 3, 5].map((at) =>
    Math.round(channel(c.background, at) * (1 - share) + channel(c.blue, at) * share)
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${mixed.join('')}`.toUpperCase();
}

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const v = channel(hex, at) / 255;
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Mean score of each model in each family (figure 6). */
export function drawFamilies(view: ReleaseView, theme: Theme): string {
  const { families } = view.board;
  const models = byRank(view.board.models);
  const axis = columnRows(rankedLabels(models.map((model) => ({ rank: model.rank, name: modelName(view, model) }))));
  const cells = models.flatMap((model, row) =>
    families.map((family) => ({ row, family, score: model.familyScores[family]! })),
  );
  const wide = (COLUMN.width - axis.marginLeft - RIGHT) / families.length - 4;
  return columnFigure({
    theme,
    title: 'Scores by family',
    subtitle: `${families.map((family) => `${familyName(family)}: ${view.board.tasksPerFamily[family]} tasks`).join('; ')}. Families share the scale, not its meaning.`,
    parts: (c) => [
      {
        height: 22 + ROW * models.length,
        plot: {
          marginLeft: axis.marginLeft,
          marginRight: RIGHT,
          marginTop: 20,
          marginBottom: 2,
          x: {
            type: 'band',
            domain: [...families],
            padding: 0,
            axis: 'top',
            label: null,
            tickFormat: (family: string) => fitted(familyName(family), COLUMN.text, wide),
          },
          y: axis.y,
          marks: [
            Plot.cell(cells, {
              x: 'family',
              y: 'row',
              inset: 0.4,
              fill: (cell: { score: number }) => shade(c, cell.score / 100),
            }),
            Plot.text(cells, {
              x: 'family',
              y: 'row',
              text: (cell: { score: number }) => fixed(cell.score, 0),
              fill: c.ink,
            }),
          ],
          color: { type: 'identity' },
        },
      },
      { height: 26, markup: scale(c, axis.marginLeft) },
    ],
  });
}

/** The colours of 0 to 100. */
function scale(c: ThemeColours, left: number): string {
  const steps = 20;
  const wide = (COLUMN.width - left - RIGHT) / steps;
  const bars = Array.from(
    { length: steps },
    (_, k) =>
      `<rect x="${(left + k * wide).toFixed(2)}" y="6" width="${(wide + 0.2).toFixed(2)}" height="7" fill="${shade(c, (k + 0.5) / steps)}"/>`,
  );
  const ends = [0, 50, 100].map((value) =>
    lettering(String(value), {
      x: left + ((COLUMN.width - left - RIGHT) * value) / 100,
      y: 23,
      size: COLUMN.small,
      fill: c.muted,
      anchor: value === 0 ? 'start' : value === 100 ? 'end' : 'middle',
    }),
  );
  const title = lettering('score', {
    x: left - 9,
    y: 13,
    size: COLUMN.small,
    fill: c.muted,
    anchor: 'end',
  });
  return `${title}${bars.join('')}${ends.join('')}`;
}
