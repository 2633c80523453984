import { isObject, type JsonObject } from '../io/json.js';
import { fail, shown } from '../util/error.js';
import { type LogCell, listed, nearest } from './cell.js';
import type { LogFormat, LogOptions, LogRead } from './log-format.js';
import type { OpenedLog } from './opened-log.js';

const HINT = 'Give the eval_results.json that `evalplus.evaluate` writes; --metric is base or plus.';

/** What a solution may end with; anything but passing is 0. */
const PASSED: ReadonlySet<unknown> = new Set(['pass', 'success']);
const ENDED: ReadonlySet<unknown> = new Set([...PASSED, 'fail', 'failed', 'timeout', 'timed out']);

/**
 * Results of EvalPlus (reading 2.7): for each task the solutions that were tried, each an attempt,
 *
 *     { "hash": "...", "eval": { "HumanEval/0": [{ "base_status": "pass", "plus_status": "fail" }] } }
 *
 * or, in early versions, `{ "base": [["success", [...]]], "plus": [...] }` a task. The metric is `plus`, which asks for both tests as
 * the harness does, or `base`. A solution without a status is a missing cell. The model is the name of the file.
 */
export const EVALPLUS: LogFormat = {
  name: 'EvalPlus',
  log: 'EvalPlus results',
  recognise: ({ document }) =>
    isObject(document) && isObject(document.eval) && isResult(Object.values(document.eval)[0]),
  read: readResults,
};

function isResult(tried: unknown): boolean {
  if (Array.isArray(tried)) return isObject(tried[0]) && 'base_status' in tried[0];
  return isObject(tried) && Array.isArray(tried.base);
}

interface Status {
  readonly base: unknown;
  readonly plus: unknown;
}

function readResults(log: OpenedLog, options: LogOptions): LogRead {
  const { file } = log;
  const tasks = Object.entries((log.document as JsonObject).eval as JsonObject).map(([task, tried]) => ({
    task,
    tried: statuses(tried, { file, path: `eval.${task}` }),
  }));
  const isPlus = tasks.some(({ tried }) => tried.some(({ plus }) => plus !== undefined && plus !== null));
  const metrics = isPlus ? ['plus', 'base'] : ['base'];
  const { metric = metrics[0]! } = options;
  if (!metrics.includes(metric))
    fail(
      'SCHEMA_INVALID',
      { file },
      `no metric ${shown(metric)}; ${listed(metrics)}`,
      `${nearest('--metric', metric, metrics)}${HINT}`,
    );
  const model = modelOf(log);
  const cells = tasks.flatMap(({ task, tried }) =>
    tried.map((status, i): LogCell => {
      const slash = task.lastIndexOf('/');
      const place = { file, path: `eval.${task}[${i}]` };
      return {
        model,
        family: slash > 0 ? task.slice(0, slash) : 'EvalPlus',
        sample: task.slice(slash + 1),
        repeat: i + 1,
        value: statusValue(status, metric, place),
        metric,
        filter: null,
        place,
      };
    }),
  );
  return { cells, metrics, filters: [] };
}

/** Errors: SCHEMA_INVALID for a task in another layout. */
function statuses(tried: unknown, place: LogCell['place']): Status[] {
  if (Array.isArray(tried) && tried.every(isObject))
    return tried.map(({ base_status: base, plus_status: plus }) => ({ base, plus }));
  if (!isObject(tried) || !Array.isArray(tried.base))
    fail('SCHEMA_INVALID', place, 'a list of tried solutions expected', HINT);
  const status = (list: unknown, i: number): unknown => {
    const entry: unknown = Array.isArray(list) ? list[i] : undefined;
    return Array.isArray(entry) ? entry[0] : entry;
  };
  return tried.base.map((_, i) => ({ base: status(tried.base, i), plus: status(tried.plus, i) }));
}

function statusValue({ base, plus }: Status, metric: string, place: LogCell['place']): number | null {
  const asked = metric === 'plus' ? [base, plus] : [base];
  const unknown = asked.find((status) => status !== null && status !== undefined && !ENDED.has(status));
  if (unknown !== undefined)
    fail('SCHEMA_INVALID', place, `a status pass, fail or timeout expected, found ${shown(unknown)}`, HINT);
  if (asked.some((status) => status === null || status === undefined)) return null;
  return asked.every((status) => PASSED.has(status)) ? 1 : 0;
}

/** `MODEL.eval_results.json`, `MODEL_eval_results.json`, or the folder of `eval_results.json`. */
function modelOf({ name, folders }: OpenedLog): string {
  const stem = name.replace(/\.json$/, '').replace(/(?:^|[._-])eval_results$/, '');
  return stem === '' ? (folders.at(-1) ?? 'model') : stem;
}
