import { isObject, type JsonObject } from '../io/json.js';
import { fail, shown } from '../util/error.js';
import { counted } from '../util/format.js';
import { type LogCell, listed, nearest } from './cell.js';
import type { LogFormat, LogOptions, LogRead } from './log-format.js';
import type { OpenedLog } from './opened-log.js';

const HINT =
  'Give the report `MODEL.RUN.json` that the harness of SWE-bench writes at the end of a run, or the folder of a run with a `report.json` an instance.';

/** What the report is read as: without a verdict a cell is missing, or not resolved, as leaderboards count it. */
const METRICS = ['resolved', 'resolved_of_submitted'] as const;

/** Lists of instances on which the tests gave no verdict, whatever the reason. */
const NO_VERDICT = ['error_ids', 'infra_failure_ids', 'pending_ids'] as const;

/** Lists that make up what was submitted, in reports that do not say it. */
const OUTCOMES = ['resolved_ids', 'unresolved_ids', 'empty_patch_ids', ...NO_VERDICT] as const;

/** Names of files that say nothing of the model: its folder does. */
const PLAIN_NAMES: ReadonlySet<string> = new Set(['report', 'results', 'final_report', 'grading_results', 'summary']);

/**
 * The report of one run of SWE-bench, or of a harness like it (reading 2.5): lists of instances,
 *
 *     { "submitted_ids": [...], "resolved_ids": [...], "unresolved_ids": [...], "empty_patch_ids": [...], "error_ids": [...],
 *       "incomplete_ids": [...] }
 *
 * Resolved is 1; submitted and not resolved is 0, an empty patch too. An instance with an error has no verdict: a missing cell, or 0 with
 * `--metric resolved_of_submitted`. What was not submitted is not there. The model is the name of the file. Or the report on an instance,
 * `RUN/MODEL/INSTANCE/report.json`, one beside another.
 */
export const SWE_BENCH: LogFormat = {
  name: 'SWE-bench',
  log: 'a SWE-bench report',
  recognise: ({ document }) =>
    isObject(document) &&
    (('resolved_ids' in document && ('submitted_ids' in document || 'unresolved_ids' in document)) ||
      isOfInstances(document)),
  read: (log, options) =>
    isOfInstances(log.document as JsonObject) ? readInstances(log, options) : readReport(log, options),
};

/** Tells the report that lies in the folder of an instance: `{ INSTANCE: { patch_exists, patch_successfully_applied, resolved, ... } }`. */
function isOfInstances(document: JsonObject): boolean {
  const reports = Object.values(document);
  return reports.length > 0 && reports.every((one) => isObject(one) && 'patch_exists' in one && 'resolved' in one);
}

/** Reads the verdict on each instance; a patch that could not be applied has none. The model is the folder around that of the instance. */
function readInstances(log: OpenedLog, { metric = METRICS[0] }: LogOptions): LogRead {
  const { file, folders } = log;
  assertMetric(metric, file);
  const around = folders.filter((name, i) => i < folders.length - 1 && name !== 'logs');
  const model = around.at(-1) ?? folders.at(-1) ?? log.name;
  const cells = Object.entries(log.document as JsonObject).map(([id, report]): LogCell => {
    const { resolved, patch_exists: given, patch_successfully_applied: applied } = report as JsonObject;
    const place = { file, path: id };
    if (typeof resolved !== 'boolean')
      fail('SCHEMA_INVALID', place, `true or false expected under "resolved", found ${shown(resolved)}`, HINT);
    const open = !resolved && given === true && applied === false && metric === METRICS[0];
    return {
      model,
      family: 'SWE-bench',
      sample: id,
      repeat: 1,
      value: open ? null : Number(resolved),
      metric,
      filter: null,
      place,
    };
  });
  return { cells, metrics: METRICS, filters: [] };
}

/** Errors: SCHEMA_INVALID for a metric that the harness does not have. */
function assertMetric(metric: string, file: string): asserts metric is (typeof METRICS)[number] {
  if (!METRICS.some((name) => name === metric))
    fail(
      'SCHEMA_INVALID',
      { file },
      `no metric ${shown(metric)}; ${listed(METRICS)}`,
      `${nearest('--metric', metric, METRICS)}${HINT}`,
    );
}

function readReport(log: OpenedLog, { metric = METRICS[0] }: LogOptions): LogRead {
  const { file } = log;
  const report = log.document as JsonObject;
  assertMetric(metric, file);
  const submitted = submittedIds(report, file);
  const resolved = new Set(idsOf(report, 'resolved_ids', file));
  const incomplete = new Set(optionalIds(report, 'incomplete_ids', file));
  const failed = new Set(NO_VERDICT.flatMap((key) => optionalIds(report, key, file)));
  const known = new Set(submitted);
  const unsubmitted = [...resolved].find((id) => !known.has(id));
  if (unsubmitted !== undefined)
    fail(
      'SCHEMA_INVALID',
      { file, path: 'resolved_ids' },
      `${shown(unsubmitted)} was resolved and not submitted`,
      HINT,
    );
  const both = [...resolved].find((id) => failed.has(id) || incomplete.has(id));
  if (both !== undefined)
    fail('SCHEMA_INVALID', { file, path: 'resolved_ids' }, `${shown(both)} is also listed as failed or not run`, HINT);
  const model = modelOf(log);
  const lost = [...failed].filter((id) => known.has(id));
  const cells = submitted.flatMap((id, i): LogCell[] => {
    if (incomplete.has(id)) return [];
    const value = resolved.has(id) ? 1 : failed.has(id) && metric === METRICS[0] ? null : 0;
    const place = { file, path: `submitted_ids[${i}]` };
    return [{ model, family: 'SWE-bench', sample: id, repeat: 1, value, metric, filter: null, place }];
  });
  const warnings =
    lost.length === 0
      ? []
      : [
          `${counted(lost.length, 'instance')} of ${model} ended without a verdict and ${metric === METRICS[0] ? 'is missing' : 'counts as not resolved'}; ${metric === METRICS[0] ? 'leaderboards count it as not resolved (--metric resolved_of_submitted)' : 'the harness has no verdict on it'}`,
        ];
  return { cells, metrics: METRICS, filters: [], warnings };
}

/** Errors: SCHEMA_INVALID for anything but a list of different names. */
function idsOf(report: JsonObject, key: string, file: string): string[] {
  const ids = report[key];
  if (!Array.isArray(ids) || ids.some((id) => typeof id !== 'string' || id === ''))
    fail('SCHEMA_INVALID', { file, path: key }, `a list of instance ids expected, found ${shown(ids)}`, HINT);
  const all = ids as string[];
  const once = new Set<string>();
  for (const id of all) {
    if (once.has(id)) fail('SCHEMA_INVALID', { file, path: key }, `${shown(id)} stands twice`, HINT);
    once.add(id);
  }
  return all;
}

const optionalIds = (report: JsonObject, key: string, file: string) =>
  report[key] === undefined ? [] : idsOf(report, key, file);

function submittedIds(report: JsonObject, file: string): string[] {
  if (report.submitted_ids !== undefined) return idsOf(report, 'submitted_ids', file);
  return [...new Set(OUTCOMES.flatMap((key) => optionalIds(report, key, file)))];
}

/** `MODEL.RUN.json`: the run is cut off, but for one that reads as a part of a version number. */
function modelOf({ name, folders }: OpenedLog): string {
  const stem = name.replace(/\.json$/, '');
  if (PLAIN_NAMES.has(stem)) return folders.at(-1) ?? stem;
  const [, model] = /^(.+)\.(?!\d+$)[^.]+$/.exec(stem) ?? [];
  return model ?? stem;
}
