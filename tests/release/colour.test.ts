import { describe, expect, it } from 'vitest';
import { type Theme, themeColours } from '../../src/draw/colours.js';
import { figureSvg } from '../../src/release/figures.js';
import { noShared } from '../support/shared.js';
import { publishedView } from './published.js';

type Triple = readonly [number, number, number];

/** Full colour blindness of each form as a matrix on linear RGB (Machado, Oliveira and Fernandes 2009). */
const BLINDNESS: Readonly<Record<string, readonly Triple[]>> = {
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function linear(hex: string): Triple {
  return [1, 3, 5].map((at) => {
    const v = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  }) as unknown as Triple;
}

const dot = (a: Triple, b: Triple) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

function lab(rgb: Triple): Triple {
  const [r, g, b] = rgb.map((v) => Math.min(1, Math.max(0, v))) as unknown as Triple;
  const f = (t: number) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
  const y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const luminance = (hex: string) => dot(linear(hex), [0.2126, 0.7152, 0.0722]);

function contrast(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

describe.each<Theme>(['light', 'dark'])('colours of the %s theme', (theme) => {
  const c = themeColours(theme);

  it.each(Object.entries(BLINDNESS))('keep series apart under %s', (_, matrix) => {
    const series = [c.blue, c.gold, c.teal, c.red].map((hex) => {
      const rgb = linear(hex);
      return lab(matrix.map((row) => dot(row, rgb)) as unknown as Triple);
    });
    series.forEach((a, i) => {
      for (const b of series.slice(i + 1))
        expect(Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])).toBeGreaterThan(10);
    });
  });

  it('let text and marks stand out from the background', () => {
    expect(contrast(c.ink, c.background)).toBeGreaterThan(10);
    expect(contrast(c.muted, c.background)).toBeGreaterThan(4.5);
    for (const mark of [c.blue, c.gold, c.teal, c.red, c.grey]) expect(contrast(mark, c.background)).toBeGreaterThan(3);
  });

  it.skipIf(noShared)('leave the digits readable on every shade of the family scores', async () => {
    const svg = await figureSvg(publishedView(), 'families', theme);
    const shades = [...svg.matchAll(/<rect [^>]*fill="(#[0-9A-F]{6})"/g)].map(([, hex]) => hex!);
    expect(shades.length).toBeGreaterThan(80);
    for (const shade of shades) expect(contrast(shade, c.ink)).toBeGreaterThan(4.5);
  });
});
