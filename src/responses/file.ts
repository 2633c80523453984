import { statSync } from 'node:fs';
import { readText } from '../io/file.js';
import { isObject, itemLines, type JsonObject, parseJson } from '../io/json.js';
import { textLines } from '../io/lines.js';
import { type PyValue, parsePyJson } from '../io/pyjson.js';
import { FlavourError, fail } from '../util/error.js';
import { type Answer, readAnswer } from './answer.js';
import { responseForm } from './form.js';

/** Largest file that is read whole; files with one row a line have no bound. */
const MAX_DOCUMENT_BYTES = 256 * 1024 * 1024;

/** An answer and where it stands. */
export interface PlacedAnswer {
  readonly answer: Answer;
  readonly file: string;
  /** Line on which it begins. */
  readonly line: number;
  /** 1-based place in a list. */
  readonly item?: number;
  /** The row as written, its floats kept apart from integers: what digests are made of. */
  readonly row: () => PyValue;
}

/** True where the file begins with a line that is a whole JSON object, but not a container of rows. */
export function isRowFile(path: string): boolean {
  for (const { text } of textLines(path)) {
    if (text.trim() === '') continue;
    if (!text.trimStart().startsWith('{')) return false;
    try {
      return rowsOf(JSON.parse(text)) === undefined;
    } catch {
      return text.trimEnd().endsWith('}');
    }
  }
  return true;
}

/** The key under which an object holds rows: `responses`, `tasks` or `records`. */
function listKey(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  return ['responses', 'tasks', 'records'].find((key) => Array.isArray(value[key]));
}

/** The list in an array or in an object that holds rows. */
function rowsOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  const key = listKey(value);
  return key === undefined ? undefined : ((value as JsonObject)[key] as unknown[]);
}

/** A line that is JSON but for NaN or Infinity is one broken row, not a broken file. */
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
 * Answers of a file, in order: one row a line (streamed, of any size), an array, an object with `responses`, `tasks` or
 * `records`, or a single object (collection 2.2).
 * Errors: those of reading lines and JSON; SCHEMA_INVALID for a row that is no answer; BOUND_EXCEEDED for a whole document
 * past 256 MiB; USAGE for Arrow and Parquet.
 */
export function* readAnswers(path: string): Generator<PlacedAnswer, void, undefined> {
  const form = responseForm(path);
  if (form === 'arrow' || form === 'parquet') {
    fail(
      'USAGE',
      { file: path },
      `is ${form === 'arrow' ? 'Arrow' : 'Parquet'}`,
      'Give JSON, one row a line. `rescore` reads answers as columns; `infer --scores` reads a score matrix.',
    );
  }
  if (isRowFile(path)) {
    for (const { text, line } of textLines(path)) {
      if (text.trim() !== '') yield lineAnswer(path, line, text);
    }
    return;
  }
  const { size } = statSync(path);
  if (size > MAX_DOCUMENT_BYTES) {
    fail(
      'BOUND_EXCEEDED',
      { file: path },
      `${size} bytes in one JSON document; at most ${MAX_DOCUMENT_BYTES} are read whole`,
      'Write one row a line; such files are streamed.',
    );
  }
  const text = readText(path);
  const value = parseJson(text, { file: path, overflow: true });
  const list = rowsOf(value) ?? [value];
  const raw = parsePyJson(text, { file: path });
  const rows = (rowsOf(raw) ?? [raw]) as readonly PyValue[];
  const lines = Array.isArray(value) ? itemLines(text) : itemLines(text, listKey(value) ?? '');
  for (const [index, item] of list.entries()) {
    const place = { file: path, line: lines[index] ?? 1, item: index + 1 };
    yield { answer: readAnswer(item, place), ...place, row: () => rows[index] as PyValue };
  }
}
