import { isBlank } from '../util/text.js';
import { findMarker, markerEnd } from './marker.js';
import { type AnswerCode, EMPTY_SELECTION, NO_MARKER, UNKNOWN_LABEL, WRONG_COUNT } from './outcome.js';
import { isDecoration, labelTriple } from './segment.js';

/** Going back from `at` over blanks: where they begin, and whether a line begins among them. */
function blanksBefore(text: string, at: number): { start: number; lineStart: boolean } {
  let i = at;
  let lineStart = false;
  while (i > 0 && isBlank(text.charCodeAt(i - 1))) {
    i -= 1;
    if (text.charCodeAt(i) === 10) lineStart = true;
  }
  return { start: i, lineStart: lineStart || i === 0 };
}

function opensLine(text: string, at: number, decorated: boolean): boolean {
  const before = blanksBefore(text, at);
  if (before.lineStart) return true;
  let i = before.start;
  while (decorated && i > 0 && isDecoration(text.charCodeAt(i - 1))) i -= 1;
  return i < before.start && blanksBefore(text, i).lineStart;
}

/** Going on from `at` over blanks: where they end, and whether a line ends among them. */
function blanksAfter(text: string, at: number): { end: number; lineEnd: boolean } {
  let end = at;
  let lineEnd = false;
  while (end < text.length && isBlank(text.charCodeAt(end))) {
    if (text.charCodeAt(end) === 10) lineEnd = true;
    end += 1;
  }
  return { end, lineEnd: lineEnd || end === text.length };
}

function closesLine(text: string, at: number, decorated: boolean): boolean {
  const after = blanksAfter(text, at);
  if (after.lineEnd) return true;
  let i = after.end;
  while (decorated && i < text.length && isDecoration(text.charCodeAt(i))) i += 1;
  return i > after.end && blanksAfter(text, i).lineEnd;
}

/** Why the line after a marker's end is no answer: how many items it lists decides. */
function reasonAt(text: string, at: number): AnswerCode {
  if (at >= text.length) return EMPTY_SELECTION;
  const feed = text.indexOf('\n', at);
  const items = text.slice(at, feed < 0 ? text.length : feed).split(',');
  return items.length === 3 ? UNKNOWN_LABEL : WRONG_COUNT;
}

/**
 * Reads an answer as parsers v2 and v1 do (compiler c.3): a marker and three labels alone on a line, in v2 also wrapped in emphasis; blanks may
 * span lines and the last such line wins, even when its labels repeat. Total and linear.
 */
export function parseLine(text: string, version: 'v2' | 'v1'): AnswerCode {
  const decorated = version === 'v2';
  let answer: AnswerCode | undefined;
  let rejected = -1;
  for (let start = findMarker(text, 0); start >= 0; ) {
    const end = markerEnd(text, start);
    const labels = labelTriple(text, end, text.length);
    if (labels !== undefined && opensLine(text, start, decorated) && closesLine(text, labels.end, decorated)) {
      answer = labels.code;
    } else {
      rejected = end;
    }
    start = findMarker(text, end);
  }
  return answer ?? (rejected < 0 ? NO_MARKER : reasonAt(text, rejected));
}
