import { FONT_RULES } from './figure-font.js';

/** Gives a figure the address of an image that holds it, with the font that it was laid out in. */
export function figureAddress(svg: string): string {
  const whole = svg.replace(/^<svg [^>]*>/, (tag) => `${tag}<style>${FONT_RULES}</style>`);
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(whole)}`;
}
