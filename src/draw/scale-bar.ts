import type { FigurePart } from './frame.js';
import type { Look } from './look.js';
import { rounded, textLine } from './svg.js';

export interface ScaleBarOptions {
  readonly title: string;
  /** Where the bar begins, in SVG units. */
  readonly left: number;
  /** The values at both ends. */
  readonly domain: readonly [number, number];
  readonly shade: (value: number) => string;
}

const STEPS = 20;

/** Draws the key to a scale of shades: its title at the left, both ends and the middle written. */
export function scaleBar({ size, colours }: Look, { title, left, domain, shade }: ScaleBarOptions): FigurePart {
  const [low, high] = domain;
  const width = size.width - left - size.margin;
  const height = 0.7 * size.text;
  const at = (share: number) => low + (high - low) * share;
  const bars = Array.from({ length: STEPS }, (_, k) => {
    const [x, end] = [left + (k * width) / STEPS, left + ((k + 1) * width) / STEPS];
    return `<rect x="${rounded(x)}" y="6" width="${rounded(end - x + 0.2)}" height="${rounded(height)}" fill="${shade(at((k + 0.5) / STEPS))}"/>`;
  });
  const written = { size: size.small, fill: colours.muted };
  const ends = [
    [0, 'start'],
    [0.5, 'middle'],
    [1, 'end'],
  ] as const;
  const numbers = ends.map(([share, anchor]) =>
    textLine(String(rounded(at(share))), {
      ...written,
      x: left + width * share,
      y: 6 + height + 1.1 * size.small,
      anchor,
    }),
  );
  const name = textLine(title, { ...written, x: left - 9, y: 6 + height, anchor: 'end' });
  return { height: Math.round(6 + height + 1.4 * size.small), markup: [name, ...bars, ...numbers].join('') };
}
