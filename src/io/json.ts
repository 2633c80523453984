import { fail, shown } from '../util/error.js';
import { assertJsonFits } from './held/json-bound.js';
import { readJsonTree } from './json-reader.js';

export interface JsonPlace {
  readonly file?: string | undefined;
  /** Line of the input at which the text starts; 1 unless given. */
  readonly line?: number | undefined;
}

interface JsonOptions extends JsonPlace {
  /** Takes numbers that no double holds, such as 1e400, as infinite: for what is not ours to judge. */
  readonly overflow?: boolean;
  /** Also reads NaN, Infinity and -Infinity, which programs in Python write for numbers that are none. */
  readonly nonFinite?: boolean;
}

/** Tells whether the quote at a place of valid JSON is part of a string: an odd number of backslashes stands before it. */
function isEscaped(text: string, quote: number): boolean {
  let first = quote;
  while (text.charCodeAt(first - 1) === 92) first -= 1;
  return (quote - first) % 2 === 1;
}

/** Colons that follow a quote: one for every key as written, and for every string that begins with a colon. The text is valid JSON. */
function keysAtMost(text: string): number {
  let keys = 0;
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
    let before = colon - 1;
    while (text.charCodeAt(before) <= 32) before -= 1;
    if (text.charCodeAt(before) === 34 && !isEscaped(text, before)) keys += 1;
  }
  return keys;
}

/** Colons outside strings: one for every key as written. The text is valid JSON. */
function countKeys(text: string): number {
  let keys = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === 34) {
      i = text.indexOf('"', i + 1);
      while (isEscaped(text, i)) i = text.indexOf('"', i + 1);
    } else if (code === 58) keys += 1;
  }
  return keys;
}

/** Deepest nesting that the built-in parser is trusted with. */
const DEEPEST = 500;

/** Keys of a value and of everything in it; NaN where a number in it overflowed, or where it is nested too deep. */
function ownKeys(value: unknown, depth = 0): number {
  if (typeof value === 'number') return value - value;
  if (typeof value !== 'object' || value === null) return 0;
  if (depth + 1 >= DEEPEST) return Number.NaN;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item !== 'string') count += ownKeys(item, depth + 1);
    return count;
  }
  for (const key in value) {
    count += 1;
    const item = (value as Record<string, unknown>)[key];
    if (typeof item !== 'string') count += ownKeys(item, depth + 1);
  }
  return count;
}

/**
 * Parses JSON strictly: duplicate keys, nesting past 512 levels, numbers past the range of doubles and anything JSON.parse rejects are errors that name file,
 * line and column (JSON_INVALID, JSON_DUPLICATE_KEY). Fast: the built-in parser does the work, and an object with a key
 * written twice shows itself by having fewer keys than the text has colons. BOUND_EXCEEDED for what would not be held.
 */
export function parseJson(text: string, options: JsonOptions = {}): unknown {
  assertJsonFits(text.length, (at) => text.charCodeAt(at), options.file);
  try {
    const value: unknown = JSON.parse(text);
    const keys = ownKeys(value);
    if (keys === keysAtMost(text) || keys === countKeys(text)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const { overflow = false, ...rest } = options;
  return readJsonTree<number>(text, { ...rest, finite: !overflow, number: Number });
}

/** A JSON object of any content. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Tells whether a value is a JSON object: no list, not null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Takes a value as an object. A document must be an object before any field of it is looked at. Errors: SCHEMA_INVALID with the place; every other value,
 * `null` among them, is refused here and nowhere else.
 */
export function asObject(value: unknown, place: JsonPlace = {}): JsonObject {
  if (isObject(value)) return value;
  const { file = 'the document', line } = place;
  fail(
    'SCHEMA_INVALID',
    { file, line },
    `a JSON object expected, found ${shown(value)}`,
    'Give the file as it was written.',
  );
}

/** Parses strict JSON that is an object. Errors: those of `parseJson`, SCHEMA_INVALID. */
export function parseObject(text: string, place: JsonPlace = {}): JsonObject {
  return asObject(parseJson(text, place), place);
}

/**
 * Finds the line on which each item of a list begins: of the list that the text is, or of the one under a key of the object that it is.
 * The text is valid JSON.
 */
export function itemLines(text: string, key?: string): number[] {
  const lines: number[] = [];
  let line = 1;
  let depth = 0;
  let listDepth = key === undefined ? 1 : 0;
  let wanted = false;
  let last = '';
  for (let i = 0; i < text.length; i += 1) {
    const c = text.charCodeAt(i);
    if (c === 10) line += 1;
    if (c <= 32) continue;
    if (wanted && c !== 93) lines.push(line);
    wanted = false;
    if (c === 34) {
      const start = i;
      for (i += 1; text.charCodeAt(i) !== 34; i += 1) if (text.charCodeAt(i) === 92) i += 1;
      if (depth === 1 && listDepth === 0) last = JSON.parse(text.slice(start, i + 1)) as string;
    } else if (c === 123 || c === 91) {
      depth += 1;
      if (c === 91 && depth === 2 && listDepth === 0 && last === key) listDepth = 2;
      wanted = c === 91 && depth === listDepth;
    } else if (c === 125 || c === 93) {
      depth -= 1;
      if (depth < listDepth) return lines;
    } else if (c === 44) wanted = depth === listDepth;
  }
  return lines;
}
