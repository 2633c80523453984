import { isLineBreak } from '../util/text.js';
import { type ChoiceIndex, choiceIndex } from './choices.js';
import { parseLine } from './line-parser.js';
import { findMarker, markerEnd } from './marker.js';
import {
  type AnswerCode,
  CONTRADICTORY,
  EMPTY_SELECTION,
  NO_MARKER,
  NOT_TEXT,
  type Selection,
  selectionOf,
  TOO_LONG,
  UNKNOWN_LABEL,
} from './outcome.js';
import { readSegment } from './segment.js';

/** Name of the release parser, as reports state it. */
export const PARSER_V3 = 'flavourbench-selection-set-parser-v3';

export type ParserVersion = 'v3' | 'v2' | 'v1';

/**
 * Reads an answer as parser v3 does (compiler c.2): every marker anywhere in the text counts, labels or names may follow it, and the answer is the
 * one portfolio that all readable markers agree on. Total, and linear in the length of the text. When no marker is
 * readable the reason is that of the last one.
 */
export function parseAnswer(text: string, choices: ChoiceIndex): AnswerCode {
  let marker = findMarker(text, 0);
  if (marker < 0) return NO_MARKER;
  if (choices.size === 0) return UNKNOWN_LABEL;
  let found = -1;
  let reason = NO_MARKER;
  let contradictory = false;
  while (marker >= 0) {
    const start = markerEnd(text, marker);
    marker = findMarker(text, start);
    const stop = marker < 0 ? text.length : marker;
    if (start === stop) return EMPTY_SELECTION;
    let end = start;
    while (end < stop && !isLineBreak(text.charCodeAt(end))) end += 1;
    const code = readSegment(text, start, end, choices);
    if (code < 0) reason = code;
    else if (found < 0) found = code;
    else if (code !== found) contradictory = true;
  }
  if (contradictory) return CONTRADICTORY;
  return found >= 0 ? found : reason;
}

export interface ParseOptions {
  /** `v3` is the release parser; `v2` was used while answers were collected, `v1` before that. */
  readonly version?: ParserVersion;
  /** Longest accepted answer in UTF-16 units; no bound unless given. */
  readonly maxLength?: number;
}

/**
 * Reads the selection in an answer. Never throws: whatever is not a readable selection has an outcome that says why.
 * `choices` are the task's eight names in label order, or its object with the keys A to H.
 */
export function parseSelection(
  text: unknown,
  choices: readonly string[] | Readonly<Record<string, string>>,
  options: ParseOptions = {},
): Selection {
  const { version = 'v3', maxLength = Number.POSITIVE_INFINITY } = options;
  if (typeof text !== 'string') return selectionOf(NOT_TEXT);
  if (text.length > maxLength) return selectionOf(TOO_LONG);
  return selectionOf(version === 'v3' ? parseAnswer(text, choiceIndex(choices)) : parseLine(text, version));
}
