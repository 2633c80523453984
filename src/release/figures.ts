import type { Theme } from '../draw/colours.js';
import { FIGURE_SIZES, type SizeName } from '../draw/look.js';
import { missingLetters } from '../draw/text.js';
import { yieldToEvents } from '../engine/signals.js';
import { FIGURES, type FigureEntry, figureData, figureNamed } from './figure-list.js';
import { RELEASE_FILES, type ReleaseFile, textFile } from './release-files.js';
import type { ReleaseView } from './view.js';

export type FigureFormat = 'svg' | 'pdf' | 'png' | 'csv';

export interface FigureOptions {
  /** Names or numbers of figures; all unless given. */
  readonly only?: readonly string[];
  /** All unless given. */
  readonly formats?: readonly FigureFormat[];
}

/** Something that could not be made, and the input it wants. */
export interface Missing {
  readonly name: string;
  readonly number: number;
  readonly needs: string;
}

export interface ReleaseFigures {
  readonly files: readonly ReleaseFile[];
  readonly missing: readonly Missing[];
  /** Letters that the embedded font lacks: boxes in PNG and PDF. */
  readonly lettersWithoutGlyph: readonly string[];
}

const FORMATS: readonly FigureFormat[] = ['svg', 'pdf', 'png', 'csv'];
const THEMES: readonly Theme[] = ['light', 'dark'];
/** Pixels of a printed inch, and its points. */
const DPI = 240;
const INCH = 72;

/** Finds figures by name or number, in the order of the paper. Errors: USAGE for one that does not exist. */
function figuresNamed(only: readonly string[] | undefined): readonly FigureEntry[] {
  if (only === undefined) return FIGURES;
  const known = (word: string) => FIGURES.find(({ number }) => word === String(number)) ?? figureNamed(word);
  const wanted = new Set(only.map(known));
  return FIGURES.filter((figure) => wanted.has(figure));
}

/** Draws a figure as SVG, without its font. Call it only where its data are there (`figureData`). */
export async function figureSvg(
  view: ReleaseView,
  name: string,
  theme: Theme,
  size: SizeName = 'column',
): Promise<string> {
  const svg = await figureNamed(name).draw(view, { theme, size });
  return svg.replace(/\bclip-(\d+)\b/g, `${name}-${theme}-clip-$1`);
}

/**
 * Makes every figure whose data the release holds, light (`NAME.svg`) and dark (`NAME-dark.svg`), with what it draws
 * (`NAME.csv`). The same bytes for the same release. Errors: USAGE, SCHEMA_INVALID.
 */
export async function releaseFigures(
  view: ReleaseView,
  { only, formats = FORMATS }: FigureOptions = {},
): Promise<ReleaseFigures> {
  const files: ReleaseFile[] = [];
  const missing: Missing[] = [];
  const lettersWithoutGlyph = new Set<string>();
  for (const { name, number, needs } of figuresNamed(only)) {
    const csv = figureData(view, name);
    if (csv === null) {
      missing.push({ name, number, needs: needs ?? 'a leaderboard' });
      continue;
    }
    const at = `${RELEASE_FILES.figures}${name}`;
    if (formats.includes('csv')) files.push(textFile(`${at}.csv`, csv));
    if (formats.every((format) => format === 'csv')) continue;
    for (const theme of THEMES) {
      await yieldToEvents();
      const { made, lacking } = await drawn(view, name, theme, formats);
      files.push(...made);
      for (const letter of lacking) lettersWithoutGlyph.add(letter);
    }
  }
  return { files, missing, lettersWithoutGlyph: [...lettersWithoutGlyph].sort() };
}

async function drawn(
  view: ReleaseView,
  name: string,
  theme: Theme,
  formats: readonly FigureFormat[],
): Promise<{ readonly made: ReleaseFile[]; readonly lacking: readonly string[] }> {
  const { withFont } = await import('../draw/encode/font.js');
  const { renderPng } = await import('../draw/encode/png.js');
  const { COLUMN_POINTS, renderPdf } = await import('../draw/encode/pdf.js');
  const at = `${RELEASE_FILES.figures}${name}${theme === 'light' ? '' : '-dark'}`;
  const svg = await figureSvg(view, name, theme);
  const files: ReleaseFile[] = [];
  if (formats.includes('svg')) files.push(textFile(`${at}.svg`, await withFont(svg)));
  if (formats.includes('pdf')) {
    files.push({ name: `${at}.pdf`, bytes: await renderPdf(svg, `${view.benchmark}: ${name}`) });
  }
  if (formats.includes('png')) {
    files.push({
      name: `${at}.png`,
      bytes: renderPng(svg, (DPI * COLUMN_POINTS) / (INCH * FIGURE_SIZES.column.width)),
    });
  }
  const pictures = formats.includes('pdf') || formats.includes('png');
  return { made: files, lacking: pictures ? missingLetters(svg) : [] };
}
