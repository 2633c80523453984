import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import type { Look } from './look.js';
import { withoutControls } from './svg.js';
import { FONT_STACK } from './text.js';

/**
 * Gives all axes one look: no tick marks, the title in the middle, and for `grid: true` lines in the colour of the grid
 * behind everything else.
 */
function withAxes(options: Plot.PlotOptions, { size, colours }: Look): Plot.PlotOptions {
  const look = { tickSize: 0, labelAnchor: 'center', labelArrow: 'none' } as const;
  const { x, y, marks = [], marginLeft = 40 } = options;
  const lines = (scale: Plot.ScaleOptions | undefined) => ({
    stroke: colours.grid,
    strokeOpacity: 1,
    ...(scale?.ticks === undefined ? {} : { ticks: scale.ticks }),
  });
  return {
    ...options,
    x: { ...look, ...x, grid: false },
    y: { ...look, labelOffset: marginLeft - size.margin, ...y, grid: false },
    marks: [x?.grid === true ? Plot.gridX(lines(x)) : null, y?.grid === true ? Plot.gridY(lines(y)) : null, ...marks],
  };
}

/**
 * Draws a plot as wide as the figure. Returns Plot's own SVG with colours and font size written out, numbered ids made
 * repeatable, and neither style sheet nor class.
 */
export function plotMarkup(look: Look, options: Plot.PlotOptions): string {
  const { size, colours } = look;
  const { document } = parseHTML('<!doctype html><html><body></body></html>');
  const element = Plot.plot({
    ...withAxes(options, look),
    width: size.width,
    document: document as unknown as Document,
  });
  element.setAttribute('font-size', String(size.text));
  for (const style of element.querySelectorAll('style')) style.remove();
  const ids = new Map<string, string>();
  const svg = element.outerHTML.replace(/plot-clip-\d+/g, (id) => {
    if (!ids.has(id)) ids.set(id, `clip-${ids.size + 1}`);
    return ids.get(id)!;
  });
  return withoutControls(svg)
    .replaceAll('system-ui, sans-serif', FONT_STACK)
    .replaceAll('currentColor', colours.ink)
    .replaceAll('var(--plot-background)', colours.background)
    .replace(/ class="plot-[^"]*"/g, '');
}
