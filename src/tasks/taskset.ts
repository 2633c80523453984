import { sha256 } from '../io/digest.js';
import { readInput, readText } from '../io/file.js';
import { isObject, type JsonPlace, parseJson } from '../io/json.js';
import { type PyValue, parsePyJson, pyDigest } from '../io/pyjson.js';
import { decodeText } from '../io/utf8.js';
import { type ErrorPlace, fail, shown } from '../util/error.js';
import type { Task, TaskSet } from './task.js';
import { type TaskRow, taskFromRow } from './task-row.js';

/** Whether a file holds one task a line: its first line is a whole JSON object and it is not the only one, or is a task. */
function isRowFile(text: string): boolean {
  const end = text.indexOf('\n');
  const first = end < 0 ? text : text.slice(0, end);
  if (!first.trimStart().startsWith('{')) return false;
  try {
    const value = JSON.parse(first) as Readonly<Record<string, unknown>>;
    return 'task_id' in value;
  } catch {
    return false;
  }
}

export interface RawTasks {
  readonly document: Readonly<Record<string, unknown>> | undefined;
  readonly rows: readonly {
    readonly row: TaskRow;
    readonly line?: number;
    readonly path?: string;
  }[];
}

const ONCE = 'Give every task once.';
const FORMS = 'A task file is a task-set document, an array of tasks, or one task a line.';

function asTask(value: unknown, place: ErrorPlace): TaskRow {
  if (isObject(value)) return value;
  fail('SCHEMA_INVALID', place, `a task expected, found ${shown(value)}`, FORMS);
}

/** Takes the rows of a task-set document (`tasks`), of an array of tasks, or of a file with one task a line, not yet checked. */
export function rawTasks(
  text: string,
  file: string,
  parse: (text: string, place: JsonPlace) => unknown = parseJson,
): RawTasks {
  if (isRowFile(text)) {
    const rows: { row: TaskRow; line: number }[] = [];
    text.split('\n').forEach((source, index) => {
      if (source.trim() === '') return;
      const line = index + 1;
      rows.push({ row: asTask(parse(source, { file, line }), { file, line }), line });
    });
    return { document: undefined, rows };
  }
  const value = parse(text, { file });
  if (!isObject(value) && !Array.isArray(value))
    fail('SCHEMA_INVALID', { file }, `a task set expected, found ${shown(value)}`, FORMS);
  const document = Array.isArray(value) ? undefined : value;
  const list = Array.isArray(value) ? value : value.tasks;
  if (!Array.isArray(list))
    fail('SCHEMA_INVALID', { file, path: 'tasks' }, `a list expected, found ${shown(list)}`, FORMS);
  const rows = list.map((item, i) => ({
    row: asTask(item, { file, path: `tasks[${i}]` }),
    path: `tasks[${i}]`,
  }));
  return { document, rows };
}

/** Reads the replication index of a task-set document; 1 where it names none. */
export function replicationOf(document: RawTasks['document']): number {
  const block = document?.replication as { readonly index?: unknown } | undefined | null;
  const index = block?.index;
  return typeof index === 'number' && Number.isSafeInteger(index) ? index : 1;
}

/**
 * Reads one task file: a released task-set document, or plain task rows. Every row is checked (collection 2.1); digests are
 * not (`verifyTaskFile`). Errors: SCHEMA_INVALID, TASK_DUPLICATE, and those of reading JSON.
 */
export function readTaskSet(path: string): TaskSet {
  const bytes = readInput(path);
  const { document, rows } = rawTasks(decodeText(path, bytes), path);
  const replication = replicationOf(document);
  const tasks = rows.map(({ row, ...place }) => taskFromRow(row, { file: path, ...place }, replication));
  const ids = new Set<string>();
  for (const { id } of tasks) {
    if (ids.has(id)) fail('TASK_DUPLICATE', { file: path }, `task ${shown(id)} stands twice in the file`, ONCE);
    ids.add(id);
  }
  if (tasks.length === 0)
    fail('SCHEMA_INVALID', { file: path, path: 'tasks' }, 'a list expected, found no task', FORMS);
  const panels = new Set(tasks.map((task) => task.panel));
  const digest = (key: string) => {
    const value = document?.[key];
    return typeof value === 'string' ? value : undefined;
  };
  const artifactSha256 = digest('artifact_sha256');
  const taskSetSha256 = digest('task_set_sha256');
  return {
    tasks,
    panel: panels.size === 1 ? tasks[0]!.panel : 'mixed',
    physicalSha256: sha256(bytes),
    artifactSha256,
    taskSetSha256,
  };
}

/** Several task files as one list in the order given. */
export interface TaskFiles {
  readonly sets: readonly TaskSet[];
  readonly tasks: readonly Task[];
  readonly byId: ReadonlyMap<string, Task>;
}

/** Reads task files; an id may occur once in all of them. Errors: those of `readTaskSet`. */
export function readTaskFiles(paths: readonly string[]): TaskFiles {
  if (paths.length === 0) {
    fail('USAGE', null, 'no task file was given', 'Give --tasks FILE...');
  }
  const sets = paths.map(readTaskSet);
  const byId = new Map<string, Task>();
  const source = new Map<string, string>();
  sets.forEach((set, i) => {
    const path = paths[i]!;
    for (const task of set.tasks) {
      const before = source.get(task.id);
      if (before !== undefined)
        fail('TASK_DUPLICATE', { file: path }, `task ${shown(task.id)} stands in ${before} and in ${path}`, ONCE);
      source.set(task.id, path);
      byId.set(task.id, task);
    }
  });
  return { sets, tasks: sets.flatMap((set) => set.tasks), byId };
}

type PyRow = { readonly [key: string]: PyValue };

/** Reads rows of task files as they are written, floats kept apart from integers, by task id. */
export function readTaskRows(paths: readonly string[]): ReadonlyMap<string, PyRow> {
  const rows = new Map<string, PyRow>();
  for (const path of paths) {
    const { rows: list } = rawTasks(readText(path), path, parsePyJson);
    for (const { row } of list) rows.set(String(row.task_id), row as PyRow);
  }
  return rows;
}

interface RowsDigestOptions {
  readonly rows: ReadonlyMap<string, PyRow>;
  readonly tasks: readonly Task[];
  /** Adds `release_panel` to rows that name no panel, as the released core's row file has it. */
  readonly withPanel: boolean;
}

/** Forms the digest of the rows of the given tasks, sorted by id (`task_set_semantic_sha256`, collection 2.4). */
export function taskRowsDigest({ rows, tasks, withPanel }: RowsDigestOptions): string {
  const ordered = [...tasks].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  return pyDigest(
    ordered.map((task) => {
      const row = rows.get(task.id);
      if (row === undefined) {
        fail('TASK_UNKNOWN', null, `task ${shown(task.id)} is in no task file`);
      }
      const named = 'panel' in row || 'release_panel' in row || 'source_panel' in row;
      return withPanel && !named ? { ...row, release_panel: task.panel } : row;
    }),
    { lenient: true },
  );
}
