import { canonicalDigest } from '../io/canonical.js';
import { isObject, type JsonObject } from '../io/json.js';
import { fail, shown } from '../util/error.js';
import { joinedKey } from '../util/joined.js';
import { type LogCell, listed, repeatCounter, scoreOf } from './cell.js';
import type { LogFormat, LogOptions, LogRead } from './log-format.js';
import type { OpenedLog } from './opened-log.js';
import { promptfooColumns } from './promptfoo-columns.js';

const HINT = 'Give the JSON or JSON Lines that `promptfoo eval --output` writes.';

/** `failureReason` of a row that the provider, not an assertion, made fail. */
const ERROR = 2;

/**
 * Results of promptfoo, as JSON with the rows in `results.results` or in `results` itself, or as JSON Lines with one row a line
 * (reading 2.3). One row for each provider, prompt and test:
 *
 *     { "provider": { "id": "..." }, "prompt": { "label": "..." }, "promptIdx": 0, "testIdx": 0, "vars": {...},
 *       "score": 1, "success": true, "failureReason": 0, "namedScores": { "NAME": 0.5 } }
 *
 * The model is the provider; under several prompts for one test it is several models. A test is its variables and assertions: what
 * stands there twice was repeated, an attempt at one sample. A row that failed by an error of the provider is a missing cell.
 */
export const PROMPTFOO: LogFormat = {
  name: 'promptfoo',
  log: 'a promptfoo result',
  recognise: (log) => {
    const [first] = isRow(log.first) ? [log.first] : (resultList(log.document) ?? []);
    return isRow(first);
  },
  read: readResults,
};

function isRow(row: unknown): row is JsonObject {
  return isObject(row) && 'provider' in row && ('score' in row || 'success' in row) && !('model_id' in row);
}

/** The list of results in a promptfoo output file. */
function resultList(document: unknown): readonly unknown[] | undefined {
  if (!isObject(document)) return undefined;
  const { results } = document;
  if (Array.isArray(results)) return results;
  return isObject(results) && Array.isArray(results.results) ? results.results : undefined;
}

interface Row {
  readonly row: JsonObject;
  readonly place: LogCell['place'];
}

function rowsOf(log: OpenedLog): { readonly rows: Row[]; readonly warnings: readonly string[] } {
  const { file } = log;
  if (isRow(log.first)) {
    const { rows, warnings } = log.rows();
    return { rows: rows.map(({ row, line }) => ({ row, place: { file, line } })), warnings };
  }
  const rows = resultList(log.document)!.map((row, i): Row => {
    const place = { file, path: `results[${i}]` };
    if (!isObject(row)) fail('SCHEMA_INVALID', place, 'an object expected', HINT);
    return { row, place };
  });
  return { rows, warnings: [] };
}

function readResults(log: OpenedLog, { metric }: LogOptions): LogRead {
  const { rows, warnings } = rowsOf(log);
  for (const { row, place } of rows) if (!isRow(row)) fail('SCHEMA_INVALID', place, 'a score expected', HINT);
  const tests = rows.map(({ row }) => testKey(row));
  const models = promptfooColumns(rows, tests);
  const named = [
    ...new Set(rows.flatMap(({ row }) => (isObject(row.namedScores) ? Object.keys(row.namedScores) : []))),
  ];
  const metrics = ['score', 'success', ...named];
  const isNamed = metric !== undefined && named.includes(metric);
  if (metric !== undefined && !metrics.includes(metric))
    fail('SCHEMA_INVALID', { file: log.file }, `no named score ${shown(metric)}; ${listed(named)}`, HINT);
  const scored = isNamed ? testsWith(rows, tests, metric) : undefined;
  const own = metric ?? (rows.every(({ row }) => scoreOf(row.score) === undefined) ? 'success' : 'score');
  const repeat = repeatCounter();
  const samples = sampleNames(rows, tests);
  const cells = rows.flatMap(({ row, place }, i): LogCell[] => {
    const test = tests[i]!;
    if (scored !== undefined && !scored.has(test)) return [];
    const written = isNamed ? (row.namedScores as JsonObject | undefined)?.[metric] : (row[own] ?? row.success);
    const value = failed(row) ? null : isNamed && written === undefined ? null : scoreOf(written);
    if (value === undefined) fail('SCHEMA_INVALID', place, `a score expected, found ${shown(written)}`, HINT);
    const model = models[i]!;
    const sample = samples.get(test)!;
    return [
      {
        model,
        family: 'promptfoo',
        sample,
        repeat: repeat(model, sample),
        value,
        metric: own,
        filter: null,
        content: canonicalDigest(varsOf(row)),
        place,
      },
    ];
  });
  return { cells, metrics, filters: [], warnings };
}

/** Whether a row holds no score of an answer: the provider failed, or gave nothing. */
function failed(row: JsonObject): boolean {
  if (row.failureReason === ERROR) return true;
  const { response } = row;
  if (isObject(response) && isText(response.error) && !isThere(response.output)) return true;
  return isText(row.error) && row.failureReason === undefined && !(isObject(response) && isThere(response.output));
}

const isText = (value: unknown) => typeof value === 'string' && value !== '';
const isThere = (value: unknown) => value !== undefined && value !== null;

/** What the model was tested on: the variables of the test. */
function varsOf(row: JsonObject): unknown {
  if (isObject(row.vars)) return row.vars;
  return isObject(row.testCase) ? (row.testCase.vars ?? {}) : {};
}

/** The same for two rows of one test, also where it was repeated under another index. */
function testKey(row: JsonObject): string {
  const test = isObject(row.testCase) ? row.testCase : undefined;
  if (test === undefined && typeof row.testIdx === 'number') return joinedKey('index', String(row.testIdx));
  const { assert = null, description = null } = test ?? {};
  return joinedKey('test', canonicalDigest([varsOf(row), assert, description]));
}

/** A test is called by the first index that it stands under, else by a digest. */
function sampleNames(rows: readonly Row[], tests: readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const [i, { row }] of rows.entries()) {
    const test = tests[i]!;
    if (names.has(test)) continue;
    const index = typeof row.testIdx === 'number' ? String(row.testIdx) : canonicalDigest(varsOf(row));
    const name = taken.has(index) ? canonicalDigest(test) : index;
    taken.add(name);
    names.set(test, name);
  }
  return names;
}

function testsWith(rows: readonly Row[], tests: readonly string[], metric: string): Set<string> {
  return new Set(
    tests.filter((_, i) => {
      const { namedScores } = rows[i]!.row;
      return isObject(namedScores) && Object.hasOwn(namedScores, metric);
    }),
  );
}
