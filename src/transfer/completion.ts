import { z } from 'zod';
import { parseJson } from '../io/json.js';
import type { Outcome } from '../responses/outcome.js';
import { DEFAULT_PARSER, parseSelection, type SetParser } from '../responses/parser.js';
import type { Task } from '../tasks/task.js';
import { fail, shown } from '../util/error.js';
import { checked } from '../util/schema.js';

/** One generation of one trained or untrained model (analyses 9.5). */
export interface Completion {
  readonly condition: string;
  /** null for a model that was not trained. */
  readonly seed: number | null;
  readonly taskId: string;
  readonly text: string;
}

/** The answers of one condition and seed, one for every task in the grid's order. */
export interface Run {
  readonly condition: string;
  readonly seed: number | null;
  /** Basis points; an unparseable answer scores 0 and stays in. */
  readonly scores: Int32Array;
  readonly outcomes: readonly Outcome[];
  readonly texts: readonly string[];
}

/** Complete runs x tasks: tasks in order of first appearance, runs too. */
export interface CompletionGrid {
  readonly tasks: readonly Task[];
  readonly runs: readonly Run[];
}

const rowSchema = z.looseObject({
  condition: z.string(),
  training_seed: z.int({ error: 'a whole number or null expected' }).nullable(),
  task_id: z.string(),
  completion: z.string(),
});

const ROW = 'A row is {condition, training_seed, task_id, completion}.';

/** Reads generations, one JSON row a line. Errors: JSON_INVALID and SCHEMA_INVALID with the line. */
export function readCompletions(text: string, file: string): Completion[] {
  const rows: Completion[] = [];
  text.split('\n').forEach((source, index) => {
    if (source.trim() === '') return;
    const line = index + 1;
    const row = checked(rowSchema, parseJson(source, { file, line }), { file, line }, ROW);
    rows.push({ condition: row.condition, seed: row.training_seed, taskId: row.task_id, text: row.completion });
  });
  return rows;
}

/** Names a run as errors do. */
export const runKey = (condition: string, seed: number | null) => `${condition}, seed ${seed ?? 'none'}`;

/**
 * Scores generations on their tasks' maps and lays them out as a full grid. Errors: TASK_UNKNOWN; CELL_DUPLICATE;
 * CELL_MISSING when a run lacks a task or, with `expected`, when the grid is not exactly that set of tasks.
 */
export function completionGrid(
  completions: readonly Completion[],
  tasks: ReadonlyMap<string, Task>,
  { expected, parser = DEFAULT_PARSER }: { readonly expected?: readonly string[]; readonly parser?: SetParser } = {},
): CompletionGrid {
  const order = new Map<string, number>();
  const runs = new Map<string, Map<string, Completion>>();
  for (const row of completions) {
    if (!tasks.has(row.taskId)) {
      fail(
        'TASK_UNKNOWN',
        null,
        `${shown(row.taskId)} is in none of the task files`,
        'Give the task files the generations answer.',
      );
    }
    if (!order.has(row.taskId)) order.set(row.taskId, order.size);
    const key = runKey(row.condition, row.seed);
    const run = runs.get(key) ?? new Map<string, Completion>();
    if (run.has(row.taskId)) {
      fail('CELL_DUPLICATE', null, `${key} answers ${row.taskId} twice`, 'Keep one generation a run and task.');
    }
    run.set(row.taskId, row);
    runs.set(key, run);
  }
  if (runs.size === 0) {
    fail('SCHEMA_INVALID', null, 'no generation was given', 'Give --completions FILE...');
  }
  assertExpected(order, expected);
  const list = [...order.keys()].map((id) => tasks.get(id)!);
  return {
    tasks: list,
    runs: [...runs].map(([key, cells]) => scoredRun(key, cells, list, parser)),
  };
}

function assertExpected(order: ReadonlyMap<string, number>, expected: readonly string[] | undefined) {
  if (expected === undefined) return;
  const wanted = new Set(expected);
  const missing = expected.filter((id) => !order.has(id));
  const extra = [...order.keys()].filter((id) => !wanted.has(id));
  if (missing.length + extra.length === 0) return;
  fail(
    'CELL_MISSING',
    null,
    `the generations cover another set of tasks than the split: ${missing.length} missing (${shown(missing[0] ?? '')}), ${extra.length} outside it (${shown(extra[0] ?? '')})`,
    'Evaluate exactly the tasks of the split.',
  );
}

function scoredRun(
  key: string,
  cells: ReadonlyMap<string, Completion>,
  tasks: readonly Task[],
  version: SetParser,
): Run {
  const scores = new Int32Array(tasks.length);
  const outcomes: Outcome[] = [];
  const texts: string[] = [];
  let first: Completion | undefined;
  tasks.forEach((task, t) => {
    const cell = cells.get(task.id);
    if (cell === undefined) {
      fail('CELL_MISSING', null, `${key} has no generation for ${task.id}`, 'Every run must answer every task.');
    }
    first ??= cell;
    const { outcome, action } = parseSelection(cell.text, task.choices, { version });
    scores[t] = action < 0 ? 0 : task.scores[action]!;
    outcomes.push(outcome);
    texts.push(cell.text);
  });
  const { condition, seed } = first!;
  return { condition, seed, scores, outcomes, texts };
}
