import { plain } from './print.js';

const SHOWN = 12;

/** The letters of some pictures that their embedded font lacks: boxes in PNG and PDF, on every machine alike. */
export async function boxedLetters(svgs: readonly string[]): Promise<string[]> {
  const { missingLetters } = await import('../draw/text.js');
  return missingLetters(svgs.join(''));
}

/** Says on standard error which letters are boxes; nothing where there are none. */
export function noteBoxes(letters: readonly string[]): void {
  if (letters.length === 0) return;
  const rest = letters.length > SHOWN ? ` and ${letters.length - SHOWN} more` : '';
  process.stderr.write(
    `flavourbench: boxes in PNG and PDF, where IBM Plex Sans has no letter: ${plain(letters.slice(0, SHOWN).join(' '))}${rest}; SVG and tables have them\n`,
  );
}
