import { sha256 } from '../io/digest.js';
import { isObject, type JsonObject } from '../io/json.js';
import { PORTFOLIO_INDEX, type Task } from '../tasks/task.js';
import { type ErrorPlace, fail, placeText, shown } from '../util/error.js';
import { isWellFormed } from '../util/text.js';
import { type ChoiceIndex, choiceIndex } from './choices.js';
import { type AnswerCode, DUPLICATE_LABEL, FAILED_STATUS, NOT_TEXT, UNKNOWN_LABEL, WRONG_COUNT } from './outcome.js';
import { type ReadText, readText, type SetParser } from './parser.js';

/** Keys that may hold an answer's text, in the order they are tried (collection 2.2). */
export const TEXT_KEYS = ['response', 'completion', 'answer', 'answer_markdown'] as const;

const DONE: ReadonlySet<unknown> = new Set([undefined, null, '', 'completed', 'success', 'ok']);

/** Columns that may say that a row has no answer: a `status`, else `completed` as the tables of a release or a pack have it. */
export const STATUS_COLUMNS = ['status', 'completed'] as const;

/** Tells whether a value in such a column, or the `status` of a JSON row, says that there is no answer. */
export function saysFailed(value: unknown, column: (typeof STATUS_COLUMNS)[number] = 'status') {
  return column === 'status' ? !DONE.has(value) : value === false;
}

/** What a ledger's record says of how its answer was asked: its key, as far as answers must share it to be compared. */
export interface StatedKey {
  readonly protocol_sha256: string;
  readonly prompt_sha256: string;
  readonly decoding: JsonObject;
}

/** One answer as its row gives it. */
export interface Answer {
  /** `model_id`, else `model`; empty where the row names none. */
  readonly model: string;
  readonly task: string;
  readonly panel: string;
  /** The answer's text; null where there is none to read. */
  readonly text: string | null;
  /** A portfolio given outright in a `selection` field; null where there is none. */
  readonly selection: string | null;
  /** The status says that there is no answer. */
  readonly failed: boolean;
  /** Why a row that has an answer cannot be read: a lone surrogate, a NaN. */
  readonly defect: string | null;
  /** Absent where the row is no record. */
  readonly key?: StatedKey;
}

function nestedText(value: JsonObject): string | undefined {
  if (typeof value.answer_markdown === 'string') return value.answer_markdown;
  const generation = value.generation;
  if (isObject(generation) && typeof generation.answer_markdown === 'string') {
    return generation.answer_markdown;
  }
  return undefined;
}

/** The answer in a line of a release's observations.jsonl; any other row as it is. */
function bareRow(row: JsonObject): JsonObject {
  return isObject(row.release_scoring) && isObject(row.response) ? row.response : row;
}

/** Fields of a ledger's record under the names that rows of answers have. */
function recordFields(row: JsonObject): JsonObject {
  const { key, generation, original_task_id } = row;
  if (!isObject(key) || typeof key.model_id !== 'string') return row;
  return {
    ...row,
    model_id: key.model_id,
    ...(typeof original_task_id === 'string' ? { task_id: original_task_id } : {}),
    ...(isObject(generation) ? { answer: generation.answer } : {}),
  };
}

/** What a record says of how it was asked; undefined for any other row. */
function statedKey({ key }: JsonObject): StatedKey | undefined {
  if (!isObject(key)) return undefined;
  const { protocol_sha256, prompt_sha256, decoding } = key;
  return typeof protocol_sha256 === 'string' && typeof prompt_sha256 === 'string' && isObject(decoding)
    ? { protocol_sha256, prompt_sha256, decoding }
    : undefined;
}

/** The answer's text: the first text key with a string or with a nested answer, else a released record's generation. */
function answerText(row: JsonObject): string | undefined {
  for (const key of TEXT_KEYS) {
    const value = row[key];
    if (typeof value === 'string') return value;
    const nested = isObject(value) ? nestedText(value) : undefined;
    if (nested !== undefined) return nested;
  }
  return nestedText(row);
}

/** An id has to stand in tables and documents, so one that UTF-8 cannot write is refused; an answer's text is data. */
function idField(row: JsonObject, place: AnswerPlace, ...keys: readonly string[]): string {
  for (const key of keys) {
    const value = row[key];
    if (typeof value !== 'string' || value === '') continue;
    if (isWellFormed(value)) return value;
    fail(
      'SCHEMA_INVALID',
      whereOf(place),
      `${key}: an id expected, found half of a surrogate pair in ${shown(value)}`,
      'Write the id without it.',
    );
  }
  return '';
}

