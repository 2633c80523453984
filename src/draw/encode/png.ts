import { Resvg } from '@resvg/resvg-js';
import { FONT_FAMILY } from '../text.js';
import { fontFile } from './font.js';

/** Keeps f and i apart, which the font would join into one narrower letter: a zero-width non-joiner between them. */
export const withoutLigatures = (svg: string): string =>
  svg.replace(/>[^<]+</g, (text) => text.replaceAll('fi', 'f\u200ci'));

/** Renders a figure as PNG with the embedded font only. `scale` is pixels per SVG unit. */
export function renderPng(svg: string, scale = 2): Buffer {
  return new Resvg(withoutLigatures(svg), {
    fitTo: { mode: 'zoom', value: scale },
    font: {
      loadSystemFonts: false,
      fontFiles: [fontFile(400), fontFile(600)],
      defaultFontFamily: FONT_FAMILY,
    },
  })
    .render()
    .asPng();
}
