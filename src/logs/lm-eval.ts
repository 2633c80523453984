import { isObject, type JsonObject } from '../io/json.js';
import { fail, shown } from '../util/error.js';
import { dataText } from '../util/text.js';
import { type LogCell, listed, nearest, scoreOf } from './cell.js';
import { lmEvalNames } from './lm-eval-names.js';
import type { LogFormat, LogOptions, LogRead } from './log-format.js';
import type { OpenedLog } from './opened-log.js';

const HINT = 'Name the metric with --metric and the filter with --filter.';

/** Fields of a row that are numbers but no scores. */
const NO_METRIC: ReadonlySet<string> = new Set(['doc_id', 'target']);

/**
 * Sample logs of lm-evaluation-harness (`--log_samples`): `MODEL/samples_TASK_TIME.jsonl`, one JSON row a line for each document and
 * filter (reading 2.2),
 *
 *     { "doc_id": 0, "doc_hash": "...", "filter": "none", "resps": [...], "metrics": ["acc"], "acc": 1.0 }
 *
 * with the score of each metric at the top level. A row does not name its model or task: the folder and the file name do. A score that
 * is null or NaN is a missing cell. Early versions wrote one list of such rows.
 */
export const LM_EVAL: LogFormat = {
  name: 'lm-evaluation-harness',
  log: 'an lm-evaluation-harness sample log',
  filters: true,
  recognise: (log) => isSample(log.first) || (log.first === undefined && isSampleList(log.document)),
  read: readSamples,
};

const isSample = (row: unknown): row is JsonObject =>
  isObject(row) && 'doc_id' in row && ('resps' in row || 'filtered_resps' in row);

const isSampleList = (document: unknown): document is readonly unknown[] =>
  Array.isArray(document) && isSample(document[0]);

/** A row of samples and where it stands. */
interface SampleRow {
  readonly row: JsonObject;
  readonly place: LogCell['place'];
}

function rowsOf(log: OpenedLog): { readonly rows: readonly SampleRow[]; readonly warnings: readonly string[] } {
  const { file } = log;
  const { rows: lines, warnings } = log.first === undefined ? { rows: [], warnings: [] } : log.rows();
  const list = log.first === undefined ? (log.document as readonly unknown[]) : [];
  const placed = [
    ...lines.map(({ row, line }) => ({ row: row as unknown, place: { file, line } })),
    ...list.map((row, i) => ({ row, place: { file, path: `[${i}]` } })),
  ];
  const rows = placed.map(({ row, place }): SampleRow => {
    if (!isSample(row)) fail('SCHEMA_INVALID', place, 'is no sample of the harness', HINT);
    return { row, place };
  });
  return { rows, warnings };
}

async function readSamples(log: OpenedLog, options: LogOptions): Promise<LogRead> {
  const { file } = log;
  const { rows, warnings } = rowsOf(log);
  const { taken, filter, filters } = filtered(rows, file, options.filter);
  const { metrics, ordered } = metricsOf(rows);
  const metric = options.metric ?? (ordered || metrics.length === 1 ? metrics[0] : undefined);
  if (metric === undefined) fail('SCHEMA_INVALID', { file, line: 1 }, `names no metric; ${listed(metrics)}`, HINT);
  if (metric === 'bypass')
    fail(
      'SCHEMA_INVALID',
      { file, line: 1 },
      'the run took down answers and did not score them (metric "bypass")',
      'Run the harness again without --predict_only, or name a metric with --metric.',
    );
  const { model, family } = await lmEvalNames(log);
  const cells = taken.map(({ row, place }): LogCell => {
    if (!Object.hasOwn(row, metric))
      fail(
        'SCHEMA_INVALID',
        place,
        `has no metric ${shown(metric)}; ${listed(metrics)}`,
        `${nearest('--metric', metric, metrics)}${HINT}`,
      );
    const value = scoreOf(row[metric]);
    if (value === undefined)
      fail(
        'SCHEMA_INVALID',
        place,
        `has no number under metric ${shown(metric)}: ${shown(row[metric])}; ${listed(metrics)}`,
        HINT,
      );
    return {
      model,
      family,
      sample: dataText(row.doc_id),
      repeat: 1,
      value,
      metric,
      filter,
      ...(typeof row.doc_hash === 'string' ? { content: row.doc_hash } : {}),
      place,
    };
  });
  return { cells, metrics, filters, warnings };
}

/** Metrics that the rows name, in the order of the harness; else whatever in them is a number. */
function metricsOf(rows: readonly SampleRow[]): { readonly metrics: readonly string[]; readonly ordered: boolean } {
  const named = rows.find(({ row }) => Array.isArray(row.metrics))?.row.metrics as readonly unknown[] | undefined;
  if (named !== undefined) return { metrics: named.map(dataText), ordered: true };
  const metrics = new Set<string>();
  for (const { row } of rows)
    for (const name of Object.keys(row))
      if (!NO_METRIC.has(name) && typeof scoreOf(row[name]) === 'number') metrics.add(name);
  return { metrics: [...metrics], ordered: false };
}

/**
 * Takes the rows of one filter. Older logs have a row for each document and filter without naming the filter: there it is asked for by
 * number, in the order of the rows.
 */
function filtered(
  rows: readonly SampleRow[],
  file: string,
  asked: string | undefined,
): { taken: readonly SampleRow[]; filter: string | null; filters: readonly string[] } {
  const names = [...new Set(rows.flatMap(({ row }) => (typeof row.filter === 'string' ? [row.filter] : [])))];
  if (names.length === 0) return numbered(rows, file, asked);
  // A filter of that name is none: where it is alone there is nothing to choose.
  const filter = names.length === 1 && names[0] === 'none' ? names[0] : (asked ?? names[0]!);
  const taken = rows.filter(({ row }) => row.filter === filter);
  if (taken.length === 0)
    fail(
      'SCHEMA_INVALID',
      { file, line: 1 },
      `has no row of filter ${shown(filter)}; ${listed(names)}`,
      `${nearest('--filter', filter, names)}${HINT}`,
    );
  return { taken, filter, filters: names };
}

function numbered(
  rows: readonly SampleRow[],
  file: string,
  asked: string | undefined,
): { taken: readonly SampleRow[]; filter: string | null; filters: readonly string[] } {
  const counts = new Map<unknown, number>();
  const nth = rows.map(({ row }) => {
    const n = (counts.get(row.doc_id) ?? 0) + 1;
    counts.set(row.doc_id, n);
    return n;
  });
  const count = nth.reduce((most, n) => Math.max(most, n), 0);
  const filters = count > 1 ? Array.from({ length: count }, (_, i) => String(i + 1)) : [];
  if (asked === undefined && count > 1) {
    const { row, place } = rows[nth.indexOf(2)]!;
    fail(
      'SCHEMA_INVALID',
      place,
      `document ${shown(row.doc_id)} stands ${count} times: the harness scored it under ${count} filters and did not name them`,
      `Say which: ${filters.map((n) => `--filter ${n}`).join(', ')} (the order of the rows of a document).`,
    );
  }
  if (asked !== undefined && !filters.includes(asked))
    fail(
      'SCHEMA_INVALID',
      { file, line: 1 },
      `has no row of filter ${shown(asked)}; ${listed(filters)}`,
      `${nearest('--filter', asked, filters)}${HINT}`,
    );
  return {
    taken: asked === undefined ? rows : rows.filter((_, i) => nth[i] === Number(asked)),
    filter: asked ?? null,
    filters,
  };
}
