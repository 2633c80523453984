import { isObject, type JsonObject } from '../io/json.js';
import type { OpenedLog } from './opened-log.js';

/** `samples_<task>_<time>.jsonl` as the harness names sample logs. */
const NAME = /^samples_(.+?)(?:_(\d{4}-\d{2}-\d{2}T[\d.:-]+))?\.jsonl?$/;

/** What the harness puts before the name of a model in early names of files. */
const ARGUMENT = /^(?:pretrained|model|path|engine)__/;

/** Characters that the harness replaces in the name of a folder. */
const REPLACED = /["<>:/|\\?*[\]]+/g;

/**
 * Names the model and the evaluation of a sample log, which its rows do not (reading 2.2). The evaluation is the task in the file's name. The model
 * is the folder; the results of the run beside it give its full name where the folder is named after that, or where the run was told to write
 * into a file, when no folder is. Early files are `MODEL_TASK.jsonl` or `TASK.jsonl`, where only the results say which part is the task.
 */
export async function lmEvalNames(log: OpenedLog): Promise<{ readonly model: string; readonly family: string }> {
  const folder = log.folders.at(-1) ?? '';
  const match = NAME.exec(log.name);
  if (match === null) return earlyNames(log, folder);
  const [, family = '', time] = match;
  const results =
    (time && (await log.beside(endingWith(`results_${time}`)))) || (await log.beside(/^results_.*\.json$/));
  const stated = results?.model_name;
  if (typeof stated === 'string' && stated.replace(REPLACED, '__') === folder) return { model: stated, family };
  const single = results === undefined && time ? (await log.beside(endingWith(`_${time}`)))?.model_name : undefined;
  return { model: typeof single === 'string' && single !== '' ? single : folder, family };
}

const endingWith = (name: string) => new RegExp(`${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\.json$`);

async function earlyNames(log: OpenedLog, folder: string): Promise<{ model: string; family: string }> {
  const stem = log.name.replace(/\.jsonl?$/, '');
  const tasks = tasksOf(await log.beside(/^results.*\.json$/));
  const task = tasks.filter((name) => stem.endsWith(`_${name}`)).sort((a, b) => b.length - a.length)[0];
  if (tasks.includes(stem) || task === undefined) return { model: folder, family: stem };
  return { model: stem.slice(0, -task.length - 1).replace(ARGUMENT, ''), family: task };
}

function tasksOf(results: JsonObject | undefined): string[] {
  return [results?.configs, results?.results].flatMap((tasks) => (isObject(tasks) ? Object.keys(tasks) : []));
}
