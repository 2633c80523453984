import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Resvg } from '@resvg/resvg-js';
import PDFDocument from 'pdfkit';
import { describe, expect, it } from 'vitest';
import { fontFile, fontSubset, fontWithoutLayout, withFont } from '../../src/draw/encode/font.js';
import { withoutLigatures } from '../../src/draw/encode/png.js';
import { measured } from '../../src/draw/text.js';

/** Letters that the font kerns, joins, or sets above others. */
const TEXTS = ['HAVAVH', 'HfifiH', 'HTo WaH', 'HAffi fl ffjH', 'Hé Модель ρH', 'H22 NemotronH', 'H1/2 −0.5H'];
const WEIGHTS = [400, 600] as const;

/** The side bearings of H, which a box of ink lacks at both ends of the texts. */
const bearings = { 400: 0, 600: 0 };

function inkWidth(text: string, weight: number): number {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="4000" height="400" font-family="IBM Plex Sans" font-size="100" kerning="0"><text x="10" y="200" font-weight="${weight}">${text}</text></svg>`;
  const options = { font: { loadSystemFonts: false, fontFiles: [fontFile(400), fontFile(600)] } };
  return new Resvg(withoutLigatures(svg), options).getBBox()!.width;
}

/** Parts of PDFKit that it does not declare. */
interface Pen {
  font(name: string): { fontSize(size: number): { widthOfString(text: string): number } };
}

describe('the width of a text', () => {
  it('comes from a table that says what the font says', () => {
    const written = execFileSync(process.execPath, ['fixtures/make-advances.js', '--print'], { encoding: 'utf8' });
    expect(readFileSync('src/draw/advances.ts', 'utf8')).toBe(written);
  });

  it.each(WEIGHTS)('is that of the letters in a PNG, weight %i', (weight) => {
    bearings[weight] = measured('H', 100, weight === 600) - inkWidth('H', weight);
    for (const text of TEXTS) {
      const width = inkWidth(text, weight) + bearings[weight];
      expect({ text, off: Math.abs(width - measured(text, 100, weight === 600)) < 0.02 }).toEqual({ text, off: true });
    }
  });

  it.each(WEIGHTS)('is that of the letters in a PDF, weight %i', (weight) => {
    const document = new PDFDocument({ autoFirstPage: false });
    document.registerFont('subset', fontWithoutLayout(weight));
    const pen = (document as unknown as Pen).font('subset').fontSize(100);
    for (const text of TEXTS) {
      expect({ text, width: pen.widthOfString(text).toFixed(3) }).toEqual({
        text,
        width: measured(text, 100, weight === 600).toFixed(3),
      });
    }
  });
});

describe('the font inside a figure', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><text>模 ö</text></svg>';

  it('is the same bytes every time, and one for all texts of common letters', async () => {
    expect(await withFont(svg)).toBe(await withFont(svg));
    expect(await fontSubset(400, 'abc')).toBe(await fontSubset(400, 'xyz'));
    expect(await fontSubset(400, 'ö')).not.toEqual(await fontSubset(400, 'abc'));
  });

  it('is small, and a letter that the font lacks adds nothing', async () => {
    expect((await withFont(svg)).length).toBeLessThan(20_000);
    expect(await fontSubset(400, '模')).toBe(await fontSubset(400, ''));
  });

  it.each(WEIGHTS)('of common letters is kept by the build as it would be made, weight %i', async (weight) => {
    const kept = readFileSync(`dist/draw/encode/font-${weight}.woff2`);
    expect(kept.equals(await fontSubset(weight, ''))).toBe(true);
  });
});
