import type * as Plot from '@observablehq/plot';
import { COLUMN } from './column-size.js';
import {
  escapeXml,
  type LegendEntry,
  legendMark,
  plotMarkup,
  type Theme,
  type ThemeColours,
  themeColours,
} from './figure.js';
import { measured, wrapped } from './text.js';

/** One block of a figure: a plot, or markup drawn from (0, 0). */
export type FigurePart =
  | {
      readonly heading?: string;
      readonly height: number;
      readonly plot: Plot.PlotOptions;
      /** Drawn over the plot, in its pixels. */
      readonly overlay?: string;
    }
  | { readonly heading?: string; readonly height: number; readonly markup: string };

export interface ColumnFigure {
  readonly title: string;
  readonly subtitle?: string;
  readonly caption?: string;
  readonly legend?: (colours: ThemeColours) => readonly LegendEntry[];
  readonly theme: Theme;
  readonly parts: (colours: ThemeColours) => readonly FigurePart[];
}

export interface Lettering {
  readonly x: number;
  readonly y: number;
  readonly size?: number;
  readonly fill: string;
  readonly weight?: 400 | 600;
  readonly anchor?: 'start' | 'middle' | 'end';
}

/** A line of text; `y` is its baseline. */
export function lettering(text: string, at: Lettering): string {
  const { x, y, size = COLUMN.text, fill, weight = 400, anchor = 'start' } = at;
  return `<text x="${tidy(x)}" y="${tidy(y)}" font-size="${size}" font-weight="${weight}" text-anchor="${anchor}" fill="${fill}">${escapeXml(text)}</text>`;
}

/** Coordinates with at most two decimals: the same text for the same place. */
export const tidy = (x: number): number => Math.round(x * 100) / 100;

const FONTS = 'IBM Plex Sans, Arial, Helvetica, sans-serif';

function legendRows(entries: readonly LegendEntry[], top: number, fill: string) {
  const { margin, width, small } = COLUMN;
  let x = margin as number;
  let y = top + 8;
  const parts = entries.map((entry) => {
    const mark = entry.mark === 'line' || entry.mark === 'dash' ? 19 : 15;
    const wide = mark + measured(entry.label, small) + 14;
    if (x > margin && x + wide - 14 > width - margin) {
      x = margin;
      y += 15;
    }
    const part = legendMark(entry, x, y) + lettering(entry.label, { x: x + mark, y: y + 3.3, size: small, fill });
    x += wide;
    return part;
  });
  return { markup: parts.join(''), height: entries.length === 0 ? 0 : y - top + 10 };
}

/**
 * A figure made for one printed column: title, legend, parts and small print under each other. No text is smaller than
 * 6.5 points at 84 mm. The same bytes for the same request.
 */
export function columnFigure(figure: ColumnFigure): string {
  const { title, subtitle, caption, theme } = figure;
  const { width, margin } = COLUMN;
  const colours = themeColours(theme);
  const out: string[] = [];
  let y = 6;
  const lines = (text: string | undefined, size: number, fill: string, weight: 400 | 600) => {
    if (text === undefined) return;
    for (const line of wrapped(text, size, width - 2 * margin, weight === 600)) {
      y += Math.round(size * 1.3);
      out.push(lettering(line, { x: margin, y, size, fill, weight }));
    }
  };
  lines(title, COLUMN.title, colours.ink, 600);
  lines(subtitle, COLUMN.small, colours.muted, 400);
  y += 8;
  const legend = legendRows(figure.legend?.(colours) ?? [], y, colours.ink);
  out.push(legend.markup);
  y += legend.height;
  for (const part of figure.parts(colours)) {
    lines(part.heading, COLUMN.text, colours.ink, 600);
    const markup =
      'markup' in part
        ? part.markup
        : plotMarkup({ ...part.plot, width, height: part.height }, colours) + (part.overlay ?? '');
    out.push(`<g transform="translate(0,${tidy(y)})">${markup}</g>`);
    y += part.height;
  }
  lines(caption, COLUMN.small, colours.muted, 400);
  const height = tidy(y + 9);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONTS}" font-size="${COLUMN.text}" role="img" aria-label="${escapeXml(title)}"><rect width="${width}" height="${height}" fill="${colours.background}"/>${out.join('')}</svg>\n`;
}
