import { assertJsonFits } from '../io/held/json-bound.js';
import { isObject, type JsonObject, parseJson } from '../io/json.js';
import { byteLines, decodeText } from '../io/utf8.js';
import { FlavourError, fail } from '../util/error.js';

/** One row of JSON Lines. */
export interface LogRow {
  readonly row: JsonObject;
  /** 1-based. */
  readonly line: number;
}

export interface LogRows {
  readonly rows: readonly LogRow[];
  /** What a reader should know of the file, as sentences without a full stop. */
  readonly warnings: readonly string[];
}

/**
 * Reads JSON Lines. The last line of a file whose writer was stopped is cut off: it has no line feed and is no JSON; it is left out and
 * that is said. Errors: JSON_INVALID, JSON_DUPLICATE_KEY, SCHEMA_INVALID, TEXT_INVALID_UTF8 with the line.
 */
export function logRows(bytes: Uint8Array, file: string): LogRows {
  assertJsonFits(bytes.length, (at) => bytes[at]!, file);
  const rows: LogRow[] = [];
  let line = 0;
  const take = (source: Uint8Array) => {
    line += 1;
    const text = decodeText(file, source);
    if (text.trim() === '') return;
    const row = parseJson(text, { file, line, nonFinite: true });
    if (!isObject(row))
      fail(
        'SCHEMA_INVALID',
        { file, line },
        'an object expected',
        'Give the log as its harness wrote it, one object a line.',
      );
    rows.push({ row, line });
  };
  for (const source of byteLines(bytes)) take(source);
  const rest = bytes.subarray(bytes.lastIndexOf(10) + 1);
  if (rest.length === 0) return { rows, warnings: [] };
  try {
    take(rest);
  } catch (error) {
    if (rows.length === 0 || !(error instanceof FlavourError)) throw error;
    return { rows, warnings: [`${file} is cut off in line ${line}, which was left out`] };
  }
  return { rows, warnings: [] };
}
