import { sha256 } from '../util/digest.js';
import { FlavourError, shown } from '../util/error.js';

const CELL = /^[0-9a-f]{64}$/;

/** An explicit list of cells to ask again, and its identity. */
export interface RetryList {
  readonly cells: readonly string[];
  readonly sha256: string;
}

function cellOf(line: string): unknown {
  if (!line.startsWith('{')) return line;
  try {
    return (JSON.parse(line) as { readonly cell?: unknown }).cell;
  } catch {
    return line;
  }
}

/** Reads a retry list: one cell a line, as its digest or as a JSON object with `cell`; `#` starts a comment line. */
export function parseRetryList(text: string, file: string): RetryList {
  const cells = new Set<string>();
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const cell = cellOf(line);
    if (typeof cell !== 'string' || !CELL.test(cell)) {
      throw new FlavourError(
        'SCHEMA_INVALID',
        `${file}:${index + 1}: expected a cell (64 hexadecimal digits), found ${shown(line)}`,
        { hint: '`ledger failures DIR` writes such a list.', where: { file, line: index + 1 } },
      );
    }
    cells.add(cell);
  }
  if (cells.size === 0) {
    throw new FlavourError('SCHEMA_INVALID', `${file} lists no cell`, {
      hint: '`ledger failures DIR` writes such a list.',
      where: { file },
    });
  }
  return { cells: [...cells], sha256: sha256(text) };
}
