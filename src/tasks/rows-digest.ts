import { readText } from '../io/file.js';
import { type PyValue, parsePyJson, pyDigest } from '../io/pyjson.js';
import { fail, shown } from '../util/error.js';
import type { Task } from './task.js';
import { rawTasks } from './taskset.js';

type PyRow = { readonly [key: string]: PyValue };

/** Rows of task files as written, floats kept apart from integers, by task id. */
export function readTaskRows(paths: readonly string[]): ReadonlyMap<string, PyRow> {
  const rows = new Map<string, PyRow>();
  for (const path of paths) {
    const { rows: list } = rawTasks(readText(path), path, parsePyJson);
    for (const { row } of list) rows.set(String(row.task_id), row as PyRow);
  }
  return rows;
}

export interface RowsDigestOptions {
  readonly rows: ReadonlyMap<string, PyRow>;
  readonly tasks: readonly Task[];
  /** Adds `release_panel` to rows that name no panel, as the released core's row file has it. */
  readonly withPanel: boolean;
}

/** Digest of the rows of the given tasks, sorted by id (`task_set_semantic_sha256`, collection 2.4). */
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
