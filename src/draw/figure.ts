import * as Plot from '@observablehq/plot';
import { Resvg } from '@resvg/resvg-js';
import { parseHTML } from 'linkedom';
import { fontFiles, measured, wrapped } from './text.js';

export type Theme = 'light' | 'dark';

/** Colours of a theme; the five series stay apart for every common form of colour blindness. */
export interface ThemeColours {
  readonly background: string;
  readonly ink: string;
  /** Secondary text. */
  readonly muted: string;
  readonly grid: string;
  readonly blue: string;
  readonly gold: string;
  readonly teal: string;
  readonly red: string;
  /** Neutral marks. */
  readonly grey: string;
}

const THEMES: Record<Theme, ThemeColours> = {
  light: {
    background: '#FFFFFF',
    ink: '#262B33',
    muted: '#5B6470',
    grid: '#E9EDF2',
    blue: '#1769AA',
    gold: '#E6A11A',
    teal: '#168C7A',
    red: '#C75450',
    grey: '#8A94A1',
  },
  dark: {
    background: '#262B33',
    ink: '#E9EDF2',
    muted: '#AEB8C4',
    grid: '#3B434E',
    blue: '#5FAAE3',
    gold: '#F0BC52',
    teal: '#4FC2AC',
    red: '#E88E89',
    grey: '#8A94A1',
  },
};

/** The colours of a theme. */
export function themeColours(theme: Theme): ThemeColours {
  return THEMES[theme];
}

const FAMILY = 'IBM Plex Sans';
const FONT_STACK = `${FAMILY}, Arial, Helvetica, sans-serif`;
export interface LegendEntry {
  readonly label: string;
  readonly colour: string;
  /** `dot` unless said otherwise; `ring` is a hollow dot, `dash` a broken line. */
  readonly mark?: 'dot' | 'ring' | 'line' | 'dash' | 'square' | 'triangle' | 'diamond';
}

export interface FigureRequest {
  readonly title: string;
  readonly subtitle?: string;
  /** Small print under the plot. */
  readonly caption?: string;
  readonly legend?: readonly LegendEntry[];
  /** 720 unless given. */
  readonly width?: number;
  /** Height of the plot alone; title, legend and caption come on top. */
  readonly height: number;
  readonly theme: Theme;
  /** Options of the plot; size, colours of text and font are set here. */
  readonly plot: (colours: ThemeColours) => Plot.PlotOptions;
}

