import { isBlank } from '../util/text.js';

/** What Python's ignore-case also takes for S and I. */
function isExotic(code: number, upper: number): boolean {
  if (upper === 0x53) return code === 0x17f;
  return upper === 0x49 && (code === 0x130 || code === 0x131);
}

/** Tells whether `word`, in capitals, stands at `at` in any case. */
export function isWordAt(text: string, at: number, word: string): boolean {
  if (at < 0 || at + word.length > text.length) return false;
  for (let i = 0; i < word.length; i += 1) {
    const upper = word.charCodeAt(i);
    const code = text.charCodeAt(at + i);
    if ((code | 32) !== (upper | 32) && !isExotic(code, upper)) return false;
  }
  return true;
}

/** Finds the first place at or after `at` that holds no blank. */
export function skipBlanks(text: string, at: number): number {
  let i = at;
  for (; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if ((code > 32 && code < 128) || !isBlank(code)) break;
  }
  return i;
}

/** Characters of `FINAL_SELECTION`. */
const WORD = 15;

/**
 * Finds where the first marker begins at or after `from`, or -1: `FINAL_SELECTION`, blanks, a colon, blanks. Markers stand
 * anywhere, also inside a word (compiler c.2). Only underscores are looked at, so a long answer costs one fast search.
 */
export function findMarker(text: string, from: number): number {
  for (let mid = text.indexOf('_', from + 5); mid >= 0; mid = text.indexOf('_', mid + 1)) {
    const start = mid - 5;
    if (!isWordAt(text, start, 'FINAL') || !isWordAt(text, mid + 1, 'SELECTION')) continue;
    if (text.charCodeAt(skipBlanks(text, start + WORD)) === 58) return start;
  }
  return -1;
}

/** Finds where the marker that begins at `start` ends: after the blanks that follow its colon. */
export function markerEnd(text: string, start: number): number {
  return skipBlanks(text, skipBlanks(text, start + WORD) + 1);
}
