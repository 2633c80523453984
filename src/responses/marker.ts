import { isBlank } from '../util/text.js';

/** True for the letter itself in either case, and for what Python's ignore-case also takes for S and I. */
function isLetter(code: number, upper: number): boolean {
  if (code === upper || code === upper + 32) return true;
  if (upper === 0x53) return code === 0x17f;
  return upper === 0x49 && (code === 0x130 || code === 0x131);
}

/** True where `word`, in capitals, stands at `at` in any case. */
export function isWordAt(text: string, at: number, word: string): boolean {
  if (at < 0 || at + word.length > text.length) return false;
  for (let i = 0; i < word.length; i += 1) {
    if (!isLetter(text.charCodeAt(at + i), word.charCodeAt(i))) return false;
  }
  return true;
}

/** First place at or after `at` that holds no blank. */
export function skipBlanks(text: string, at: number): number {
  let i = at;
  while (i < text.length && isBlank(text.charCodeAt(i))) i += 1;
  return i;
}

/** A marker: `FINAL_SELECTION`, blanks, a colon, blanks. */
export interface Marker {
  readonly start: number;
  /** After the blanks that follow the colon. */
  readonly end: number;
}

/**
 * The first marker that begins at or after `from`, or undefined. Markers stand anywhere, also inside a word (compiler c.2).
 * Only underscores are looked at, so a long answer costs one fast search.
 */
export function findMarker(text: string, from: number): Marker | undefined {
  for (let mid = text.indexOf('_', from + 5); mid >= 0; mid = text.indexOf('_', mid + 1)) {
    const start = mid - 5;
    if (!isWordAt(text, start, 'FINAL') || !isWordAt(text, mid + 1, 'SELECTION')) continue;
    const colon = skipBlanks(text, mid + 10);
    if (text.charCodeAt(colon) !== 58) continue;
    return { start, end: skipBlanks(text, colon + 1) };
  }
  return undefined;
}
