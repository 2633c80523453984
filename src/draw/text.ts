import { type Cut, cutDistinctly, cutMiddle } from '../util/shorten.js';
import { CONTROLS } from '../util/text.js';
import { REGULAR_ADVANCES, SEMIBOLD_ADVANCES } from './advances.js';

/** Names of the font in the figures: the embedded one, then what stands in where a page cannot have it. */
export const FONT_FAMILY = 'IBM Plex Sans';
export const FONT_STACK = `${FONT_FAMILY}, Arial, Helvetica, sans-serif`;

/** Code points and their widths in thousandths of the font size. */
type Advances = ReadonlyMap<number, number>;

function parsedAdvances(table: string): Advances {
  const advances = new Map<number, number>();
  for (const line of table.trim().split('\n')) {
    const [first, ...widths] = line.split(' ');
    widths.forEach((width, i) => {
      advances.set(Number.parseInt(first!, 16) + i, Number(width));
    });
  }
  return advances;
}

let regular: Advances | undefined;
let semibold: Advances | undefined;

function advancesOf(bold: boolean): Advances {
  if (bold) {
    semibold ??= parsedAdvances(SEMIBOLD_ADVANCES);
    return semibold;
  }
  regular ??= parsedAdvances(REGULAR_ADVANCES);
  return regular;
}

/** Returns the distinct letters of a text that the embedded font lacks: boxes in a PNG or a PDF. */
export function missingLetters(text: string): string[] {
  const known = advancesOf(false);
  return [...new Set(text)].filter((letter) => !/\s/.test(letter) && !known.has(letter.codePointAt(0)!));
}

/** Width of a letter that the font lacks, in thousandths of its size: a full square, which no other font exceeds by much. */
const SQUARE = 1000;

/**
 * Measures how wide a text of one line is in the embedded font, in the units of `size`. Figures are shown without kerning
 * and ligatures, so the width of a text is the sum of its letters.
 */
export function measured(text: string, size: number, bold = false): number {
  const advances = advancesOf(bold);
  const space = advances.get(0x20)!;
  let sum = 0;
  for (const letter of text) sum += advances.get(letter.codePointAt(0)!) ?? (/\s/.test(letter) ? space : SQUARE);
  return (sum * size) / 1000;
}

/** Measures the widest of some texts; 0 for none. */
export function widest(texts: readonly string[], size: number, bold = false): number {
  return Math.max(0, ...texts.map((text) => measured(text, size, bold)));
}

/** Makes a text one line, without marks that turn its direction. */
export const oneLine = (text: string): string =>
  text.normalize('NFC').replace(CONTROLS, ' ').replace(/\s+/g, ' ').trim();

/** How labels of a font size are cut. */
const cutOf = (size: number, bold: boolean): Cut => ({ measure: (text) => measured(text, size, bold), mark: '…' });

/** Cuts a text in its middle so that it is no wider than `width`: names differ at both ends. */
export function shortened(text: string, size: number, width: number, bold = false): string {
  return cutMiddle(oneLine(text), width, cutOf(size, bold));
}

/** Shortens labels so that they fit; where different names would look alike, what is kept begins where they part. */
export function shortenedDistinctly(names: readonly string[], size: number, width: number): string[] {
  return cutDistinctly(names.map(oneLine), width, cutOf(size, false));
}

/** Breaks a text into lines no wider than `width`; a word that is wider alone is cut. */
export function wrapped(text: string, size: number, width: number, bold = false): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').map((w) => shortened(w, size, width, bold))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && measured(longer, size, bold) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return line === '' ? lines : [...lines, line];
}

/** Writes a number with the minus sign that axes use. */
export const signed = (text: string): string => text.replace(/-(?=[\d.])/g, '−');
