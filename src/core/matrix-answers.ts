import { type AnswerCode, outcomeOf } from '../responses/outcome.js';
import { RANKED_FAMILIES, type Task } from '../tasks/task.js';
import { FlavourError, shown } from '../util/error.js';
import type { ScoreMatrix } from './matrix.js';

/** One answered cell, already read: what it says and where it stands. */
export interface AnswerCell {
  readonly model: string;
  readonly task: string;
  /** The panel the row names; a row of another panel than its task's is no cell of the matrix. */
  readonly panel?: string | undefined;
  /** Action number, or the reason why the answer has none. */
  readonly code: AnswerCode;
  readonly file: string;
  readonly line: number;
}

export interface MissingCell {
  readonly model: string;
  readonly task: string;
  /** `absent`, or the outcome of an answer that could not be read. */
  readonly reason: string;
}

/** Answers that are not cells of the matrix. */
export interface ExtraCells {
  /** Of a task outside the columns. */
  readonly tasks: number;
  /** Of a model outside the roster. */
  readonly models: number;
  /** Of another panel than the task's. */
  readonly panels: number;
}

export interface AnswerMatrix {
  /** Null while a cell is missing: a score over fewer tasks is another score. */
  readonly matrix: ScoreMatrix | null;
  readonly missing: readonly MissingCell[];
  readonly extra: ExtraCells;
}

export interface AnswerOptions {
  /** Columns in order. */
  readonly tasks: readonly Task[];
  readonly answers: Iterable<AnswerCell>;
  /** Rows in order; absent: models by first appearance. */
  readonly roster?: readonly string[];
}

/** The tasks of the ranked families, in file order: the columns where no core says otherwise (contracts 2). */
export function rankedTasks(tasks: readonly Task[]): Task[] {
  const ranked: readonly string[] = RANKED_FAMILIES;
  return tasks.filter((task) => ranked.includes(task.family));
}

/**
 * The score matrix of a set of answers: each cell the basis points of the chosen portfolio, chance the rounded mean of the
 * task's map. Answers outside rows and columns are counted and passed over.
 *
 * Errors: SCHEMA_INVALID (no column, no row), CELL_DUPLICATE, CLUSTER_MISSING.
 */
export function matrixFromAnswers(options: AnswerOptions): AnswerMatrix {
  const { tasks, roster } = options;
  const column = new Map(tasks.map((task, t) => [task.id, t]));
  const rows = new Map<string, (AnswerCell | undefined)[]>();
  const open = (model: string) => {
    const row = new Array<AnswerCell | undefined>(tasks.length).fill(undefined);
    rows.set(model, row);
    return row;
  };
  for (const model of roster ?? []) open(model);
  const extra = { tasks: 0, models: 0, panels: 0 };
  for (const answer of options.answers) {
    const t = column.get(answer.task);
    if (t === undefined) {
      extra.tasks += 1;
      continue;
    }
    if (answer.panel !== undefined && answer.panel !== (tasks[t] as Task).panel) {
      extra.panels += 1;
      continue;
    }
    const row = rows.get(answer.model) ?? (roster ? undefined : open(answer.model));
    if (row === undefined) {
      extra.models += 1;
      continue;
    }
    const before = row[t];
    if (before) throw duplicate(answer, before);
    row[t] = answer;
  }
  if (tasks.length === 0 || rows.size === 0)
    throw new FlavourError('SCHEMA_INVALID', `${rows.size} models x ${tasks.length} tasks`, {
      hint: 'The answers must name at least one task of the task files, the tasks a ranked family.',
    });
  const missing: MissingCell[] = [];
  const values = new Float64Array(rows.size * tasks.length);
  let m = 0;
  for (const [model, row] of rows) {
    tasks.forEach((task, t) => {
      const cell = row[t];
      if (cell && cell.code >= 0) values[m * tasks.length + t] = task.scores[cell.code] as number;
      else missing.push({ model, task: task.id, reason: cell ? outcomeOf(cell.code) : 'absent' });
    });
    m += 1;
  }
  const matrix =
    missing.length > 0
      ? null
      : {
          models: [...rows.keys()],
          tasks: tasks.map((task) => task.id),
          panels: tasks.map((task) => task.panel),
          families: tasks.map((task) => task.family),
          clusters: tasks.map(clusterOf),
          values,
          scale: 100,
          chance: Float64Array.from(tasks, (task) => task.chance),
        };
  return { matrix, missing, extra };
}

function clusterOf(task: Task): string {
  if (task.cluster !== '') return task.cluster;
  throw new FlavourError('CLUSTER_MISSING', `task ${shown(task.id)} has no cluster`, {
    hint: 'Give the task a cluster_id or an anchor_ingredient.',
  });
}

function duplicate(answer: AnswerCell, before: AnswerCell): FlavourError {
  return new FlavourError(
    'CELL_DUPLICATE',
    `${answer.file}, line ${answer.line}: model ${shown(answer.model)} answers task ${shown(answer.task)} a second time, first in ${before.file}, line ${before.line}`,
    {
      hint: 'Keep one answer a model and task.',
      where: { file: answer.file, line: answer.line },
    },
  );
}

/** What to say when cells are missing; the command ends with exit code 3 and no result. */
export function incomplete(missing: readonly MissingCell[], cells: number): FlavourError {
  const named = missing
    .slice(0, 10)
    .map(({ model, task, reason }) => `${shown(model)} ${shown(task)} (${reason})`);
  return new FlavourError(
    'INCOMPLETE',
    `${missing.length} of ${cells} cells are missing, so no result is issued: ${named.join('; ')}${missing.length > named.length ? '; ...' : ''}`,
    {
      hint: 'Collect the missing answers, or rank a core that every model completed (--core).',
      exit: 3,
    },
  );
}
