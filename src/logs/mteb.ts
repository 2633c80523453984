import { isObject, type JsonObject } from '../io/json.js';
import { fail, shown } from '../util/error.js';
import { dataText } from '../util/text.js';
import { type LogCell, listed, nearest, scoreOf } from './cell.js';
import type { LogFormat, LogOptions, LogRead } from './log-format.js';
import type { OpenedLog } from './opened-log.js';

const HINT = 'Give the folders that `mteb` writes, results/MODEL/REVISION/TASK.json; name a score with --metric.';

/** Keys of an early file that are no splits. */
const NO_SPLIT: ReadonlySet<string> = new Set([
  'dataset_revision',
  'mteb_dataset_name',
  'mteb_version',
  'evaluation_time',
]);

/**
 * Results of MTEB, one file a model and task (reading 2.9): per split a list of subsets, mostly languages,
 *
 *     { "task_name": "...", "scores": { "test": [{ "hf_subset": "default", "main_score": 0.84 }] } }
 *
 * or, before version 1.11, `{ "mteb_dataset_name": "...", "test": { "en": {...} } }`. A subset is a sample, subsets of one task are one
 * cluster; the split `test` is taken where there are several. A score that is null or NaN is a missing cell. The model is the name in
 * `model_meta.json`, else the folder's.
 */
export const MTEB: LogFormat = {
  name: 'MTEB',
  log: 'MTEB results',
  filters: true,
  recognise: ({ document }) =>
    isObject(document) &&
    ((typeof document.task_name === 'string' && isObject(document.scores) && 'mteb_version' in document) ||
      typeof document.mteb_dataset_name === 'string'),
  read: readTask,
};

interface Subset {
  readonly name: string;
  readonly scores: JsonObject;
  readonly path: string;
}

async function readTask(log: OpenedLog, options: LogOptions): Promise<LogRead> {
  const { file } = log;
  const document = log.document as JsonObject;
  const task = dataText(document.task_name ?? document.mteb_dataset_name);
  const splits = splitsOf(document, file);
  const names = [...splits.keys()];
  const split = options.filter ?? (names.length > 1 && names.includes('test') ? 'test' : names[0]);
  if (split === undefined) fail('SCHEMA_INVALID', { file }, 'no split with scores', HINT);
  if (names.length > 1 && options.filter === undefined && split !== 'test')
    fail('SCHEMA_INVALID', { file }, `several splits; ${listed(names)}`, 'Say which with --filter.');
  const subsets = splits.get(split) ?? (names.length === 1 ? splits.get(names[0]!)! : undefined);
  if (subsets === undefined)
    fail(
      'SCHEMA_INVALID',
      { file },
      `no split ${shown(split)}; ${listed(names)}`,
      `${nearest('--filter', split, names)}${HINT}`,
    );
  const metrics = [
    ...new Set(subsets.flatMap(({ scores }) => Object.keys(scores).filter((key) => isScore(scores[key])))),
  ];
  const { metric = 'main_score' } = options;
  if (options.metric === undefined && !subsets.some(({ scores }) => 'main_score' in scores))
    fail('SCHEMA_INVALID', { file }, `no main score; ${listed(metrics)}`, HINT);
  const model = await modelOf(log);
  const has = subsets.some(({ scores }) => Object.hasOwn(scores, metric));
  const cells = (has ? subsets : []).map(({ name, scores, path }): LogCell => {
    const value = Object.hasOwn(scores, metric) ? scoreOf(scores[metric]) : null;
    const place = { file, path };
    if (value === undefined)
      fail('SCHEMA_INVALID', place, `a number expected under ${shown(metric)}, found ${shown(scores[metric])}`, HINT);
    const sample = name === 'default' ? task : `${task}/${name}`;
    return { model, family: 'MTEB', sample, repeat: 1, value, metric, filter: null, cluster: task, place };
  });
  return {
    cells,
    metrics: ['main_score', ...metrics.filter((name) => name !== 'main_score')],
    filters: names.length > 1 ? names : [],
  };
}

const isScore = (value: unknown) => typeof value === 'number' || value === null;

/** Errors: SCHEMA_INVALID for a split in another layout. */
function splitsOf(document: JsonObject, file: string): Map<string, Subset[]> {
  const splits = new Map<string, Subset[]>();
  const isEarly = document.scores === undefined;
  const of = isEarly ? document : (document.scores as JsonObject);
  for (const [split, found] of Object.entries(of)) {
    if (isEarly && NO_SPLIT.has(split)) continue;
    const place = { file, path: isEarly ? split : `scores.${split}` };
    if (Array.isArray(found) && found.every(isObject))
      splits.set(
        split,
        found.map((scores, i) => ({
          name: dataText(scores.hf_subset ?? 'default'),
          scores,
          path: `${place.path}[${i}]`,
        })),
      );
    else if (isEarly && isObject(found)) splits.set(split, earlySubsets(found, split));
    else fail('SCHEMA_INVALID', place, `a list of subsets expected, found ${shown(found)}`, HINT);
  }
  return splits;
}

/** Names of groups of scores that early files nest, which are no subsets. */
const GROUPS: ReadonlySet<string> = new Set(['cos_sim', 'dot', 'euclidean', 'manhattan', 'max', 'v_measures']);

function earlySubsets(found: JsonObject, split: string): Subset[] {
  const subsets = Object.entries(found).filter(([name, value]) => isObject(value) && !GROUPS.has(name));
  if (subsets.length === 0) return [{ name: 'default', scores: flattened(found), path: split }];
  return subsets.map(([name, scores]) => ({ name, scores: flattened(scores as JsonObject), path: `${split}.${name}` }));
}

/** `{ "cos_sim": { "spearman": 0.8 } }` as `{ "cos_sim_spearman": 0.8 }`. */
function flattened(scores: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(scores).flatMap(([key, value]) =>
      isObject(value) ? Object.entries(value).map(([inner, of]) => [`${key}_${inner}`, of]) : [[key, value]],
    ),
  );
}

/** The name in the model's own file; else the folder above the revision, in which a slash stands as two underscores. */
async function modelOf({ folders, beside }: OpenedLog): Promise<string> {
  const meta = await beside(/^model_meta\.json$/);
  if (typeof meta?.name === 'string' && meta.name !== '') return meta.name;
  const [above = '', last = ''] = folders.slice(-2);
  const isRevision = /^(?:[0-9a-f]{7,64}|no_revision_available|external|\d[\w.-]*)$/.test(last) || above.includes('__');
  return (isRevision ? above : last).replace('__', '/');
}
