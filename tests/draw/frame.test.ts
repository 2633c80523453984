import * as Plot from '@observablehq/plot';
import { describe, expect, it } from 'vitest';
import { type Theme, themeColours } from '../../src/draw/colours.js';
import { renderPng } from '../../src/draw/encode/png.js';
import { drawFigure } from '../../src/draw/frame.js';
import { FIGURE_SIZES, lookOf } from '../../src/draw/look.js';

const size = { ...FIGURE_SIZES.column, width: 400 };

function draw(theme: Theme = 'light') {
  const look = lookOf({ theme, size });
  const { blue, gold } = look.colours;
  return drawFigure(look, {
    title: 'Rates & <ratios>',
    subtitle: 'A subtitle that is long enough to need a second line when the figure is narrow',
    caption: 'Small print.',
    legend: [
      { label: 'one', colour: blue },
      { label: 'two', colour: gold, mark: 'ring' },
    ],
    parts: [
      {
        height: 200,
        plot: { marks: [Plot.dot([{ x: 1, y: 2 }], { x: 'x', y: 'y', fill: blue, clip: true }), Plot.ruleY([0])] },
      },
    ],
  });
}

describe('figures', () => {
  it('are the same bytes every time, whatever was drawn between', () => {
    const first = draw();
    draw('dark');
    expect(draw()).toBe(first);
  });

  it('stand alone: no style, no variable, no inherited colour, text escaped', () => {
    const svg = draw('dark');
    expect(svg).not.toMatch(/<style|style=|var\(--|currentColor|system-ui/);
    expect(svg).toContain('Rates &amp; &lt;ratios&gt;');
    expect(svg).toContain(`fill="${themeColours('dark').background}"`);
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="400"/);
  });

  it('become PNG at the scale asked for, with the embedded font', () => {
    const svg = draw();
    const png = renderPng(svg, 3);
    expect(png.subarray(1, 4).toString('latin1')).toBe('PNG');
    expect(png.readUInt32BE(16)).toBe(1200);
    const bare = renderPng(svg.replace(/<text[^>]*>[^<]*<\/text>/g, ''), 3);
    expect(png.length).toBeGreaterThan(bare.length + 1000);
  });
});