/** Where an answer stands. */
export interface AnswerPlace {
  readonly file: string;
  /** 1-based. */
  readonly line?: number;
  /** 1-based place in the list of a document, several of whose items may share a line. */
  readonly item?: number;
}

/** Gives the place of an answer in the form that errors have. */
export function whereOf({ file, line, item }: AnswerPlace): ErrorPlace {
  return { file, line, row: item };
}

/** Writes a place as messages say it: `answers.json, line 3, row 2`. */
export function placed(place: AnswerPlace): string {
  return placeText(whereOf(place));
}

/**
 * Reads one answer row of any accepted form (collection 2.2), a line of a release's observations among them. A row without a
 * task is an error; a row whose answer cannot be read is an answer with a defect. Errors: SCHEMA_INVALID.
 */
export function readAnswer(line: unknown, place: AnswerPlace): Answer {
  if (!isObject(line)) {
    fail(
      'SCHEMA_INVALID',
      whereOf(place),
      `an object expected, found ${shown(line)}`,
      'Each answer is a JSON object with task_id and a text.',
    );
  }
  const value = recordFields(bareRow(line));
  const task = idField(value, place, 'task_id');
  if (task === '') {
    fail(
      'SCHEMA_INVALID',
      { ...whereOf(place), path: 'task_id' },
      `a non-empty text expected, found ${shown(value.task_id)}`,
      'Every answer names its task.',
    );
  }
  const text = answerText(value) ?? null;
  const key = statedKey(value);
  return {
    model: idField(value, place, 'model_id', 'model'),
    task,
    panel: idField(value, place, 'panel'),
    text,
    selection: text === null && typeof value.selection === 'string' ? value.selection : null,
    failed: saysFailed(value.status),
    defect: text === null || isWellFormed(text) ? null : 'the answer holds a lone surrogate',
    ...(key === undefined ? {} : { key }),
  };
}

/** Reads the code of a portfolio given outright, as `ACF`, `a, c, f` or in another order. */
export function selectionCode(selection: string): AnswerCode {
  const direct = PORTFOLIO_INDEX.get(selection);
  if (direct !== undefined) return direct;
  const labels = selection.toUpperCase().replace(/[\s,]/g, '');
  if (labels.length !== 3) return WRONG_COUNT;
  if (!/^[A-H]{3}$/.test(labels)) return UNKNOWN_LABEL;
  return PORTFOLIO_INDEX.get([...labels].sort().join('')) ?? DUPLICATE_LABEL;
}

/** Gives the choices of a task whose answers are texts. Errors: SCHEMA_INVALID where the task file gives none. */
export function taskChoices(task: Task): ChoiceIndex {
  if (task.choices.length > 0) return choiceIndex(task.choices);
  fail(
    'SCHEMA_INVALID',
    null,
    `task ${task.id} has no choices; without them answers given as text cannot be read`,
    'Give the task file that holds choices, or answers with a `selection`.',
  );
}

const prompts = new WeakMap<object, string>();

/**
 * Refuses an answer to another wording of a task than the task files have, where its row and they say which: its labels may stand otherwise.
 * Errors: DIGEST_MISMATCH (exit 4).
 */
export function assertSamePrompt(
  key: StatedKey | undefined,
  task: Pick<Task, 'id' | 'prompt'>,
  place: AnswerPlace,
): void {
  if (key === undefined || task.prompt === '') return;
  const own = prompts.get(task) ?? sha256(task.prompt);
  prompts.set(task, own);
  if (key.prompt_sha256 === own) return;
  fail(
    'DIGEST_MISMATCH',
    { ...whereOf(place), path: 'key.prompt_sha256' },
    `the answer is to another prompt than the task files give for ${task.id}`,
    'Give the task files that the collection was planned on.',
    { exit: 4 },
  );
}

/** Reads an answer to a task: an action, or the reason there is none; and whether reasoning was passed over. */
export function answerReading(answer: Answer, task: Task, parser: SetParser): ReadText {
  const without = (code: AnswerCode): ReadText => ({ code, reasoned: false });
  if (answer.failed) return without(FAILED_STATUS);
  if (answer.defect !== null) return without(NOT_TEXT);
  if (answer.text !== null) return readText(answer.text, taskChoices(task), parser);
  return without(answer.selection === null ? NOT_TEXT : selectionCode(answer.selection));
}

/** Tells what an answer to a task amounts to: the code of `answerReading`. */
export function answerCode(answer: Answer, task: Task, parser: SetParser): AnswerCode {
  return answerReading(answer, task, parser).code;
}
