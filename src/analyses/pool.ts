import { answerCode } from '../responses/answer.js';
import type { PlacedAnswer } from '../responses/answer-rows.js';
import type { Task } from '../tasks/task.js';
import { fail, shown } from '../util/error.js';
import type { CandidatePool } from './roster/omission.js';

/** What every model chose on a list of tasks: action numbers, -1 where there is no readable answer. */
export interface AnswerGrid {
  readonly models: readonly string[];
  readonly tasks: readonly Task[];
  /** models x tasks. */
  readonly actions: Int32Array;
}

/** Lays answers out over tasks; answers to other tasks or by other models are passed over. Errors: CELL_DUPLICATE. */
export function answerGrid(
  tasks: readonly Task[],
  answers: Iterable<PlacedAnswer>,
  models?: readonly string[],
): AnswerGrid {
  const column = new Map(tasks.map((task, t) => [task.id, t]));
  const rows = new Map((models ?? []).map((model) => [model, new Int32Array(tasks.length).fill(-1)]));
  const seen = new Set<string>();
  for (const { answer, file, line } of answers) {
    const t = column.get(answer.task);
    if (t === undefined || (models !== undefined && !rows.has(answer.model))) continue;
    const key = `${answer.model}\0${answer.task}`;
    if (seen.has(key)) {
      fail(
        'CELL_DUPLICATE',
        { file, line },
        `model ${shown(answer.model)} answers task ${shown(answer.task)} a second time`,
        'Keep one answer a model and task.',
      );
    }
    seen.add(key);
    const row = rows.get(answer.model) ?? new Int32Array(tasks.length).fill(-1);
    rows.set(answer.model, row);
    const code = answerCode(answer, tasks[t]!);
    row[t] = code < 0 ? -1 : code;
  }
  const actions = new Int32Array(rows.size * tasks.length);
  [...rows.values()].forEach((row, m) => {
    actions.set(row, m * tasks.length);
  });
  return { models: [...rows.keys()], tasks, actions };
}

/** Validity and scores of a grid over all candidate tasks. */
export function poolOfGrid({ models, tasks, actions }: AnswerGrid): CandidatePool {
  return {
    models,
    tasks: tasks.map(({ id, panel, family, category }) => ({ id, panel, family, category })),
    valid: Uint8Array.from(actions, (action) => (action < 0 ? 0 : 1)),
    scores: Float64Array.from(actions, (action, at) => (action < 0 ? 0 : tasks[at % tasks.length]!.scores[action]!)),
  };
}
