import { isObject, type JsonObject, parseJson } from '../io/json.js';
import { fail, shown } from '../util/error.js';
import { type LogCell, listed, scoreOf } from './cell.js';

const HINT = 'Name the metric with --metric and the filter with --filter.';

interface LmEvalOptions {
  readonly file: string;
  /** What the rows are of: the name of the folder that the harness wrote the file into. */
  readonly model: string;
  /** Metric to take; the row's first listed metric unless given. */
  readonly metric?: string;
  /** Filter to take; the first one in the file unless given. */
  readonly filter?: string;
}

/** `samples_<task>_<time>.jsonl` as the harness names sample logs. */
const NAME = /^samples_(.+?)(?:_\d{4}-\d{2}-\d{2}T[\d.:-]+)?\.jsonl$/;

/** Tells whether a row is one of a sample log of lm-evaluation-harness (`--log_samples`). */
export function isLmEvalRow(row: JsonObject): boolean {
  return 'doc_id' in row && ('resps' in row || 'filtered_resps' in row);
}

/**
 * Reads one sample log of lm-evaluation-harness (`MODEL/samples_TASK_TIME.jsonl`) as cells, in file order. Layout: one JSON row a
 * line for each document and filter,
 *
 *     { "doc_id": 0, "doc_hash": "...", "filter": "none", "resps": [...], "metrics": ["acc"], "acc": 1.0 }
 *
 * with the score of each metric at the top level. A row does not name its model or task: the folder and the file name do.
 * Errors: SCHEMA_INVALID for a row of another layout, or without the metric or filter that was asked for.
 */
export function lmEvalCells(text: string, options: LmEvalOptions): LogCell[] {
  const { file, model } = options;
  const name = file.split(/[\\/]/).at(-1)!;
  const family = NAME.exec(name)?.[1] ?? name.replace(/\.jsonl$/, '');
  const cells: LogCell[] = [];
  let filter = options.filter;
  const filters = new Set<string>();
  text.split('\n').forEach((source, index) => {
    if (source.trim() === '') return;
    const line = index + 1;
    const row = parseJson(source, { file, line });
    if (!isObject(row) || !isLmEvalRow(row))
      fail('SCHEMA_INVALID', { file, line }, 'is no sample of the harness', HINT);
    const own = typeof row.filter === 'string' ? row.filter : undefined;
    if (own !== undefined) filters.add(own);
    filter ??= own;
    if (own !== filter) return;
    const metrics = metricsOf(row);
    const metric = options.metric ?? (Array.isArray(row.metrics) ? metrics[0] : undefined);
    if (metric === undefined || !Object.hasOwn(row, metric))
      fail(
        'SCHEMA_INVALID',
        { file, line },
        `${metric === undefined ? 'names no metric' : `has no metric ${shown(metric)}`}; ${listed(metrics)}`,
        HINT,
      );
    const value = scoreOf(row[metric]);
    if (value === undefined)
      fail(
        'SCHEMA_INVALID',
        { file, line },
        `has no number under metric ${shown(metric)}: ${shown(row[metric])}; ${listed(metrics)}`,
        HINT,
      );
    const sample = String(row.doc_id);
    cells.push({
      model,
      family,
      sample,
      repeat: 1,
      value,
      metric,
      filter: own ?? null,
      ...(typeof row.doc_hash === 'string' ? { content: row.doc_hash } : {}),
      place: { file, line },
    });
  });
  if (cells.length === 0)
    fail('SCHEMA_INVALID', { file, line: 1 }, `has no row of filter ${shown(filter)}; ${listed([...filters])}`, HINT);
  return cells;
}

/** Metrics the row names, else whatever in it is a number. */
function metricsOf(row: JsonObject): string[] {
  if (Array.isArray(row.metrics)) return row.metrics.map(String);
  return Object.keys(row).filter((name) => name !== 'doc_id' && scoreOf(row[name]) !== undefined);
}
