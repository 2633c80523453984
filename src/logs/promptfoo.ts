import { canonicalDigest } from '../io/canonical.js';
import { isObject, type JsonObject } from '../io/json.js';
import { fail, shown } from '../util/error.js';
import { joinedNames } from '../util/joined.js';
import { type LogCell, listed, repeatCounter, scoreOf } from './cell.js';

const HINT = 'Give the JSON that `promptfoo eval --output` writes.';

interface PromptfooOptions {
  readonly file: string;
  /** A named score to take instead of the row's score. */
  readonly metric?: string;
}

/** The list of results in a promptfoo output file. */
function resultList(document: JsonObject): readonly unknown[] | undefined {
  const results = document.results;
  if (Array.isArray(results)) return results;
  return isObject(results) && Array.isArray(results.results) ? results.results : undefined;
}

/** Tells whether a document is what `promptfoo eval --output FILE.json` writes. */
export function isPromptfoo(document: JsonObject): boolean {
  const first = resultList(document)?.[0];
  return isObject(first) && 'provider' in first && ('score' in first || 'success' in first);
}

/**
 * Reads one promptfoo result file as cells, in its order. Layout: one row for each provider, prompt and test,
 *
 *     { "results": { "results": [{ "provider": { "id": "..." }, "prompt": { "label": "..." }, "testIdx": 0,
 *       "vars": {...}, "score": 1, "success": true, "namedScores": { "NAME": 0.5 } }] } }
 *
 * or with the rows in `results` itself. A provider under several prompts counts as several models; repeated tests are repeats of
 * one sample. Errors: SCHEMA_INVALID for a row without a provider or a score, or without the named score asked for.
 */
export function promptfooCells(document: JsonObject, options: PromptfooOptions): LogCell[] {
  const { file, metric } = options;
  const rows = resultList(document)!.map((row, i): JsonObject => {
    if (!isObject(row)) fail('SCHEMA_INVALID', { file, path: `results[${i}]` }, 'an object expected', HINT);
    return row;
  });
  const prompts = new Set(rows.map(promptOf));
  const repeat = repeatCounter();
  const names = joinedNames(
    rows.map((row) => [providerOf(row), promptOf(row)]),
    ' | ',
  );
  return rows.map((row, i): LogCell => {
    const named = isObject(row.namedScores) ? row.namedScores : {};
    if (metric !== undefined && !Object.hasOwn(named, metric))
      fail(
        'SCHEMA_INVALID',
        { file, path: `results[${i}]` },
        `no named score ${shown(metric)}; ${listed(Object.keys(named))}`,
        HINT,
      );
    const own = row.score === undefined || row.score === null ? 'success' : 'score';
    const score = metric === undefined ? row[own] : named[metric];
    const value = scoreOf(score);
    if (value === undefined)
      fail('SCHEMA_INVALID', { file, path: `results[${i}]` }, `a score expected, found ${shown(score)}`, HINT);
    const provider = providerOf(row);
    if (provider === '') fail('SCHEMA_INVALID', { file, path: `results[${i}]` }, 'a provider expected', HINT);
    const model = prompts.size > 1 ? names[i]! : provider;
    const test = testOf(row);
    const sample = typeof row.testIdx === 'number' ? String(row.testIdx) : canonicalDigest(test);
    return {
      model,
      family: 'promptfoo',
      sample,
      repeat: repeat(model, sample),
      value,
      metric: metric ?? own,
      filter: null,
      content: canonicalDigest(test),
      place: { file, path: `results[${i}]` },
    };
  });
}

/** What the model was tested on: the variables of the test. */
function testOf(row: JsonObject): unknown {
  if (isObject(row.vars)) return row.vars;
  return isObject(row.testCase) ? (row.testCase.vars ?? {}) : {};
}

function providerOf(row: JsonObject): string {
  const { provider } = row;
  if (isObject(provider)) return String(provider.label || provider.id || '');
  return typeof provider === 'string' ? provider : '';
}

function promptOf(row: JsonObject): string {
  const { prompt } = row;
  if (isObject(prompt)) return String(prompt.label ?? prompt.raw ?? '');
  return typeof prompt === 'string' ? prompt : String(row.promptId ?? '');
}
