import { type AnswerPlace, answerCode, placed, whereOf } from '../responses/answer.js';
import type { PlacedAnswer } from '../responses/answer-rows.js';
import { type AnswerCode, outcomeOf } from '../responses/outcome.js';
import type { Task } from '../tasks/task.js';
import { fail, shown } from '../util/error.js';
import type { MissingCell, ScoreMatrix } from './matrix.js';

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
  /** Rows x columns. */
  readonly cells: number;
  readonly extra: ExtraCells;
}

interface AnswerOptions {
  /** Columns in order. */
  readonly tasks: readonly Task[];
  readonly answers: Iterable<PlacedAnswer>;
  /** Rows in order; absent: models by first appearance. */
  readonly roster?: readonly string[];
}

/** What an answer says, and where it stands. */
interface Cell extends AnswerPlace {
  readonly code: AnswerCode;
}

/**
 * Makes the score matrix of a set of answers: each cell the basis points of the chosen portfolio, chance the rounded mean of the
 * task's map. Answers outside rows and columns are counted and passed over.
 *
 * Errors: SCHEMA_INVALID (no column, no row, an answer without a model), CELL_DUPLICATE, CLUSTER_MISSING.
 */
export function matrixFromAnswers(options: AnswerOptions): AnswerMatrix {
  const { tasks, roster } = options;
  const column = new Map(tasks.map((task, t) => [task.id, t]));
  const rows = new Map<string, (Cell | undefined)[]>();
  const open = (model: string) => {
    const row = new Array<Cell | undefined>(tasks.length).fill(undefined);
    rows.set(model, row);
    return row;
  };
  for (const model of roster ?? []) open(model);
  const extra = { tasks: 0, models: 0, panels: 0 };
  for (const answered of options.answers) {
    const { answer, file, line, item } = answered;
    const t = column.get(answer.task);
    if (t === undefined) {
      extra.tasks += 1;
      continue;
    }
    const task = tasks[t]!;
    if (answer.panel !== '' && answer.panel !== task.panel) {
      extra.panels += 1;
      continue;
    }
    if (answer.model === '')
      fail(
        'SCHEMA_INVALID',
        whereOf(answered),
        `the answer to task ${shown(answer.task)} names no model`,
        'Give model_id (or model) in every row.',
      );
    const row = rows.get(answer.model) ?? (roster ? undefined : open(answer.model));
    if (row === undefined) {
      extra.models += 1;
      continue;
    }
    const before = row[t];
    if (before)
      fail(
        'CELL_DUPLICATE',
        whereOf(answered),
        `model ${shown(answer.model)} answers task ${shown(answer.task)} a second time, first in ${placed(before)}`,
        'Keep one answer a model and task.',
      );
    const place = item === undefined ? { file, line } : { file, line, item };
    row[t] = { code: answerCode(answer, task), ...place };
  }
  if (tasks.length === 0 || rows.size === 0)
    fail(
      'SCHEMA_INVALID',
      null,
      `no answer to any of the ${tasks.length} tasks was found; ${extra.tasks} answers name other tasks`,
      'Give answers to tasks of the task files.',
    );
  const missing: MissingCell[] = [];
  const values = new Float64Array(rows.size * tasks.length);
  let m = 0;
  for (const [model, row] of rows) {
    tasks.forEach((task, t) => {
      const cell = row[t];
      if (cell && cell.code >= 0) values[m * tasks.length + t] = task.scores[cell.code]!;
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
  return { matrix, missing, cells: values.length, extra };
}

function clusterOf(task: Task): string {
  if (task.cluster !== '') return task.cluster;
  fail(
    'CLUSTER_MISSING',
    null,
    `task ${shown(task.id)} has no cluster`,
    'Give the task a cluster_id or an anchor_ingredient.',
  );
}
