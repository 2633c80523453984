import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { FONT_FAMILY, missingLetters } from '../text.js';

/** Weights of the embedded font (IBM Plex Sans, SIL Open Font License 1.1) and their names in its package. */
const WEIGHTS = { 400: '400Regular', 600: '600SemiBold' } as const;
type Weight = keyof typeof WEIGHTS;

/** Returns the path of the embedded font in a weight. */
export function fontFile(weight: Weight): string {
  const name = WEIGHTS[weight];
  const { resolve } = createRequire(import.meta.url);
  return resolve(`@expo-google-fonts/ibm-plex-sans/${name}/IBMPlexSans_${name}.ttf`);
}

/** In every subset, so that most figures share one: printable ASCII and what our own words use beside it. */
const ALWAYS = `${Array.from({ length: 0x5f }, (_, i) => String.fromCharCode(0x20 + i)).join('')}–—−…’·×ρΔ`;

/** All letters of a text that the font has, and those that are always there. */
function lettersOf(text: string): string {
  const letters = new Set(text);
  for (const letter of missingLetters([...letters].join(''))) letters.delete(letter);
  for (const letter of ALWAYS) letters.add(letter);
  return [...letters]
    .filter((letter) => letter > '\u001f')
    .sort()
    .join('');
}

/** Tables of a font that kern its letters, join them, and say which are marks. */
const LAYOUT_TABLES = ['GSUB', 'GPOS', 'GDEF'];

/** Returns the font without kerning and ligatures, for PDFKit: their tables stand under a name that nobody reads. */
export function fontWithoutLayout(weight: Weight): Buffer {
  const font = readFileSync(fontFile(weight));
  // The table directory: a count at byte 4, then from byte 12 on records of 16 bytes that begin with a tag.
  for (let i = 0, at = 12; i < font.readUInt16BE(4); i += 1, at += 16) {
    if (LAYOUT_TABLES.includes(font.toString('latin1', at, at + 4))) font.write('none', at, 'latin1');
  }
  return font;
}

const made = new Map<string, Promise<Buffer>>();

/** Where the build keeps the subset of common letters (bundle/fonts.js). */
const keptSubset = (weight: Weight): URL => new URL(`./font-${weight}.woff2`, import.meta.url);

async function cutDown(weight: Weight, letters: string): Promise<Buffer> {
  const kept = keptSubset(weight);
  if (letters === lettersOf('') && existsSync(kept)) return readFileSync(kept);
  const { default: subsetFont } = await import('subset-font');
  return subsetFont(readFileSync(fontFile(weight)), letters, {
    targetFormat: 'woff2',
    dropTables: LAYOUT_TABLES,
    noLayoutClosure: true,
    noHinting: true,
  });
}

/**
 * Cuts the font down to the letters of a text, without kerning and ligatures, so that a text is as wide as it was measured,
 * as WOFF2. The same bytes for the same letters; those of common letters, which take half a second to pack, are kept by the build.
 */
export function fontSubset(weight: Weight, text: string): Promise<Buffer> {
  const letters = lettersOf(text);
  const key = `${weight} ${letters}`;
  const before = made.get(key);
  if (before !== undefined) return before;
  const subset = cutDown(weight, letters);
  made.set(key, subset);
  return subset;
}

/** Writes the style rules that bring the font, in both weights, with all letters of a text or of some markup. */
export async function fontRules(text: string): Promise<string> {
  const rules = await Promise.all(
    ([400, 600] as const).map(async (weight) => {
      const bytes = await fontSubset(weight, text);
      return `@font-face{font-family:"${FONT_FAMILY}";font-weight:${weight};src:url(data:font/woff2;base64,${bytes.toString('base64')}) format("woff2")}`;
    }),
  );
  return rules.join('');
}

/** Makes a figure stand alone: with the font inside, a program that has no IBM Plex Sans shows it as it was laid out. */
export async function withFont(svg: string): Promise<string> {
  const rules = await fontRules(svg);
  return svg.replace(/^<svg [^>]*>/, (tag) => `${tag}<style>${rules}</style>`);
}
