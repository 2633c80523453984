import { canonicalDigest, canonicalJson } from '../io/canonical.js';
import { isObject, type JsonObject } from '../io/json.js';
import { fail, shown } from '../util/error.js';
import { dataText } from '../util/text.js';
import { type LogCell, listed, nearest, scoreOf } from './cell.js';
import type { LogOptions, LogRead } from './log-format.js';

export const INSPECT_HINT = 'Give inspect_ai logs with their samples; name the scorer with --metric.';

/** A log of inspect_ai, whichever file it stands in. */
export interface InspectLog {
  readonly file: string;
  /** `status`, `eval` and `results`. */
  readonly header: JsonObject;
  /** Each with where it stands in the file. */
  readonly samples: Iterable<{ readonly sample: unknown; readonly path: string }>;
}

/** The name that early versions gave a scorer without one. */
const PLACEHOLDER = '88F74D2C';

/** Grades and words that the harness itself takes as numbers: correct, partly, incorrect, no answer. Partial credit needs --quantize. */
const GRADES: ReadonlyMap<string, number> = new Map([
  ['C', 1],
  ['P', 0.5],
  ['I', 0],
  ['N', 0],
]);
const WORDS: ReadonlyMap<string, number> = new Map([
  ['yes', 1],
  ['true', 1],
  ['no', 0],
  ['false', 0],
]);

/** A score as a number: null where the sample was not scored (NaN), undefined where it is no number. */
function numberIn(value: unknown): number | null | undefined {
  if (typeof value !== 'string') return scoreOf(value);
  const known = GRADES.get(value) ?? WORDS.get(value.toLowerCase());
  if (known !== undefined) return known;
  return /^[+-]?\d+(?:\.\d+)?$/.test(value) ? Number(value) : undefined;
}

/** Values by the names under which --metric takes them: a scorer, or `SCORER.NAME` of one with several values. */
function valuesOf(sample: JsonObject, scorerName: string): Map<string, unknown> | undefined {
  const scores = isObject(sample.scores)
    ? Object.entries(sample.scores)
    : isObject(sample.score)
      ? [[scorerName, sample.score] as const]
      : undefined;
  if (scores === undefined) return undefined;
  const values = new Map<string, unknown>();
  for (const [key, score] of scores) {
    const name = key === PLACEHOLDER ? scorerName : key;
    const value = isObject(score) ? score.value : undefined;
    if (isObject(value)) for (const [part, of] of Object.entries(value)) values.set(`${name}.${part}`, of);
    else values.set(name, value);
  }
  return values;
}

/**
 * Makes the cells of a log, in the order of its samples; the epochs of a sample are its repeats (reading 2.1). A sample that ended with
 * an error, was invalidated or was left without a score is a missing cell, and so is each that a run which did not end well was to
 * have. Errors: SCHEMA_INVALID for another layout, a value that is no number or without the scorer asked for; INCOMPLETE for a run that
 * did not end well and does not say which samples it was to have.
 */
export function inspectRead({ file, header, samples }: InspectLog, options: LogOptions): LogRead {
  const run = header.eval as JsonObject;
  const config = isObject(run.config) ? run.config : {};
  const model = dataText(run.model);
  const family = dataText(run.task ?? 'inspect');
  const args = isObject(run.task_args) ? run.task_args : {};
  const scorerName = firstScorer(header);
  const metrics = new Set<string>();
  const rows = [...samples].map(({ sample, path }) => {
    if (!isObject(sample)) fail('SCHEMA_INVALID', { file, path }, 'a sample expected', INSPECT_HINT);
    const failed = (isErrored(sample) && config.score_on_error !== true) || isObject(sample.invalidation);
    const values = failed ? undefined : valuesOf(sample, scorerName);
    for (const name of values?.keys() ?? []) metrics.add(name);
    return { sample, path, values };
  });
  const metric = takenMetric([...metrics], options.metric, { file, unscored: rows.length > 0 });
  const cells = rows.map(({ sample, path, values }, i): LogCell => {
    const written = values?.get(metric);
    const value = values === undefined || written === undefined ? null : numberIn(written);
    if (value === undefined)
      fail(
        'SCHEMA_INVALID',
        { file, path: `${path}.scores.${metric}.value` },
        `a grade or a number expected, found ${shown(written)}`,
        INSPECT_HINT,
      );
    return {
      model,
      family,
      sample: dataText(sample.id ?? i),
      repeat: typeof sample.epoch === 'number' ? sample.epoch : 1,
      value,
      metric,
      filter: null,
      ...contentOf(sample),
      place: { file, path },
    };
  });
  const status = header.status === undefined || header.status === 'success' ? undefined : dataText(header.status);
  return {
    cells: status === undefined ? cells : [...cells, ...unreached(cells, { file, run, config, status, metric })],
    metrics: [...metrics],
    filters: [],
    run: {
      ...(typeof run.eval_id === 'string' ? { id: run.eval_id } : {}),
      of: canonicalJson([model, family, args]),
      args,
      began: dataText(run.created ?? ''),
      ...(status === undefined ? {} : { unfinished: status }),
    },
  };
}

