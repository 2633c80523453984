import { canonicalDigest } from '../io/canonical.js';
import { isObject, type JsonObject } from '../io/json.js';
import { fail, shown } from '../util/error.js';
import { type LogCell, listed, scoreOf } from './cell.js';

const HINT = 'Give inspect_ai logs in JSON form (`inspect log dump`); name the scorer with --metric.';

interface InspectOptions {
  readonly file: string;
  /** Scorer to take; the sample's first unless given. */
  readonly metric?: string;
}

/** Grades of the built-in scorers as numbers: correct, incorrect, no answer. Partial credit needs --quantize. */
const GRADES: ReadonlyMap<string, number> = new Map([
  ['C', 1],
  ['P', 0.5],
  ['I', 0],
  ['N', 0],
]);

/** Tells whether a document is a log of inspect_ai in its JSON form. */
export function isInspectLog(document: JsonObject): boolean {
  return isObject(document.eval) && typeof document.eval.model === 'string';
}

/**
 * Reads one inspect_ai log in JSON form as cells, in the order of its samples. Layout:
 *
 *     { "status": "success", "eval": { "model": "...", "task": "..." },
 *       "samples": [{ "id": 1, "epoch": 1, "input": ..., "scores": { "SCORER": { "value": "C" } } }] }
 *
 * The epochs of a sample are its repeats; a value is a number, a truth value or a grade C, P, I, N.
 * Errors: SCHEMA_INVALID for another layout or without the scorer asked for; INCOMPLETE for a run that did not succeed.
 */
export function inspectCells(document: JsonObject, options: InspectOptions): LogCell[] {
  const { file } = options;
  const run = document.eval as JsonObject;
  if (document.status !== undefined && document.status !== 'success')
    fail(
      'INCOMPLETE',
      { file },
      `the run ended with status ${shown(document.status)}`,
      'Finish the run, then audit its log.',
      { exit: 3 },
    );
  if (!Array.isArray(document.samples) || document.samples.length === 0)
    fail('SCHEMA_INVALID', { file, path: 'samples' }, 'a list of samples expected (log with samples included)', HINT);
  return document.samples.map((sample: unknown, i): LogCell => {
    if (!isObject(sample) || !isObject(sample.scores))
      fail('SCHEMA_INVALID', { file, path: `samples[${i}].scores` }, 'scores expected', HINT);
    const scorers = Object.keys(sample.scores);
    const scorer = options.metric ?? scorers[0] ?? '';
    if (!scorers.includes(scorer))
      fail(
        'SCHEMA_INVALID',
        { file, path: `samples[${i}].scores` },
        `no scorer ${shown(scorer)}; ${listed(scorers)}`,
        HINT,
      );
    const score = sample.scores[scorer];
    const value = isObject(score) ? score.value : undefined;
    const number = typeof value === 'string' ? GRADES.get(value) : scoreOf(value);
    if (number === undefined)
      fail(
        'SCHEMA_INVALID',
        { file, path: `samples[${i}].scores.${scorer}.value` },
        `a grade or a number expected, found ${shown(value)}`,
        HINT,
      );
    return {
      model: String(run.model),
      family: String(run.task ?? 'inspect'),
      sample: String(sample.id ?? i),
      repeat: typeof sample.epoch === 'number' ? sample.epoch : 1,
      value: number,
      metric: scorer,
      filter: null,
      ...(sample.input === undefined ? {} : { content: canonicalDigest(sample.input) }),
      place: { file, path: `samples[${i}]` },
    };
  });
}
