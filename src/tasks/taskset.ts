import { sha256 } from '../io/digest.js';
import { isObject, type JsonPlace, parseJson } from '../io/json.js';
import { type PyValue, parsePyJson, pyDigest } from '../io/pyjson.js';
import { decodeText } from '../io/utf8.js';
import { type ErrorPlace, fail, shown } from '../util/error.js';
import { dataText } from '../util/text.js';
import { type FamilyRule, familyRules } from './family-rule.js';
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

/** A task file as text and as rows, so that who reads it and who proves it open it once. */
export interface OpenedTasks {
  readonly text: string;
  readonly raw: RawTasks;
}

/** Opens a task file, its rows not yet checked. Errors: those of reading text and JSON. */
export function openTasks(path: string, bytes: Uint8Array): OpenedTasks {
  const text = decodeText(path, bytes);
  return { text, raw: rawTasks(text, path) };
}

/**
 * Reads one task file from its bytes: a released task-set document, or plain task rows. Every row is checked (collection 2.1);
 * digests are not (`verifyTaskFile`). `path` names the file in errors. Errors: SCHEMA_INVALID, TASK_DUPLICATE, and those of reading JSON.
 */
export function taskSetOf(path: string, bytes: Uint8Array, { raw } = openTasks(path, bytes)): TaskSet {
  const { document, rows } = raw;
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
    environmentSha256: environmentOf(document),
    rules: familyRules(
      document?.design,
      rows.map(({ row }) => row),
    ),
  };
}

/** The digest of the environment that a document says scored it: ours and those of worlds, else the published bundle. */
function environmentOf(document: RawTasks['document']): string | undefined {
  const { environment, epicure_provenance: published } = document ?? {};
  const stated = isObject(environment) ? environment.sha256 : isObject(published) ? published.bundle_sha256 : undefined;
  return typeof stated === 'string' ? stated : undefined;
}

/** Several task files as one list in the order given. */
export interface TaskFiles {
  readonly sets: readonly TaskSet[];
  readonly tasks: readonly Task[];
  readonly byId: ReadonlyMap<string, Task>;
}

/** Joins task sets, each with the path of its file; an id may occur once in all of them. Errors: TASK_DUPLICATE. */
export function joinedTaskSets(paths: readonly string[], sets: readonly TaskSet[]): TaskFiles {
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

/** How families are scored, by the first file that has them. */
export function statedRules({ sets }: Pick<TaskFiles, 'sets'>): ReadonlyMap<string, FamilyRule> {
  return new Map(sets.toReversed().flatMap(({ rules }) => [...rules]));
}

/** A row as it is written, its floats kept apart from integers. */
export type PyRow = { readonly [key: string]: PyValue };

/** Takes the rows of a task file as they are written, with their task ids. */
export function writtenRows(text: string, path: string): readonly (readonly [string, PyRow])[] {
  const { rows } = rawTasks(text, path, parsePyJson);
  return rows.map(({ row }) => [dataText(row.task_id), row as PyRow] as const);
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
