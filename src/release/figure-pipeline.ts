import { drawFigure } from '../draw/frame.js';
import { type DrawOptions, lookOf } from '../draw/look.js';
import { rounded, textLine } from '../draw/svg.js';
import { wrapped } from '../draw/text.js';
import { pipelineStations } from './figure-rows.js';
import type { ReleaseView } from './view.js';

/** Space between two stations, and inside one around its text. */
const GAP = 15;
const PAD = 8;

/** Draws the way from environment to leaderboard (figure 1). */
export function drawPipeline(view: ReleaseView, options: DrawOptions): string {
  const look = lookOf(options);
  const { size, colours: c } = look;
  // Of the published benchmark its paper says when they were fixed; a folder of files shows no order in time.
  const stated = view.kind === 'published';
  const left = size.margin + 4;
  const width = size.width - 2 * left;
  const line = 1.25 * size.text;
  const middle = size.width / 2;
  const out: string[] = [];
  let y = 2;
  for (const [i, { title, text, answers }] of pipelineStations(view).entries()) {
    const lines = wrapped(text, size.text, width - 2 * PAD - 6);
    const height = PAD + line * (1 + lines.length) + 6;
    if (i > 0) {
      out.push(
        `<path d="M${middle},${rounded(y - GAP + 2)}V${rounded(y - 5)}" stroke="${c.muted}" stroke-width="1.2"/>`,
        `<path d="M${middle - 4},${rounded(y - 6)}h8l-4,5z" fill="${c.muted}"/>`,
      );
    }
    const at = (row: number) => ({
      x: left + PAD + 4,
      y: y + PAD + 0.8 * size.text + line * row,
      size: size.text,
      fill: c.ink,
    });
    out.push(
      `<rect x="${left}" y="${rounded(y)}" width="${width}" height="${rounded(height)}" rx="3" fill="none" stroke="${c.grey}" stroke-width="0.8"/>`,
      `<rect x="${left}" y="${rounded(y)}" width="4" height="${rounded(height)}" rx="1.5" fill="${answers ? c.blue : c.gold}"/>`,
      textLine(title, { ...at(0), weight: 600 }),
      ...lines.map((words, k) => textLine(words, at(k + 1))),
    );
    y += height + GAP;
  }
  return drawFigure(look, {
    title: 'From environment to leaderboard',
    subtitle: 'Answers are looked up in maps; no model judges another.',
    legend: [
      { label: stated ? 'fixed before any answer' : 'needs no answer', colour: c.gold, mark: 'square' },
      { label: stated ? 'made after it' : 'made with answers', colour: c.blue, mark: 'square' },
    ],
    parts: [{ height: y - GAP + 4, markup: out.join('') }],
  });
}
