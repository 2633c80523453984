import { type Theme, type ThemeColours, themeColours } from './colours.js';

/** Measures of a figure in SVG units. */
export interface FigureSize {
  readonly width: number;
  /** Space at the left and right. */
  readonly margin: number;
  /** Font size of the title. */
  readonly title: number;
  /** Font size of names, axes and headings. */
  readonly text: number;
  /** Font size of subtitle, legend and caption. */
  readonly small: number;
  /** Height of a row whose label is one line of text. */
  readonly row: number;
  /** Space between blocks. */
  readonly gap: number;
  /** Factor of dots and strokes. */
  readonly mark: number;
  /** Most that the name of a row may take. */
  readonly names: number;
}

/**
 * The sizes that figures are made in. `column` is printed one column (84 mm) wide, where a unit is 0.7 points and no text
 * is smaller than 6.5 points.
 */
export const FIGURE_SIZES = {
  screen: { width: 720, margin: 20, title: 17, text: 12, small: 11.5, row: 19, gap: 12, mark: 1, names: 250 },
  column: { width: 340, margin: 8, title: 12.5, text: 10, small: 9.3, row: 13, gap: 8, mark: 0.75, names: 126 },
} as const satisfies Record<string, FigureSize>;

export type SizeName = keyof typeof FIGURE_SIZES;

/** How a figure is to be drawn; what it draws comes apart from it. */
export interface DrawOptions {
  readonly theme: Theme;
  readonly size: SizeName | FigureSize;
}

/** Draw options made out: what a figure takes its colours and measures from. */
export interface Look {
  readonly theme: Theme;
  readonly colours: ThemeColours;
  readonly size: FigureSize;
}

/** Returns colours and measures of some draw options. */
export function lookOf({ theme, size }: DrawOptions): Look {
  return { theme, colours: themeColours(theme), size: typeof size === 'string' ? FIGURE_SIZES[size] : size };
}
