import { isObject, itemLines, type JsonObject, parseJson } from '../io/json.js';
import { type PyValue, parsePyJson } from '../io/pyjson.js';
import { FlavourError } from '../util/error.js';
import { type Answer, readAnswer } from './answer.js';

/** An answer and where it stands. */
export interface PlacedAnswer {
  readonly answer: Answer;
  readonly file: string;
  /** Line on which it begins; a row of columns has none. */
  readonly line?: number;
  /** 1-based place in a list, 1-based row of a table. */
  readonly item?: number;
  /** The row as written, its floats kept apart from integers: what digests are made of. */
  readonly row: () => PyValue;
}

/** The key under which an object holds rows: `responses`, `tasks` or `records`. */
function listKey(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  return ['responses', 'tasks', 'records'].find((key) => Array.isArray(value[key]));
}

/** Finds the list in an array or in an object that holds rows. */
export function rowsOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  const key = listKey(value);
  return key === undefined ? undefined : ((value as JsonObject)[key] as unknown[]);
}

/** Reads one line as an answer. A line that is JSON but for NaN or Infinity is one broken row, not a broken file. */
export function lineAnswer(file: string, line: number, text: string): PlacedAnswer {
  const place = { file, line };
  try {
    const answer = readAnswer(parseJson(text, { ...place, overflow: true }), place);
    return { answer, file, line, row: () => parsePyJson(text, place) };
  } catch (error) {
    if (!(error instanceof FlavourError) || error.code !== 'JSON_INVALID') throw error;
    let row: PyValue;
    try {
      row = parsePyJson(text, { ...place, nonFinite: true });
    } catch {
      throw error;
    }
    const defect = 'the row holds NaN or Infinity, which is not JSON';
    return { answer: { ...readAnswer(row, place), defect }, file, line, row: () => row };
  }
}

/**
 * Yields the answers in a JSON document, in order: an array, an object with `responses`, `tasks` or `records`, or a single object
 * (collection 2.2). Errors: those of `parseJson`; SCHEMA_INVALID for a row that is no answer.
 */
export function* documentAnswers(text: string, file: string): Generator<PlacedAnswer, void, undefined> {
  for (const read of documentReadings(text, file)) yield read();
}

/** What reads the answers in a JSON document, one by one: a row that is no answer is an error of its own. Errors: those of `parseJson`. */
export function* documentReadings(text: string, file: string): Generator<() => PlacedAnswer, void, undefined> {
  const value = parseJson(text, { file, overflow: true });
  const list = rowsOf(value) ?? [value];
  const raw = parsePyJson(text, { file });
  const rows = (rowsOf(raw) ?? [raw]) as readonly PyValue[];
  const lines = Array.isArray(value) ? itemLines(text) : itemLines(text, listKey(value) ?? '');
  for (const [index, item] of list.entries()) {
    const place = { file, line: lines[index] ?? 1, item: index + 1 };
    yield () => ({ answer: readAnswer(item, place), ...place, row: () => rows[index] as PyValue });
  }
}
