import { fail, shown } from '../util/error.js';
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
  OPEN_REASONING,
  type Selection,
  selectionOf,
  TOO_LONG,
  UNKNOWN_LABEL,
} from './outcome.js';
import { withoutReasoning } from './reasoning.js';
import { readSegment } from './segment.js';

/** Parsers of selections anywhere in a text: v3 read the published answers, v4 passes over reasoning first and is taken for everything new. */
export const SET_PARSERS = ['v4', 'v3'] as const;

export type SetParser = (typeof SET_PARSERS)[number];

export const DEFAULT_PARSER: SetParser = 'v4';

const NAME = 'flavourbench-selection-set-parser-';

/** Gives the name under which documents state a parser. */
export function parserName(parser: SetParser): string {
  return `${NAME}${parser}`;
}

/** Finds the parser that a document names; undefined for another one. */
export function parserNamed(name: string | null | undefined): SetParser | undefined {
  return SET_PARSERS.find((parser) => parserName(parser) === name);
}

/** Refuses a parser of another name, which would read answers by rules that nothing names. Errors: USAGE. */
export function assertParser(parser: unknown): void {
  if ((SET_PARSERS as readonly unknown[]).includes(parser)) return;
  fail(
    'USAGE',
    { path: 'parser' },
    `${SET_PARSERS.join(' or ')} expected, found ${shown(parser)}`,
    'Leave it out for v4.',
  );
}

/** An answer that was read, and whether reasoning stood in it that was passed over. */
export interface ReadText {
  readonly code: AnswerCode;
  readonly reasoned: boolean;
}

/**
 * Reads an answer: parser v4 takes reasoning out of it (collection 2.3), then, as v3 from the start, reads the markers that are left.
 * Total over texts, and linear in the length of one. Errors: USAGE for an unknown parser.
 */
export function readText(text: string, choices: ChoiceIndex, parser: SetParser): ReadText {
  if (parser !== 'v4') assertParser(parser);
  const rest = parser === 'v4' ? withoutReasoning(text) : undefined;
  if (rest === undefined) return { code: readMarkers(text, choices), reasoned: false };
  return { code: rest.open ? OPEN_REASONING : readMarkers(rest.text, choices), reasoned: true };
}

/** Reads an answer as `readText` does: its code alone. */
export function parseAnswer(text: string, choices: ChoiceIndex, parser: SetParser): AnswerCode {
  return readText(text, choices, parser).code;
}

/**
 * Reads the markers of a text as parser v3 does (compiler c.2): every marker anywhere counts, labels or names may follow it, and the answer
 * is the one portfolio that all readable markers agree on. When no marker is readable the reason is that of the last one.
 */
function readMarkers(text: string, choices: ChoiceIndex): AnswerCode {
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

export type ParserVersion = SetParser | 'v2' | 'v1';

export interface ParseOptions {
  /** `v4` unless given; `v3` read the published answers, `v2` was used while they were collected, `v1` before that. */
  readonly version?: ParserVersion;
  /** Longest accepted answer in UTF-16 units; no bound unless given. */
  readonly maxLength?: number;
}

/** A selection, and whether reasoning stood in the answer that was passed over. */
export interface ParsedSelection extends Selection {
  readonly reasoned: boolean;
}

/**
 * Reads the selection in an answer. No answer makes it throw: whatever is not a readable selection has an outcome that says why.
 * `choices` are the task's eight names in label order, or its object with the keys A to H.
 * Errors: USAGE for an unknown version.
 */
export function parseSelection(
  text: unknown,
  choices: readonly string[] | Readonly<Record<string, string>>,
  options: ParseOptions = {},
): ParsedSelection {
  const { version = DEFAULT_PARSER, maxLength = Number.POSITIVE_INFINITY } = options;
  const without = (code: AnswerCode) => ({ ...selectionOf(code), reasoned: false });
  if (typeof text !== 'string') return without(NOT_TEXT);
  if (text.length > maxLength) return without(TOO_LONG);
  if (version === 'v2' || version === 'v1') return without(parseLine(text, version));
  const { code, reasoned } = readText(text, choiceIndex(choices), version);
  return { ...selectionOf(code), reasoned };
}
