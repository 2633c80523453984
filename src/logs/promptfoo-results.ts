import { canonicalDigest } from '../io/canonical.js';
import { isObject, type JsonObject } from '../io/json.js';
import { fail, shown } from '../util/error.js';
import { joinedKey } from '../util/joined.js';
import { type LogCell, listed, nearest, repeatCounter, scoreOf } from './cell.js';
import type { LogOptions, LogRead } from './log-format.js';
import { promptfooColumns } from './promptfoo-columns.js';

export const PROMPTFOO_HINT = 'Give the JSON or JSON Lines that `promptfoo eval --output` writes.';

/** `failureReason` of a row that the provider, not an assertion, made fail. */
const ERROR = 2;

/** Tells whether an object is one row of results. */
export function isPromptfooRow(row: unknown): row is JsonObject {
  return isObject(row) && 'provider' in row && ('score' in row || 'success' in row) && !('model_id' in row);
}

/** One row of results and where it stands. */
export interface PromptfooRow {
  readonly row: JsonObject;
  readonly place: LogCell['place'];
}

/**
 * Makes the cells of rows of promptfoo (reading 2.3), one for each provider, prompt and test:
 *
 *     { "provider": { "id": "..." }, "prompt": { "label": "..." }, "promptIdx": 0, "testIdx": 0, "vars": {...},
 *       "score": 1, "success": true, "failureReason": 0, "namedScores": { "NAME": 0.5 } }
 *
 * The model is the provider; under several prompts for one test it is several models. A test is its variables and assertions: what
 * stands there twice was repeated, an attempt at one sample. A row that failed by an error of the provider is a missing cell. Errors:
 * SCHEMA_INVALID for a row without a provider or a score, or without the named score asked for.
 */
export function promptfooRead(rows: readonly PromptfooRow[], { metric }: LogOptions): LogRead {
  for (const { row, place } of rows)
    if (!isPromptfooRow(row)) fail('SCHEMA_INVALID', place, 'a score expected', PROMPTFOO_HINT);
  const tests = rows.map(({ row }) => testKey(row));
  const models = promptfooColumns(rows, tests);
  const named = [
    ...new Set(rows.flatMap(({ row }) => (isObject(row.namedScores) ? Object.keys(row.namedScores) : []))),
  ];
  const metrics = ['score', 'success', ...named];
  const isNamed = metric !== undefined && named.includes(metric);
  if (metric !== undefined && !metrics.includes(metric))
    fail(
      'SCHEMA_INVALID',
      rows[0]!.place,
      `no score is called ${shown(metric)}; ${listed(metrics)}`,
      `${nearest('--metric', metric, metrics)}${PROMPTFOO_HINT}`,
    );
  const scored = isNamed ? testsWith(rows, tests, metric) : undefined;
  const own = metric ?? (rows.every(({ row }) => !isThere(row.score)) ? 'success' : 'score');
  const repeat = repeatCounter();
  const samples = sampleNames(rows, tests);
  const cells = rows.flatMap(({ row, place }, i): LogCell[] => {
    const test = tests[i]!;
    if (scored !== undefined && !scored.has(test)) return [];
    const written = isNamed ? (row.namedScores as JsonObject | undefined)?.[metric] : (row[own] ?? row.success);
    const isMissing = isFailed(row, isNamed ? metric : undefined) || (isNamed && written === undefined);
    const value = isMissing ? null : scoreOf(written);
    if (value === undefined) fail('SCHEMA_INVALID', place, `a score expected, found ${shown(written)}`, PROMPTFOO_HINT);
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
  return { cells, metrics, filters: [] };
}

/**
 * Whether a row holds no score of an answer: the provider failed, gave nothing, or the model that grades did. Before an error had a reason
 * of its own (`failureReason` 2), a row with an error and no output was one.
 */
function isFailed(row: JsonObject, metric: string | undefined): boolean {
  if (row.failureReason === ERROR) return true;
  const output = isObject(row.response) ? row.response.output : undefined;
  const error = isObject(row.response) && isText(row.response.error) ? row.response.error : row.error;
  return (isText(error) && !isThere(output)) || isUngraded(row.gradingResult, metric);
}

/** Whether a grader gave no verdict on an assertion that the score, or a named score, is made of. */
function isUngraded(result: unknown, metric: string | undefined): boolean {
  if (!isObject(result)) return false;
  const parts: unknown = result.componentResults;
  const errs = (part: unknown) => isObject(part) && isObject(part.metadata) && part.metadata.graderError === true;
  const counts = (part: unknown) =>
    metric === undefined || (isObject(part) && isObject(part.assertion) && part.assertion.metric === metric);
  return (
    (metric === undefined && errs(result)) || (Array.isArray(parts) && parts.some((part) => errs(part) && counts(part)))
  );
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
function sampleNames(rows: readonly PromptfooRow[], tests: readonly string[]): Map<string, string> {
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

function testsWith(rows: readonly PromptfooRow[], tests: readonly string[], metric: string): Set<string> {
  return new Set(
    tests.filter((_, i) => {
      const { namedScores } = rows[i]!.row;
      return isObject(namedScores) && Object.hasOwn(namedScores, metric);
    }),
  );
}
