import { createRequire } from 'node:module';
import PDFDocument from 'pdfkit';
import { CONTROLS } from '../util/text.js';

/** Files of the embedded font (SIL Open Font License 1.1): regular and semibold. */
export function fontFiles(): { readonly regular: string; readonly semibold: string } {
  const { resolve } = createRequire(import.meta.url);
  const file = (name: string) => resolve(`@expo-google-fonts/ibm-plex-sans/${name}/IBMPlexSans_${name}.ttf`);
  return { regular: file('400Regular'), semibold: file('600SemiBold') };
}

type Pen = InstanceType<typeof PDFDocument>;

let pen: Pen | undefined;

function penOf(semibold: boolean): Pen {
  if (pen === undefined) {
    const { regular, semibold: bold } = fontFiles();
    pen = new PDFDocument({ autoFirstPage: false });
    pen.registerFont('regular', regular).registerFont('semibold', bold);
  }
  return pen.font(semibold ? 'semibold' : 'regular');
}

/** The font the pen holds; PDFKit does not declare it. */
interface Held {
  readonly _font: { readonly font: { hasGlyphForCodePoint(point: number): boolean } };
}

const ASCII = /^[\u0020-\u007e]*$/;

/** The distinct letters of a text that the embedded font lacks: boxes in a PNG or a PDF. */
export function missingLetters(text: string): string[] {
  if (ASCII.test(text)) return [];
  const { font } = (penOf(false) as unknown as Held)._font;
  return [...new Set(text)].filter(
    (letter) => !/\s/.test(letter) && !font.hasGlyphForCodePoint(letter.codePointAt(0)!),
  );
}

/** How wide a text is in the embedded font; a letter it lacks counts as a full square, which no other font exceeds by much. */
export function measured(text: string, size: number, semibold = false): number {
  const missing = new Set(missingLetters(text));
  const known = missing.size === 0 ? text : [...text].filter((l) => !missing.has(l)).join('');
  const squares = missing.size === 0 ? 0 : [...text].length - [...known].length;
  return penOf(semibold).fontSize(size).widthOfString(known) + squares * size;
}

/** A text of one line, without marks that turn its direction. */
export const seen = (text: string): string => text.normalize('NFC').replace(CONTROLS, ' ').replace(/\s+/g, ' ').trim();

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

/** A text cut in its middle so that it fits: names differ at both ends. */
export function fitted(text: string, size: number, width: number, semibold = false): string {
  const clean = seen(text);
  const fits = (shown: string) => measured(shown, size, semibold) <= width;
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
function fittedFrom(text: string, from: number, size: number, width: number): string {
  const letters = [...seen(text)];
  const start = Math.max(0, Math.min(from - 4, letters.length - 1));
  const cut = (kept: number) =>
    `…${letters.slice(start, start + kept).join('')}${start + kept < letters.length ? '…' : ''}`;
  return cut(widestCut(letters.length - start, (kept) => measured(cut(kept), size) <= width));
}

/** Labels that fit; where different names would look alike, what stands from where they part. */
export function fittedApart(names: readonly string[], size: number, width: number): string[] {
  const labels = names.map((name) => fitted(name, size, width));
  const alike = new Map<string, number[]>();
  for (const [i, label] of labels.entries()) alike.set(label, [...(alike.get(label) ?? []), i]);
  for (const rows of alike.values()) {
    const clean = rows.map((i) => [...seen(names[i]!)]);
    const first = clean[0]!;
    const parts = clean.flatMap((letters) => {
      const at = first.findIndex((letter, k) => letters[k] !== letter);
      return at < 0 ? [] : [at];
    });
    if (parts.length === 0) continue;
    const from = Math.min(...parts);
    for (const i of rows) labels[i] = fittedFrom(names[i]!, from, size, width);
  }
  return labels;
}

/** Lines no wider than `width`; a word that is wider alone is cut. */
export function wrapped(text: string, size: number, width: number, semibold = false): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').map((w) => fitted(w, size, width, semibold))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && measured(longer, size, semibold) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return line === '' ? lines : [...lines, line];
}

/** A number with the minus sign that axes use. */
export const signed = (text: string): string => text.replace(/-(?=[\d.])/g, '−');
