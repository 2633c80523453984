import Table from 'cli-table3';
import picocolors from 'picocolors';
import { plain, visible } from '../util/text.js';
import { clearProgress } from './progress.js';

export { plain };

/** Colours for standard output: only on a terminal, and never where NO_COLOR is set; a CI machine is not a terminal. */
export const colour = picocolors.createColors(process.stdout.isTTY === true && !process.env.NO_COLOR);

/** Line ends, and colours where there are any. */
const KEPT = colour.isColorSupported ? /(\u001b\[[0-9;]{0,8}m|\n)/ : /(\n)/;

/** Prints text on standard output, control characters made visible. */
export function printLine(text: string): void {
  const parts = text.split(KEPT).map((part, i) => (i % 2 === 0 ? visible(part) : part));
  process.stdout.write(`${parts.join('')}\n`);
}

/** Prints a text that is complete as it stands: a document, or lines whose parts were made plain before. */
export function printText(text: string): void {
  process.stdout.write(text);
}

/** Prints one line for a person on standard error, control characters made blanks; standard output is for results. */
export function printNote(text: string): void {
  clearProgress();
  process.stderr.write(`flavourbench: ${plain(text)}\n`);
}

/** Writes a word so that a shell takes it literally. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Prints one JSON value on standard output, for `--json`. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Prints rows under a header, numbers to the right. */
export function printTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const numeric = head.map((_, i) => rows.length > 0 && rows.every((row) => /^[-+]?[\d.,]+$/.test(String(row[i]))));
  const none = ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'];
  const sides = ['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'];
  const table = new Table({
    head: [...head],
    colAligns: numeric.map((right) => (right ? 'right' : 'left')),
    chars: Object.fromEntries([...none, ...sides].map((side) => [side, '']).concat([['middle', '  ']])),
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  for (const row of rows) table.push(row.map((cell) => plain(String(cell))));
  const text = table.toString();
  printLine(
    text
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n'),
  );
}

const LETTERS_SHOWN = 12;

/** Finds the letters of some pictures that their embedded font lacks: boxes in PNG and PDF, on every machine alike. */
export async function lettersWithoutGlyph(svgs: readonly string[]): Promise<string[]> {
  const { missingLetters } = await import('../draw/text.js');
  return missingLetters(svgs.join(''));
}

/** Says on standard error which letters stand as boxes in PNG and PDF; nothing where there are none. */
export function printLettersWithoutGlyph(letters: readonly string[]): void {
  if (letters.length === 0) return;
  const rest = letters.length > LETTERS_SHOWN ? ` and ${letters.length - LETTERS_SHOWN} more` : '';
  printNote(
    `boxes in PNG and PDF, where IBM Plex Sans has no letter: ${letters.slice(0, LETTERS_SHOWN).join(' ')}${rest}; SVG and tables have them`,
  );
}
