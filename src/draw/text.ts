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

/** The longest cut that fits: `cut(kept)` of at most `letters` kept letters. */
function widestCut(letters: number, fits: (kept: number) => boolean): number {
  let low = 0;
  let high = letters;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Cuts a text in its middle so that it is no wider than `width`: names differ at both ends. */
export function shortened(text: string, size: number, width: number, bold = false): string {
  const clean = oneLine(text);
  const fits = (shown: string) => measured(shown, size, bold) <= width;
  if (fits(clean)) return clean;
  const letters = [...clean];
  const cut = (kept: number): string => {
    const tail = Math.floor(0.45 * kept);
    const head = letters
      .slice(0, kept - tail)
      .join('')
      .trimEnd();
    return `${head}…${letters
      .slice(letters.length - tail)
      .join('')
      .trimStart()}`;
  };
  return cut(widestCut(letters.length - 1, (kept) => fits(cut(kept))));
}

/** A text cut at both ends, from a few letters before `from`. */
function shortenedFrom(text: string, from: number, size: number, width: number): string {
  const letters = [...oneLine(text)];
  const start = Math.max(0, Math.min(from - 4, letters.length - 1));
  const cut = (kept: number) =>
    `…${letters.slice(start, start + kept).join('')}${start + kept < letters.length ? '…' : ''}`;
  return cut(widestCut(letters.length - start, (kept) => measured(cut(kept), size) <= width));
}

/** Shortens labels so that they fit; where different names would look alike, what is kept begins where they part. */
export function shortenedDistinctly(names: readonly string[], size: number, width: number): string[] {
  const labels = names.map((name) => shortened(name, size, width));
  const alike = new Map<string, number[]>();
  for (const [i, label] of labels.entries()) alike.set(label, [...(alike.get(label) ?? []), i]);
  for (const rows of alike.values()) {
    const clean = rows.map((i) => [...oneLine(names[i]!)]);
    const first = clean[0]!;
    const parts = clean.flatMap((letters) => {
      const at = first.findIndex((letter, k) => letters[k] !== letter);
      return at < 0 ? [] : [at];
    });
    if (parts.length === 0) continue;
    const from = Math.min(...parts);
    for (const i of rows) labels[i] = shortenedFrom(names[i]!, from, size, width);
  }
  return labels;
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
