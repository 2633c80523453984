import type * as Plot from '@observablehq/plot';
import { type LegendEntry, legendRows } from './legend.js';
import type { Look } from './look.js';
import { plotMarkup } from './plot.js';
import { escapeXml, rounded, textLine } from './svg.js';
import { FONT_STACK, wrapped } from './text.js';

/** One block of a figure: a plot, or markup drawn from (0, 0). */
export type FigurePart = {
  readonly heading?: string;
  readonly legend?: readonly LegendEntry[];
  readonly height: number;
} & (
  | {
      readonly plot: Plot.PlotOptions;
      /** Drawn over the plot, in its pixels. */
      readonly overlay?: string;
    }
  | { readonly markup: string }
);

export interface Figure {
  readonly title: string;
  readonly subtitle?: string;
  readonly legend?: readonly LegendEntry[];
  readonly parts: readonly FigurePart[];
  /** Small print under the parts. */
  readonly caption?: string;
}

/**
 * Draws a figure as one SVG: title, subtitle, legend, parts and caption under each other, colours literal, the same bytes
 * for the same request. Text is shown without kerning, as it was measured; `kerning` says so to resvg, and the font that
 * `draw/encode/font.ts` embeds has no kerning at all.
 */
export function drawFigure(look: Look, figure: Figure): string {
  const { size, colours } = look;
  const { width, margin } = size;
  const out: string[] = [];
  let y = rounded(0.4 * size.title);
  const lines = (text: string | undefined, fontSize: number, fill: string, weight: 400 | 600 = 400) => {
    for (const line of text === undefined ? [] : wrapped(text, fontSize, width - 2 * margin, weight === 600)) {
      y = Math.round(y + 1.32 * fontSize);
      out.push(textLine(line, { x: margin, y, size: fontSize, fill, weight }));
    }
  };
  const legend = (entries: readonly LegendEntry[] = []) => {
    const rows = legendRows(look, entries, y);
    out.push(rows.markup);
    y += rows.height;
  };
  lines(figure.title, size.title, colours.ink, 600);
  if (figure.subtitle !== undefined) y += size.gap / 6;
  lines(figure.subtitle, size.small, colours.muted);
  y += size.gap;
  legend(figure.legend);
  for (const [i, part] of figure.parts.entries()) {
    if (i > 0 && part.heading !== undefined) y += size.gap / 2;
    lines(part.heading, size.text, colours.ink, 600);
    if (part.legend !== undefined) y += size.gap / 2;
    legend(part.legend);
    const markup =
      'markup' in part ? part.markup : plotMarkup(look, { ...part.plot, height: part.height }) + (part.overlay ?? '');
    out.push(`<g transform="translate(0,${rounded(y)})">${markup}</g>`);
    y += part.height;
  }
  lines(figure.caption, size.small, colours.muted);
  const height = rounded(y + size.small);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONT_STACK}" font-size="${size.text}" kerning="0" text-rendering="geometricPrecision" role="img" aria-label="${escapeXml(figure.title)}"><rect width="${width}" height="${height}" fill="${colours.background}"/>${out.join('')}</svg>\n`;
}
