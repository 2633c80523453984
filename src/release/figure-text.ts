import PDFDocument from 'pdfkit';
import { fontFiles } from '../util/figure.js';

/** Font sizes and width of a figure that is printed one column (84 mm) wide, in SVG units; a unit is 0.7 points. */
export const COLUMN = { width: 340, margin: 8, title: 12.5, text: 10, small: 9.2 } as const;

let pen: InstanceType<typeof PDFDocument> | undefined;

/** How wide a text is in the embedded font. */
export function measured(text: string, size: number, semibold = false): number {
  if (pen === undefined) {
    const { regular, semibold: bold } = fontFiles();
    pen = new PDFDocument({ autoFirstPage: false });
    pen.registerFont('regular', regular).registerFont('semibold', bold);
  }
  return pen
    .font(semibold ? 'semibold' : 'regular')
    .fontSize(size)
    .widthOfString(text);
}

/** Marks that turn the direction of a text, and other controls. */
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;

/** A text cut in its middle so that it fits: names differ at both ends. */
export function fitted(text: string, size: number, width: number): string {
  const clean = text.normalize('NFC').replace(UNSEEN, ' ').replace(/\s+/g, ' ').trim();
  if (measured(clean, size) <= width) return clean;
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
  let low = 0;
  let high = letters.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (measured(cut(middle), size) <= width) low = middle;
    else high = middle - 1;
  }
  return cut(low);
}

/** Lines no wider than `width`; a word that is wider alone is cut. */
export function wrapped(text: string, size: number, width: number, semibold = false): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').map((w) => fitted(w, size, width))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && measured(longer, size, semibold) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return line === '' ? lines : [...lines, line];
}
