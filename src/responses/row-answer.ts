import type { JsonObject } from '../io/json.js';
import { type ErrorPlace, fail } from '../util/error.js';
import { dataText } from '../util/text.js';
import { type Answer, type AnswerPlace, readAnswer, STATUS_COLUMNS, saysFailed, TEXT_KEYS } from './answer.js';

/** A column of a table of answers, and the key under which a JSON row has the same. */
export interface AnswerColumn {
  readonly name: string;
  readonly key:
    | 'task_id'
    | 'model_id'
    | 'panel'
    | 'selection'
    | (typeof TEXT_KEYS)[number]
    | (typeof STATUS_COLUMNS)[number];
}

/** An answer that stands in a row of a table, and that row as JSON has it. */
export interface AnswerRow {
  readonly answer: Answer;
  readonly row: JsonObject;
}

/**
 * Chooses the columns of a table of answers: `task_id` or `task`, `model_id` or `model`, one text column or `selection`, perhaps `panel`, `status` or
 * `completed`; any others say nothing of an answer. Errors: SCHEMA_INVALID without a task or an answer.
 */
export function answerColumns(names: readonly string[], place: ErrorPlace): AnswerColumn[] {
  const pick = (key: AnswerColumn['key'], ...other: readonly string[]): AnswerColumn[] => {
    const name = [key, ...other].find((wanted) => names.includes(wanted));
    return name === undefined ? [] : [{ name, key }];
  };
  const task = pick('task_id', 'task');
  const text = [...TEXT_KEYS, 'selection' as const].flatMap((key) => pick(key)).slice(0, 1);
  if (task.length === 0 || text.length === 0)
    fail(
      'SCHEMA_INVALID',
      place,
      `columns task_id and one of ${TEXT_KEYS.join(', ')}, selection expected, found ${names.join(', ')}`,
      'Name the columns so.',
    );
  const status = STATUS_COLUMNS.flatMap((key) => pick(key)).slice(0, 1);
  return [...task, ...pick('model_id', 'model'), ...pick('panel'), ...text, ...status];
}

/** What a cell is in JSON; undefined where it says nothing. */
function cellValue(key: AnswerColumn['key'], value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  switch (key) {
    case 'completed':
      return typeof value === 'string' ? !/^(?:false|0|no)$/i.test(value) : value;
    case 'task_id':
      return dataText(value);
    case 'model_id':
    case 'panel':
    case 'status':
      return value === '' ? undefined : dataText(value);
    default:
      return typeof value === 'string' ? value : undefined;
  }
}

/** Reads the answer in a row of a table, whose cells are asked for by the place of their column. Errors: those of `readAnswer`. */
export function rowAnswer(
  columns: readonly AnswerColumn[],
  cell: (at: number) => unknown,
  place: AnswerPlace,
): AnswerRow {
  const row: Record<string, unknown> = {};
  columns.forEach(({ key }, at) => {
    const value = cellValue(key, cell(at));
    if (value !== undefined) row[key] = value;
  });
  const failed = saysFailed(row.completed, 'completed');
  return { answer: readAnswer(failed ? { ...row, status: 'failed' } : row, place), row };
}
