import { Resvg, type ResvgRenderOptions, renderAsync } from '@resvg/resvg-js';
import { FONT_FAMILY } from '../text.js';
import { fontFile } from './font.js';

/** Keeps f and i apart, which the font would join into one narrower letter: a zero-width non-joiner between them. */
export const withoutLigatures = (svg: string): string =>
  svg.replace(/>[^<]+</g, (text) => text.replaceAll('fi', 'f\u200ci'));

/** Most pixels of a picture whose scale is not asked for: a page of many rows stays legible, and as fast to make as others. */
const MOST_PIXELS = 3_000_000;

/** Two pixels a unit, or as many as a tall figure leaves. */
function usualScale(svg: string): number {
  const [, width, height] = /<svg[^>]*? width="([\d.]+)"[^>]*? height="([\d.]+)"/.exec(svg) ?? [];
  return Math.max(1, Math.min(2, Math.sqrt(MOST_PIXELS / (Number(width) * Number(height)) || 4)));
}

const options = (scale: number): ResvgRenderOptions => ({
  fitTo: { mode: 'zoom', value: scale },
  font: {
    loadSystemFonts: false,
    fontFiles: [fontFile(400), fontFile(600)],
    defaultFontFamily: FONT_FAMILY,
  },
});

/** Renders a figure as PNG with the embedded font only. `scale` is pixels per SVG unit: two unless given, fewer of a very tall figure. */
export function renderPng(svg: string, scale = usualScale(svg)): Buffer {
  return new Resvg(withoutLigatures(svg), options(scale)).render().asPng();
}

/** Renders a figure as `renderPng` does, on a thread beside this one. */
export async function renderPngBeside(svg: string): Promise<Buffer> {
  return (await renderAsync(withoutLigatures(svg), options(usualScale(svg)))).asPng();
}
