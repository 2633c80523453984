import { keptModels, type ModelChoice } from '../core/model-choice.js';
import { parseCsv } from '../io/csv.js';
import { answerCode } from '../responses/answer.js';
import type { PlacedAnswer } from '../responses/answer-rows.js';
import type { SetParser } from '../responses/parser.js';
import type { Task } from '../tasks/task.js';
import { fail, shown } from '../util/error.js';

/** What every model chose on a list of tasks: action numbers, -1 where there is no readable answer. */
export interface AnswerGrid {
  readonly models: readonly string[];
  readonly tasks: readonly Task[];
  /** models x tasks. */
  readonly actions: Int32Array;
}

/** The cells that a common core is selected from: validity of all, scores of the valid. */
export interface CandidatePool {
  readonly models: readonly string[];
  readonly tasks: readonly {
    readonly id: string;
    readonly panel: string;
    readonly family: string;
    readonly category: string;
  }[];
  /** models x tasks: completed and parseable. */
  readonly valid: Uint8Array;
  /** models x tasks, basis points; read only where valid. */
  readonly scores: Float64Array;
}

/**
 * Lays answers out over tasks (models x tasks); answers to other tasks, or by models other than `models`, are passed over.
 * Errors: CELL_DUPLICATE where a model answers a task twice.
 */
export function answerGrid(options: {
  readonly tasks: readonly Task[];
  readonly answers: Iterable<PlacedAnswer>;
  readonly models?: readonly string[];
  readonly parser: SetParser;
}): AnswerGrid {
  const { tasks, answers, models, parser } = options;
  const column = new Map(tasks.map((task, t) => [task.id, t]));
  const rows = new Map((models ?? []).map((model) => [model, new Int32Array(tasks.length).fill(-1)]));
  const taken = new Map<string, Set<number>>();
  for (const { answer, file, line } of answers) {
    const t = column.get(answer.task);
    if (t === undefined || (models !== undefined && !rows.has(answer.model))) continue;
    const answered = taken.get(answer.model) ?? new Set();
    if (answered.has(t)) {
      fail(
        'CELL_DUPLICATE',
        { file, line },
        `model ${shown(answer.model)} answers task ${shown(answer.task)} a second time`,
        'Keep one answer a model and task.',
      );
    }
    taken.set(answer.model, answered.add(t));
    const row = rows.get(answer.model) ?? new Int32Array(tasks.length).fill(-1);
    rows.set(answer.model, row);
    const code = answerCode(answer, tasks[t]!, parser);
    row[t] = code < 0 ? -1 : code;
  }
  const actions = new Int32Array(rows.size * tasks.length);
  [...rows.values()].forEach((row, m) => {
    actions.set(row, m * tasks.length);
  });
  return { models: [...rows.keys()], tasks, actions };
}

/** Makes the candidate pool of a grid over all candidate tasks: an answer that could not be read is not valid. */
export function candidatesFromAnswers({ models, tasks, actions }: AnswerGrid): CandidatePool {
  return {
    models,
    tasks: tasks.map(({ id, panel, family, category }) => ({ id, panel, family, category })),
    valid: Uint8Array.from(actions, (action) => (action < 0 ? 0 : 1)),
    scores: Float64Array.from(actions, (action, at) => (action < 0 ? 0 : tasks[at % tasks.length]!.scores[action]!)),
  };
}

/** Leaves out the models that a choice leaves out (decisions 4.2). Errors: those of `keptModels`. */
export function chosenCandidates(pool: CandidatePool, choice: ModelChoice): CandidatePool {
  const kept = keptModels(pool.models, choice);
  const rows = pool.models.flatMap((_, m) => (kept[m] ? [m] : []));
  const T = pool.tasks.length;
  return {
    models: rows.map((m) => pool.models[m]!),
    tasks: pool.tasks,
    valid: Uint8Array.from(rows.flatMap((m) => [...pool.valid.subarray(m * T, (m + 1) * T)])),
    scores: Float64Array.from(rows.flatMap((m) => [...pool.scores.subarray(m * T, (m + 1) * T)])),
  };
}

const COLUMNS = 'Columns: task_id, panel, family, primary_category, valid:MODEL..., bps:MODEL...';

/**
 * Reads a candidate pool from CSV: `task_id,panel,family,primary_category`, then one `valid:MODEL` (0 or 1) and one
 * `bps:MODEL` column a model. Errors: SCHEMA_INVALID with line and column; TASK_DUPLICATE where a task stands twice.
 */
export function candidatesFromCsv(text: string, file: string): CandidatePool {
  const { header, rows, lines } = parseCsv(text, { file });
  const column = (name: string): number => {
    const found = header.indexOf(name);
    if (found < 0) fail('SCHEMA_INVALID', { file, line: 1 }, `column ${shown(name)} is missing`, COLUMNS);
    return found;
  };
  const models = header.flatMap((name) => (name.startsWith('valid:') ? [name.slice(6)] : []));
  if (models.length === 0) fail('SCHEMA_INVALID', { file, line: 1 }, 'there is no column valid:MODEL', COLUMNS);
  const id = column('task_id');
  const panel = column('panel');
  const family = column('family');
  const category = column('primary_category');
  const twice = models.find((model, m) => models.indexOf(model) !== m);
  if (twice !== undefined) fail('SCHEMA_INVALID', { file, line: 1 }, `model ${shown(twice)} has two columns`, COLUMNS);
  const known = new Set<string>();
  rows.forEach((fields, t) => {
    const task = fields[id]!;
    if (known.has(task)) fail('TASK_DUPLICATE', { file, line: lines[t]! }, `task ${shown(task)} stands twice`);
    known.add(task);
  });
  const places = models.map((model) => [column(`valid:${model}`), column(`bps:${model}`)] as const);
  const valid = new Uint8Array(models.length * rows.length);
  const scores = new Float64Array(valid.length);
  rows.forEach((fields, t) => {
    const line = lines[t]!;
    places.forEach(([bit, bps], m) => {
      const at = m * rows.length + t;
      if (fields[bit] !== '0' && fields[bit] !== '1') {
        const place = { file, line, path: `valid:${models[m]}` };
        fail('SCHEMA_INVALID', place, `0 or 1 expected, found ${shown(fields[bit])}`, COLUMNS);
      }
      valid[at] = Number(fields[bit]);
      const score = valid[at] === 0 && fields[bps] === '' ? 0 : Number(fields[bps]);
      if (!Number.isInteger(score) || score < 0 || score > 10_000) {
        const place = { file, line, path: `bps:${models[m]}` };
        fail('SCHEMA_INVALID', place, `0 to 10000 expected, found ${shown(fields[bps])}`, COLUMNS);
      }
      scores[at] = score;
    });
  });
  return {
    models,
    tasks: rows.map((fields) => ({
      id: fields[id]!,
      panel: fields[panel]!,
      family: fields[family]!,
      category: fields[category]!,
    })),
    valid,
    scores,
  };
}
