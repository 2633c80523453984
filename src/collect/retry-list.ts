import { z } from 'zod';
import { sha256 } from '../io/digest.js';
import { parseJson } from '../io/json.js';
import { fail } from '../util/error.js';
import { checked } from '../util/schema.js';

const HINT = '`ledger failures DIR` writes such a list.';

const EXPECTED = { error: 'a cell (64 hexadecimal digits) expected' };
const cellId = z.string(EXPECTED).regex(/^[0-9a-f]{64}$/, EXPECTED);
const entrySchema = z.union([cellId, z.object({ cell: cellId }).transform(({ cell }) => cell)], EXPECTED);

/** An explicit list of cells to ask again, and its identity. */
export interface RetryList {
  readonly cells: readonly string[];
  readonly sha256: string;
}

interface Entry {
  readonly value: unknown;
  /** Line of the file, or 1-based place in a JSON list. */
  readonly line: number;
}

function lineValue(line: string): unknown {
  if (!line.startsWith('{')) return line;
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}

function entriesOf(text: string, file: string): Entry[] {
  if (text.trimStart().startsWith('['))
    return (parseJson(text, { file }) as unknown[]).map((value, i) => ({ value, line: i + 1 }));
  return text
    .split('\n')
    .map((raw, i) => ({ value: raw.trim(), line: i + 1 }))
    .filter(({ value }) => value !== '' && !value.startsWith('#'))
    .map(({ value, line }) => ({ value: lineValue(value), line }));
}

/**
 * Reads a retry list: one cell a line or a JSON list, each as its digest or as an object with `cell`; `#` starts a comment
 * line. Errors: SCHEMA_INVALID with file and line, JSON_INVALID.
 */
export function parseRetryList(text: string, file: string): RetryList {
  const cells = new Set<string>();
  for (const { value, line } of entriesOf(text, file))
    cells.add(checked(entrySchema, value, { file, line, path: 'entry' }, HINT));
  if (cells.size === 0) fail('SCHEMA_INVALID', { file }, 'at least one cell expected, found none', HINT);
  return { cells: [...cells], sha256: sha256(text) };
}