const isErrored = ({ error }: JsonObject) => error !== undefined && error !== null;

/** The scorer that the results name first. */
function firstScorer({ results }: JsonObject): string {
  if (!isObject(results)) return 'score';
  const first: unknown = Array.isArray(results.scores) ? results.scores[0] : results.scorer;
  return isObject(first) && typeof first.name === 'string' ? first.name : 'score';
}

function takenMetric(
  metrics: readonly string[],
  asked: string | undefined,
  { file, unscored }: { readonly file: string; readonly unscored: boolean },
): string {
  if (metrics.length === 0)
    fail(
      'SCHEMA_INVALID',
      { file, path: 'samples' },
      unscored ? 'no sample has a score' : 'a list of samples expected (a log with its samples)',
      unscored ? 'Score the log first (`inspect score`).' : INSPECT_HINT,
    );
  const metric = asked ?? metrics[0]!;
  if (!metrics.includes(metric))
    fail(
      'SCHEMA_INVALID',
      { file, path: 'samples' },
      `no scorer ${shown(metric)}; ${listed(metrics)}`,
      `${nearest('--metric', metric, metrics)}${INSPECT_HINT}`,
    );
  const scorer = metric.split('.')[0]!;
  if (asked === undefined && metrics.filter((name) => name.startsWith(`${scorer}.`)).length > 1)
    fail(
      'SCHEMA_INVALID',
      { file, path: 'samples' },
      `scorer ${shown(scorer)} gives several values; ${listed(metrics)}`,
      `Say which with --metric, for instance --metric ${metric}.`,
    );
  return metric;
}

/** Digest of what the model was asked: ids of messages and of their parts are random, and so is who sent them. */
function contentOf(sample: JsonObject): { readonly content?: string } {
  if (sample.input === undefined) return {};
  const attachments = isObject(sample.attachments) ? sample.attachments : {};
  let known = true;
  const plain = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const reference = /^attachment:\/\/(\w+)$/.exec(value)?.[1];
      if (reference === undefined) return value;
      known &&= Object.hasOwn(attachments, reference);
      return attachments[reference];
    }
    if (Array.isArray(value)) return value.map(plain);
    if (!isObject(value)) return typeof value === 'number' ? String(value) : value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, of]) => (CARRIED.has(key) ? [[key, plain(of)]] : [])),
    );
  };
  const input = plain(typeof sample.input === 'string' ? [{ role: 'user', content: sample.input }] : sample.input);
  return known ? { content: canonicalDigest(input) } : {};
}

/** Fields of a message, and of a part of one, that say what was asked. */
const CARRIED: ReadonlySet<string> = new Set([
  'role',
  'content',
  'type',
  'text',
  'image',
  'audio',
  'video',
  'document',
]);

interface Unreached {
  readonly file: string;
  readonly run: JsonObject;
  readonly config: JsonObject;
  readonly status: string;
  readonly metric: string;
}

/** The samples that a run did not come to, each a missing cell. */
function unreached(cells: readonly LogCell[], { file, run, config, status, metric }: Unreached): LogCell[] {
  const ids = isObject(run.dataset) ? run.dataset.sample_ids : undefined;
  if (!Array.isArray(ids))
    fail(
      'INCOMPLETE',
      { file },
      `the run ended with status ${shown(status)} after ${cells.length} samples, and its log does not say how many it was to have`,
      'Finish the run (`inspect eval-retry`), then audit its log.',
      { exit: 3 },
    );
  const epochs = typeof config.epochs === 'number' && config.epochs > 0 ? Math.min(config.epochs, 1000) : 1;
  const reached = new Set(cells.map(({ sample, repeat }) => JSON.stringify([sample, repeat])));
  return ids.flatMap((id: unknown) =>
    Array.from({ length: epochs }, (_, i) => i + 1).flatMap((repeat): LogCell[] => {
      const sample = dataText(id);
      if (reached.has(JSON.stringify([sample, repeat]))) return [];
      const { model } = run;
      const family = dataText(run.task ?? 'inspect');
      return [{ model: dataText(model), family, sample, repeat, value: null, metric, filter: null, place: { file } }];
    }),
  );
}
