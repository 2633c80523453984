import picocolors from 'picocolors';
import { plain, plainJson, visible } from '../util/text.js';
import { clearProgress } from './progress.js';
import { brokenLines, tableText } from './table-text.js';
import { errorTerminal, shownOn, terminal } from './terminal.js';

export { plain };

/** Colours for standard output, where it shows any. */
export const colour = picocolors.createColors(terminal.colour);

/** Line ends, and colours where there are any. */
const KEPT = colour.isColorSupported ? /(\u001b\[[0-9;]{0,8}m|\n)/ : /(\n)/;

/** Prints text on standard output, control characters made visible; on a terminal broken between words where a line is too long for it. */
export function printLine(text: string): void {
  const parts = text.split(KEPT).map((part, i) => (i % 2 === 0 ? visible(part) : part));
  const shown = shownOn(parts.join(''), terminal);
  process.stdout.write(`${terminal.breaks ? brokenLines(shown, terminal.columns) : shown}\n`);
}

/** Prints lines whose parts were made plain before, as standard output can show them. */
export function printWords(text: string): void {
  process.stdout.write(`${shownOn(text, terminal)}\n`);
}

/** Prints a text that is complete as it stands: a document, on a terminal without what a terminal obeys. */
export function printText(text: string): void {
  process.stdout.write(process.stdout.isTTY ? plainJson(text) : text);
}

/** Prints lines on standard error, as it can show them. */
export function printToError(text: string): void {
  process.stderr.write(`${shownOn(text, errorTerminal)}\n`);
}

/** Prints one line for a person on standard error, control characters made blanks; standard output is for results. */
export function printNote(text: string): void {
  clearProgress();
  printToError(`flavourbench: ${plain(text)}`);
}

/** Prints one JSON value on standard output, for `--json`, its control characters as escapes. */
export function printJson(value: unknown): void {
  process.stdout.write(`${plainJson(JSON.stringify(value, null, 2))}\n`);
}

/** Prints rows under a header, numbers to the right; where a line would be too long for the terminal, 80 places unless it says another width, names are cut in the middle, but never those that are there to be typed (`whole`). */
export function printTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  { whole = [] }: { readonly whole?: readonly string[] } = {},
): void {
  const cells = rows.map((row) => row.map((cell) => plain(String(cell))));
  printLine(tableText({ head, rows: cells, width: terminal.columns, whole }));
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