/** What no XML document may hold. */
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** A text made harmless inside markup; control characters become spaces. */
export const escapeXml = (text: string): string =>
  text
    .replace(NOT_XML, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

interface TextLine {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly fill: string;
  readonly weight?: number;
}

const textAt = (text: string, { x, y, size, fill, weight = 400 }: TextLine): string =>
  `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${fill}">${escapeXml(text)}</text>`;

/** The mark of a legend entry, 14 units wide, centred on `y`. */
export function legendMark({ colour, mark = 'dot' }: LegendEntry, x: number, y: number): string {
  switch (mark) {
    case 'line':
      return `<path d="M${x},${y}h14" stroke="${colour}" stroke-width="2.5"/>`;
    case 'dash':
      return `<path d="M${x},${y}h14" stroke="${colour}" stroke-width="2" stroke-dasharray="4,3"/>`;
    case 'square':
      return `<rect x="${x}" y="${y - 5}" width="10" height="10" fill="${colour}"/>`;
    case 'triangle':
      return `<path d="M${x + 5},${y - 5}l5,9h-10z" fill="${colour}"/>`;
    case 'diamond':
      return `<path d="M${x + 5},${y - 6}l4,6l-4,6l-4,-6z" fill="${colour}"/>`;
    case 'ring':
      return `<circle cx="${x + 5}" cy="${y}" r="4" fill="none" stroke="${colour}" stroke-width="1.5"/>`;
    default:
      return `<circle cx="${x + 5}" cy="${y}" r="4.5" fill="${colour}"/>`;
  }
}

/** Legend entries in rows, and the height they take. */
function legendBlock(
  entries: readonly LegendEntry[],
  width: number,
  top: number,
  fill: string,
): { readonly svg: string; readonly height: number } {
  let x: number = MARGIN;
  let y = top + 9;
  const parts = entries.map((entry) => {
    const wide = 20 + measured(entry.label, 12) + 24;
    if (x > MARGIN && x + wide - 24 > width - MARGIN) {
      x = MARGIN;
      y += 20;
    }
    const part = legendMark(entry, x, y) + textAt(entry.label, { x: x + 20, y: y + 4, size: 12, fill });
    x += Math.ceil(wide);
    return part;
  });
  return { svg: parts.join(''), height: entries.length === 0 ? 0 : y - top + 15 };
}

/** Space at the left and right of a figure. */
const MARGIN = 20;
/** Width of a figure unless it says otherwise. */
export const FIGURE_WIDTH = 720;

/**
 * One look for all axes: no tick marks, the title in the middle, and for `grid: true` lines in the colour of the grid behind
 * everything else.
 */
function dressed(options: Plot.PlotOptions, colours: ThemeColours): Plot.PlotOptions {
  const look = { tickSize: 0, labelAnchor: 'center', labelArrow: 'none' } as const;
  const { x, y, marks = [], marginLeft = 40, width = FIGURE_WIDTH } = options;
  const lines = (scale: Plot.ScaleOptions | undefined) => ({
    stroke: colours.grid,
    strokeOpacity: 1,
    ...(scale?.ticks === undefined ? {} : { ticks: scale.ticks }),
  });
  return {
    ...options,
    x: { ...look, ...x, grid: false },
    y: {
      ...look,
      labelOffset: marginLeft - (width < FIGURE_WIDTH / 2 ? 8 : MARGIN),
      ...y,
      grid: false,
    },
    marks: [x?.grid === true ? Plot.gridX(lines(x)) : null, y?.grid === true ? Plot.gridY(lines(y)) : null, ...marks],
  };
}

/** Plot's own SVG with colours written out, numbered ids made repeatable, and no style sheet. */
export function plotMarkup(options: Plot.PlotOptions, colours: ThemeColours): string {
  const { document } = parseHTML('<!doctype html><html><body></body></html>');
  const element = Plot.plot({
    ...dressed(options, colours),
    document: document as unknown as Document,
  });
  for (const style of element.querySelectorAll('style')) style.remove();
  const ids = new Map<string, string>();
  return element.outerHTML
    .replace(/plot-clip-\d+/g, (id) => {
      if (!ids.has(id)) ids.set(id, `clip-${ids.size + 1}`);
      return ids.get(id)!;
    })
    .replace(NOT_XML, ' ')
    .replaceAll('system-ui, sans-serif', FONT_STACK)
    .replaceAll('currentColor', colours.ink)
    .replaceAll('var(--plot-background)', colours.background)
    .replace(/ class="plot-[^"]*"/g, '');
}

/**
 * A figure as one self-contained SVG: title, legend, plot and caption under each other, fonts named, colours literal, the
 * same bytes for the same request.
 */
export function renderFigure(request: FigureRequest): string {
  const { title, subtitle, caption, legend = [], width = FIGURE_WIDTH, theme } = request;
  const colours = THEMES[theme];
  const inner = width - 2 * MARGIN;
  const parts: string[] = [];
  let y = 14;
  const lines = (text: string | undefined, size: number, fill: string, weight: number): void => {
    for (const line of text === undefined ? [] : wrapped(text, size, inner, weight === 600)) {
      y += Math.round(size * 1.35);
      parts.push(textAt(line, { x: MARGIN, y, size, fill, weight }));
    }
  };
  lines(title, 17, colours.ink, 600);
  lines(subtitle, 12.5, colours.muted, 400);
  y += 14;
  const marks = legendBlock(legend, width, y, colours.ink);
  parts.push(marks.svg);
  y += marks.height;
  const plot = plotMarkup(
    {
      ...request.plot(colours),
      width,
      height: request.height,
      style: { background: 'none', color: colours.ink, fontFamily: FONT_STACK, fontSize: '12px' },
    },
    colours,
  );
  parts.push(`<g transform="translate(0,${y})">${plot}</g>`);
  y += request.height;
  lines(caption, 11, colours.muted, 400);
  const height = y + 16;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONT_STACK}" role="img" aria-label="${escapeXml(title)}"><rect width="${width}" height="${height}" fill="${colours.background}"/>${parts.join('')}</svg>\n`;
}

/** A figure as PNG, drawn with the embedded font only. `scale` is pixels per SVG unit; 2 unless given. */
export function renderPng(svg: string, scale = 2): Buffer {
  const { regular, semibold } = fontFiles();
  return new Resvg(svg, {
    fitTo: { mode: 'zoom', value: scale },
    font: {
      loadSystemFonts: false,
      fontFiles: [regular, semibold],
      defaultFontFamily: FAMILY,
    },
  })
    .render()
    .asPng();
}
