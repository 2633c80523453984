import { type ArrowTable, isArrowFile, readArrow } from '../io/arrow.js';
import type { Column } from '../io/coded.js';
import { parseObject } from '../io/json.js';
import { statedParser } from '../responses/parser-contract.js';
import { fail, shown } from '../util/error.js';
import { pandasIndex } from './pandas-index.js';
import { rowPlace, type ScoreTable, scoreTable } from './score-table.js';

/** Schema that a matrix of ours states in its metadata. */
export const MATRIX_SCHEMA = 'flavourbench-score-matrix/1';

/**
 * Reads the table of an Arrow IPC file or stream; its scale is the one in the schema's metadata. Errors: ARROW_INVALID, SCHEMA_INVALID
 * (reading 1.3).
 */
export async function arrowTable(bytes: Uint8Array, file: string): Promise<ScoreTable> {
  const table = await readArrow(bytes, file);
  const named = new Map<string, Column>();
  for (const [name, column] of table.columns()) {
    if (named.has(name))
      fail('SCHEMA_INVALID', { file }, `two columns ${shown(name)}`, 'Give every column a name of its own.');
    named.set(name, column);
  }
  const scale = statedScale(table, file);
  proveParser(table, file);
  const index = pandasIndex(table.metadata, table.names);
  return scoreTable({
    file,
    kind: isArrowFile(bytes) ? 'Arrow file' : 'Arrow stream',
    rows: table.rows,
    columns: named,
    ...(scale === undefined ? {} : { scale }),
    ...(index ? { index } : {}),
    place: rowPlace(file),
  });
}

/** Holds the parser that a matrix of ours says its answers were read with to its contract (collection 2.3). Errors: SCHEMA_INVALID, DIGEST_MISMATCH. */
function proveParser({ metadata }: ArrowTable, file: string): void {
  const sources = metadata.get('sources');
  if (metadata.get('schema') !== MATRIX_SCHEMA || sources === undefined) return;
  const stated = parseObject(sources, { file });
  if (stated.parser !== undefined) statedParser(stated, { file, path: 'sources.parser' });
}

/** The scale a file states in its metadata, if any. Errors: SCHEMA_INVALID. */
function statedScale({ metadata }: ArrowTable, file: string): number | undefined {
  const text = metadata.get('scale');
  if (text === undefined) return undefined;
  const scale = Number(text);
  if (Number.isSafeInteger(scale) && scale >= 1 && scale <= 1e9) return scale;
  fail(
    'SCHEMA_INVALID',
    { file, path: 'scale' },
    `a whole number from 1 to 10^9 expected, found ${shown(text)}`,
    'The scale of a table is the number of units in one point; --scale gives another.',
  );
}
