import { sha256 } from '../io/digest.js';
import { parseJson } from '../io/json.js';
import { fail, shown } from '../util/error.js';

const CELL = /^[0-9a-f]{64}$/;

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

/** The cell that an entry is, or holds under `cell`. */
function cellOf(value: unknown): unknown {
  const object = typeof value === 'object' && value !== null;
  return object ? (value as { readonly cell?: unknown }).cell : value;
}

/**
 * Reads a retry list: one cell a line or a JSON list, each as its digest or as an object with `cell`; `#` starts a comment
 * line. Errors: SCHEMA_INVALID with file and line, JSON_INVALID.
 */
export function parseRetryList(text: string, file: string): RetryList {
  const cells = new Set<string>();
  for (const { value, line } of entriesOf(text, file)) {
    const cell = cellOf(value);
    if (typeof cell !== 'string' || !CELL.test(cell)) {
      fail(
        'SCHEMA_INVALID',
        { file, line },
        `a cell (64 hexadecimal digits) expected, found ${shown(value)}`,
        '`ledger failures DIR` writes such a list.',
      );
    }
    cells.add(cell);
  }
  if (cells.size === 0) {
    fail(
      'SCHEMA_INVALID',
      { file },
      'at least one cell expected, found none',
      '`ledger failures DIR` writes such a list.',
    );
  }
  return { cells: [...cells], sha256: sha256(text) };
}
