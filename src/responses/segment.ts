import { isBlank, normalizeName } from '../util/text.js';
import type { ChoiceIndex } from './choices.js';
import { isWordAt, skipBlanks } from './marker.js';
import { type AnswerCode, actionCode, UNKNOWN_LABEL, WRONG_COUNT } from './outcome.js';

/** Label number 0..7 of a letter A to H in either case, or -1. */
function labelAt(text: string, at: number): number {
  const letter = text.charCodeAt(at) & ~32;
  return letter >= 65 && letter <= 72 ? letter - 65 : -1;
}

/** Tells whether a UTF-16 unit is one of the marks of emphasis and code that may wrap an answer. */
export function isDecoration(code: number): boolean {
  return code === 0x60 || code === 0x2a || code === 0x5f;
}

/** Three labels and where they end. */
interface LabelTriple {
  readonly code: AnswerCode;
  readonly end: number;
}

/** Reads three single letters A to H separated by commas with optional blanks, from `at` on, or undefined. */
export function labelTriple(text: string, at: number, end: number): LabelTriple | undefined {
  let labels = 0;
  let i = at;
  for (let n = 0; ; n += 1) {
    const label = i < end ? labelAt(text, i) : -1;
    if (label < 0) return undefined;
    labels = labels * 8 + label;
    i += 1;
    if (n === 2) return { code: actionCode(labels >> 6, (labels >> 3) & 7, labels & 7), end: i };
    i = skipBlanks(text, i);
    if (i >= end || text.charCodeAt(i) !== 44) return undefined;
    i = skipBlanks(text, i + 1);
  }
}

/** True where nothing stands in `[at, end)` but blanks, one run of decoration and the literal `<|close|>response`. */
function isTail(text: string, at: number, end: number): boolean {
  let i = skipBlanks(text, at);
  while (i < end && isDecoration(text.charCodeAt(i))) i += 1;
  i = skipBlanks(text, i);
  if (i < end && text.startsWith('<|', i)) {
    if (!isWordAt(text, i + 2, 'CLOSE') || !text.startsWith('|>', i + 7)) return false;
    if (!isWordAt(text, i + 9, 'RESPONSE')) return false;
    i = skipBlanks(text, i + 17);
  }
  return i >= end;
}

/**
 * Reads the line after a marker, `[start, end)`, which holds neither a line break nor a blank at its start: as labels, or
 * else as three candidate names (compiler c.2 step 4). Returns an action or the reason there is none.
 */
export function readSegment(text: string, start: number, end: number, choices: ChoiceIndex): AnswerCode {
  const labels = labelTriple(text, start, end);
  if (labels !== undefined && isTail(text, labels.end, end)) return labels.code;
  return readNames(text.slice(start, end), choices);
}

/** Three different candidate names, separated by commas and perhaps wrapped in emphasis. */
function readNames(line: string, choices: ChoiceIndex): AnswerCode {
  let from = 0;
  let to = line.length;
  const trim = (drop: (code: number) => boolean): void => {
    while (from < to && drop(line.charCodeAt(from))) from += 1;
    while (to > from && drop(line.charCodeAt(to - 1))) to -= 1;
  };
  trim(isBlank);
  trim(isDecoration);
  trim(isBlank);
  const names = line.slice(from, to);
  const first = names.indexOf(',');
  const second = first < 0 ? -1 : names.indexOf(',', first + 1);
  if (second < 0 || names.indexOf(',', second + 1) >= 0) return WRONG_COUNT;
  const after = (comma: number) => (names.charCodeAt(comma + 1) === 32 ? comma + 2 : comma + 1);
  const a = choices.get(normalizeName(names.slice(0, first)));
  const b = choices.get(normalizeName(names.slice(after(first), second)));
  const c = choices.get(normalizeName(names.slice(after(second))));
  if (a === undefined || b === undefined || c === undefined) return UNKNOWN_LABEL;
  return actionCode(a, b, c);
}
