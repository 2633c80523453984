import { isObject, type JsonObject } from '../io/json.js';
import { fail, shown } from '../util/error.js';
import { counted } from '../util/format.js';
import { dataText } from '../util/text.js';
import { type LogCell, listed, nearest, scoreOf } from './cell.js';
import type { LogFormat, LogOptions, LogRead } from './log-format.js';
import type { OpenedLog } from './opened-log.js';

const HINT = 'Give the run folders that `helm-run` wrote, each with its run_spec.json; name the metric with --metric.';

/**
 * Per-instance statistics of HELM, `per_instance_stats.json` with `run_spec.json` beside it (reading 2.4): a list of
 *
 *     { "instance_id": "id1", "train_trial_index": 0, "stats": [{ "name": { "name": "exact_match" }, "count": 1, "mean": 1.0 }] }
 *
 * in which an instance stands once a metric class. Trials are attempts; perturbed copies of an instance are left out. An instance without
 * the statistic, or with a count of 0, is a missing cell.
 */
export const HELM: LogFormat = {
  name: 'HELM',
  log: 'a HELM per_instance_stats.json',
  recognise: ({ document }) => Array.isArray(document) && isInstance(document[0]),
  read: readInstances,
};

const isInstance = (row: unknown): row is JsonObject =>
  isObject(row) && 'instance_id' in row && Array.isArray(row.stats) && 'train_trial_index' in row;

interface Instance {
  readonly id: string;
  readonly trial: number;
  readonly values: Map<string, number | null | undefined>;
  readonly place: LogCell['place'];
}

async function readInstances(log: OpenedLog, options: LogOptions): Promise<LogRead> {
  const { file } = log;
  const { model, family, main } = await runOf(log);
  const { instances, perturbed } = instancesOf(log.document as readonly unknown[], file);
  const metrics = [...new Set(instances.flatMap(({ values }) => [...values.keys()]))];
  const metric = options.metric ?? main.find((name) => metrics.includes(name));
  if (metric === undefined || !metrics.includes(metric))
    fail(
      'SCHEMA_INVALID',
      { file },
      `${metric === undefined ? 'the run names no main metric' : `no metric ${shown(metric)}`}; ${listed(metrics)}`,
      `${metric === undefined ? '' : nearest('--metric', metric, metrics)}${HINT}`,
    );
  const cells = instances.map(({ id, trial, values, place }): LogCell => {
    const value = values.has(metric) ? values.get(metric) : null;
    if (value === undefined)
      fail('SCHEMA_INVALID', place, `metric ${shown(metric)} of ${shown(id)} has no number`, HINT);
    return { model, family, sample: id, repeat: trial + 1, value, metric, filter: null, place };
  });
  const warnings =
    perturbed === 0
      ? []
      : [`${counted(perturbed, 'row')} of perturbed instances in ${file} ${perturbed === 1 ? 'was' : 'were'} left out`];
  return { cells, metrics, filters: [], warnings };
}

/** Joins the rows of each instance and trial. Errors: SCHEMA_INVALID. */
function instancesOf(rows: readonly unknown[], file: string): { instances: Instance[]; perturbed: number } {
  const instances = new Map<string, Instance>();
  let perturbed = 0;
  for (const [i, row] of rows.entries()) {
    const place = { file, path: `[${i}]` };
    if (!isInstance(row)) fail('SCHEMA_INVALID', place, 'an instance with its statistics expected', HINT);
    if (isObject(row.perturbation)) {
      perturbed += 1;
      continue;
    }
    const id = dataText(row.instance_id);
    const trial = typeof row.train_trial_index === 'number' ? row.train_trial_index : 0;
    const key = JSON.stringify([id, trial]);
    const instance = instances.get(key) ?? { id, trial, values: new Map(), place };
    instances.set(key, instance);
    for (const stat of row.stats as readonly unknown[]) {
      const name = isObject(stat) && isObject(stat.name) ? stat.name.name : undefined;
      if (!isObject(stat) || typeof name !== 'string')
        fail('SCHEMA_INVALID', place, 'a named statistic expected', HINT);
      if (stat.count === 0) instance.values.set(name, null);
      else instance.values.set(name, scoreOf(stat.mean ?? average(stat)));
    }
  }
  return { instances: [...instances.values()], perturbed };
}

/** Earlier versions wrote the sum and the count alone. */
function average({ sum, count }: JsonObject): unknown {
  return typeof sum === 'number' && typeof count === 'number' ? sum / count : undefined;
}

/** Model, evaluation and main metrics of the run. Errors: SCHEMA_INVALID where nothing tells the model. */
async function runOf({ file, folders, beside }: OpenedLog): Promise<{
  readonly model: string;
  readonly family: string;
  readonly main: readonly string[];
}> {
  const run = await beside(/^run_spec\.json$/);
  const name = typeof run?.name === 'string' ? run.name : (folders.at(-1) ?? '');
  const [scenario = '', ...rest] = name.split(':');
  const parts = rest.join(':').split(',');
  const isModel = (part: string) => /^model(?:_deployment)?=/.test(part);
  const adapter = isObject(run?.adapter_spec) ? run.adapter_spec : {};
  const model = adapter.model ?? parts.find(isModel)?.replace(/^[^=]*=/, '');
  if (typeof model !== 'string' || model === '')
    fail('SCHEMA_INVALID', { file }, 'nothing says which model was run: there is no run_spec.json beside it', HINT);
  const kept = parts.filter((part) => part !== '' && !isModel(part));
  return {
    model,
    family:
      [scenario, ...kept.slice(0, 1)].join(':') +
      kept
        .slice(1)
        .map((part) => `,${part}`)
        .join(''),
    main: mainMetrics(run),
  };
}

/** Metrics in the order of the run: those that its first metric class was asked for come first. */
function mainMetrics(run: JsonObject | undefined): string[] {
  const specs = Array.isArray(run?.metric_specs) ? run.metric_specs : [];
  return specs.flatMap((spec: unknown) => {
    const names = isObject(spec) && isObject(spec.args) ? spec.args.names : undefined;
    return Array.isArray(names) ? names.map(dataText) : [];
  });
}
