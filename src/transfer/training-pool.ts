import { sha256 } from '../io/digest.js';
import { readInput } from '../io/file.js';
import { decodeText } from '../io/utf8.js';
import type { CorePlan } from '../tasks/coreplan.js';
import { PORTFOLIOS, rankedFamilies, type Task } from '../tasks/task.js';
import { BEST_BPS, chanceOf, type TaskRow, taskFromRow } from '../tasks/task-row.js';
import { type RawTasks, rawTasks, replicationOf } from '../tasks/taskset.js';
import { fail } from '../util/error.js';

/** A task and the row it was read from: exports repeat every field of the row. */
export interface RowTask {
  readonly row: TaskRow;
  readonly task: Task;
}

/** What may be trained on: tasks that share neither id nor anchor with the ranked core (compiler e.1). */
export interface TrainingPool {
  /** The published three families; all families where none of the three is there. */
  readonly primary: readonly RowTask[];
  /** Other families: a supplemental track. */
  readonly supplemental: readonly RowTask[];
  /** Ids and anchors of the core that were kept out. */
  readonly core: { readonly ids: ReadonlySet<string>; readonly anchors: ReadonlySet<string> };
  /** All tasks of the core, for the leakage proof. */
  readonly coreTasks: readonly RowTask[];
}

interface RowFiles {
  readonly tasks: readonly RowTask[];
  /** Digest of each file's document, else of its bytes; by panel, or by place where a file holds several panels. */
  readonly sources: ReadonlyMap<string, string>;
}

/** Checks the rows of one file, or of a document that was never written. Errors: SCHEMA_INVALID. */
export function rowTasks({ document, rows }: RawTasks, file: string): RowTask[] {
  const replication = replicationOf(document);
  return rows.map(({ row, ...place }) => ({
    row,
    task: taskFromRow(row, { file, ...place }, replication),
  }));
}

/** Reads task files with their rows. Errors: those of reading task files. */
export function readRowTasks(paths: readonly string[]): RowFiles {
  const sources = new Map<string, string>();
  const tasks = paths.flatMap((path, i) => {
    const bytes = readInput(path);
    const raw = rawTasks(decodeText(path, bytes), path);
    const found = rowTasks(raw, path);
    const panels = [...new Set(found.map(({ task }) => task.panel))];
    const only = panels.length === 1 ? panels[0]! : undefined;
    const name = only === undefined || sources.has(only) ? `file_${i + 1}` : only;
    const semantic = raw.document?.artifact_sha256;
    sources.set(name, typeof semantic === 'string' ? semantic : sha256(bytes));
    return found;
  });
  return { tasks, sources };
}

/**
 * Puts tasks under other maps, by id: score map, optimum and chance are those of the map. A task whose map has more than
 * one best portfolio, or that has no map, is left out: it has no one answer to teach.
 */
export function underMaps(tasks: readonly RowTask[], maps: ReadonlyMap<string, Uint16Array>): RowTask[] {
  return tasks.flatMap(({ row, task }) => {
    const scores = maps.get(task.id);
    const best = scores?.indexOf(BEST_BPS) ?? -1;
    if (scores === undefined || best < 0 || scores.includes(BEST_BPS, best + 1)) return [];
    const next = {
      ...row,
      panel: task.panel,
      selection_scores_bps: Object.fromEntries(PORTFOLIOS.map((key, i) => [key, scores[i]])),
      optimal_selection: PORTFOLIOS[best],
      chance_score_bps: chanceOf(scores),
    };
    return [{ row: next, task: taskFromRow(next, { file: 'recomputed maps' }) }];
  });
}

/** Takes the core's tasks, and every task on an anchor of theirs, out of the pool. Errors: TASK_UNKNOWN, TASK_DUPLICATE. */
export function trainingPool(tasks: readonly RowTask[], core: CorePlan | undefined): TrainingPool {
  const byId = new Map<string, RowTask>();
  for (const entry of tasks) {
    if (byId.has(entry.task.id)) {
      fail('TASK_DUPLICATE', null, `task ${entry.task.id} is given twice`, 'Give every task file once.');
    }
    byId.set(entry.task.id, entry);
  }
  const coreTasks = (core?.ids ?? []).map((id) => {
    const entry = byId.get(id);
    if (entry) return entry;
    return fail(
      'TASK_UNKNOWN',
      null,
      `core task ${id} is in none of the task files`,
      'Give every task set the core was chosen from: its anchors must be kept out of training.',
    );
  });
  const ids = new Set(core?.ids ?? []);
  const anchors = new Set(coreTasks.map(({ task }) => task.anchor));
  const free = tasks.filter(({ task }) => !ids.has(task.id) && !anchors.has(task.anchor));
  const families = new Set(rankedFamilies(tasks.map(({ task }) => task.family)));
  const ranked = ({ task }: RowTask) => families.has(task.family);
  return {
    primary: free.filter(ranked),
    supplemental: free.filter((entry) => !ranked(entry)),
    core: { ids, anchors },
    coreTasks,
  };
}
