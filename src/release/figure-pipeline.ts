import { columnFigure, lettering, tidy } from '../draw/column.js';
import { COLUMN } from '../draw/column-size.js';
import type { Theme } from '../draw/figure.js';
import { wrapped } from '../draw/text.js';
import { pipelineStations } from './figure-rows.js';
import type { ReleaseView } from './release.js';

const GAP = 15;
const PAD = 8;
const LINE = 12.5;

/** The way from environment to leaderboard (figure 1). */
export function drawPipeline(view: ReleaseView, theme: Theme): string {
  const left = COLUMN.margin + 4;
  const width = COLUMN.width - 2 * left;
  const stations = pipelineStations(view).map((station) => ({
    ...station,
    lines: wrapped(station.text, COLUMN.text, width - 2 * PAD - 6),
  }));
  return columnFigure({
    theme,
    title: 'From environment to leaderboard',
    subtitle: 'Answers are looked up in maps; no model judges another.',
    legend: (c) => [
      { label: 'fixed before any answer', colour: c.gold, mark: 'square' },
      { label: 'made after it', colour: c.blue, mark: 'square' },
    ],
    parts: (c) => {
      let y = 2;
      const out: string[] = [];
      stations.forEach((station, i) => {
        const height = PAD + LINE * (1 + station.lines.length) + 6;
        if (i > 0) {
          const x = COLUMN.width / 2;
          out.push(
            `<path d="M${x},${tidy(y - GAP + 2)}V${tidy(y - 5)}" stroke="${c.muted}" stroke-width="1.2"/>`,
            `<path d="M${x - 4},${tidy(y - 6)}h8l-4,5z" fill="${c.muted}"/>`,
          );
        }
        out.push(
          `<rect x="${left}" y="${tidy(y)}" width="${width}" height="${tidy(height)}" rx="3" fill="none" stroke="${c.grey}" stroke-width="0.8"/>`,
          `<rect x="${left}" y="${tidy(y)}" width="4" height="${tidy(height)}" rx="1.5" fill="${station.fixed ? c.gold : c.blue}"/>`,
          lettering(station.title, { x: left + PAD + 4, y: y + PAD + 8, fill: c.ink, weight: 600 }),
          ...station.lines.map((line, k) =>
            lettering(line, { x: left + PAD + 4, y: y + PAD + 8 + LINE * (k + 1), fill: c.ink }),
          ),
        );
        y += height + GAP;
      });
      return [{ height: y - GAP + 4, markup: out.join('') }];
    },
  });
}
