import { basename, dirname, resolve } from 'node:path';
import { FlavourError, shown } from '../util/error.js';
import { parseJson } from '../util/json.js';
import { isObject, type Json, type LogCell, scoreOf } from './rank-audit-logs.js';

export interface LmEvalOptions {
  readonly file: string;
  /** Metric to take; the row's first listed metric unless given. */
  readonly metric?: string;
  /** Filter to take; the first one in the file unless given. */
  readonly filter?: string;
}

/** `samples_<task>_<time>.jsonl` as the harness names sample logs. */
const NAME = /^samples_(.+?)(?:_\d{4}-\d{2}-\d{2}T[\d.:-]+)?\.jsonl$/;

/** True for a row of a sample log of lm-evaluation-harness (`--log_samples`). */
export function isLmEvalRow(row: Json): boolean {
  return 'doc_id' in row && ('resps' in row || 'filtered_resps' in row);
}

/**
 * Cells of one sample log of lm-evaluation-harness: one JSON row a line, one document each, the scores of its metrics at the
 * top level. The row does not name its model or task: the folder and the file name do. Errors: SCHEMA_INVALID.
 */
export function lmEvalCells(text: string, options: LmEvalOptions): LogCell[] {
  const { file } = options;
  const family = NAME.exec(basename(file))?.[1] ?? basename(file, '.jsonl');
  const model = basename(dirname(resolve(file)));
  const cells: LogCell[] = [];
  let filter = options.filter;
  text.split('\n').forEach((source, index) => {
    if (source.trim() === '') return;
    const line = index + 1;
    const row = parseJson(source, { file, line });
    if (!isObject(row) || !isLmEvalRow(row)) throw wrong(file, line, 'is no sample of the harness');
    if (typeof row.filter === 'string') {
      filter ??= row.filter;
      if (row.filter !== filter) return;
    }
    const metric = options.metric ?? (Array.isArray(row.metrics) ? row.metrics[0] : undefined);
    const value = scoreOf(row[String(metric)]);
    if (value === undefined)
      throw wrong(
        file,
        line,
        `has no number under metric ${shown(metric)}: ${shown(row[String(metric)])}`,
      );
    const sample = String(row.doc_id);
    cells.push({
      model,
      family,
      sample,
      repeat: 1,
      value,
      ...(typeof row.doc_hash === 'string' ? { content: row.doc_hash } : {}),
      file,
      line,
    });
  });
  if (cells.length === 0) throw wrong(file, 1, `has no row of filter ${shown(filter)}`);
  return cells;
}

function wrong(file: string, line: number, what: string): FlavourError {
  return new FlavourError('SCHEMA_INVALID', `${file}, line ${line}: ${what}`, {
    hint: 'Name the metric with --metric and the filter with --filter.',
    where: { file, line },
  });
}
