import type { CorePlan } from '../tasks/coreplan.js';
import { type TaskRow, taskFromRow } from '../tasks/row.js';
import { RANKED_FAMILIES, type Task } from '../tasks/task.js';
import { rawTasks, replicationOf } from '../tasks/taskset.js';
import { FlavourError } from '../util/error.js';
import { readText } from '../util/file.js';

/** A task and the row it was read from: exports repeat every field of the row. */
export interface PoolTask {
  readonly row: TaskRow;
  readonly task: Task;
}

/** What may be trained on: tasks that share neither id nor anchor with the ranked core (compiler e.1). */
export interface Pool {
  /** Ranked families. */
  readonly primary: readonly PoolTask[];
  /** Other families: a supplemental track. */
  readonly supplemental: readonly PoolTask[];
  /** Ids and anchors of the core that were kept out. */
  readonly core: { readonly ids: ReadonlySet<string>; readonly anchors: ReadonlySet<string> };
  /** All tasks of the core, for the leakage proof. */
  readonly coreTasks: readonly PoolTask[];
}

/** Reads task files with their rows. Errors: those of reading task files. */
export function readPoolTasks(paths: readonly string[]): PoolTask[] {
  return paths.flatMap((path) => {
    const { document, rows } = rawTasks(readText(path), path);
    const replication = replicationOf(document);
    return rows.map(({ row, ...place }) => ({
      row,
      task: taskFromRow(row, { file: path, ...place }, replication),
    }));
  });
}

/** Takes the core's tasks, and every task on an anchor of theirs, out of the pool. Errors: TASK_UNKNOWN, TASK_DUPLICATE. */
export function trainingPool(tasks: readonly PoolTask[], core: CorePlan | undefined): Pool {
  const byId = new Map<string, PoolTask>();
  for (const entry of tasks) {
    if (byId.has(entry.task.id)) {
      throw new FlavourError('TASK_DUPLICATE', `task ${entry.task.id} is given twice`, {
        hint: 'Give every task file once.',
      });
    }
    byId.set(entry.task.id, entry);
  }
  const coreTasks = (core?.ids ?? []).map((id) => {
    const entry = byId.get(id);
    if (entry) return entry;
    throw new FlavourError('TASK_UNKNOWN', `core task ${id} is in none of the task files`, {
      hint: 'Give every task set the core was chosen from: its anchors must be kept out of training.',
    });
  });
  const ids = new Set(core?.ids ?? []);
  const anchors = new Set(coreTasks.map(({ task }) => task.anchor));
  const free = tasks.filter(({ task }) => !ids.has(task.id) && !anchors.has(task.anchor));
  const ranked = (entry: PoolTask) =>
    (RANKED_FAMILIES as readonly string[]).includes(entry.task.family);
  return {
    primary: free.filter(ranked),
    supplemental: free.filter((entry) => !ranked(entry)),
    core: { ids, anchors },
    coreTasks,
  };
}
