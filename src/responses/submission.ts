import { canonicalJson } from '../io/canonical.js';
import type { PyValue } from '../io/pyjson.js';
import type { Task } from '../tasks/task.js';
import { fail, shown } from '../util/error.js';
import { answerReading, assertSamePrompt, placed, type StatedKey, whereOf } from './answer.js';
import type { PlacedAnswer } from './answer-rows.js';
import { type AnswerCode, type Outcome, outcomeOf } from './outcome.js';
import { DEFAULT_PARSER, type SetParser } from './parser.js';

interface SubmissionOptions {
  readonly answers: Iterable<PlacedAnswer>;
  /** The tasks that are scored, in report order. */
  readonly tasks: readonly Task[];
  /** Every task the task files hold: an answer to one of these that is not scored is left aside, any other is an error. */
  readonly known: ReadonlyMap<string, Task>;
  /** v4 unless given. */
  readonly parser?: SetParser;
}

/** A task without a readable answer, and why. */
export interface Unanswered {
  readonly task: string;
  readonly reason: 'missing' | Outcome;
  readonly file?: string;
  readonly line?: number;
  /** 1-based row of a table, or place in a list. */
  readonly row?: number;
  /** What is wrong with the row itself, where something is. */
  readonly defect?: string;
}

/** How a row says that it was asked, but for its prompt, which is that of its task. */
export type StatedAsking = Omit<StatedKey, 'prompt_sha256'>;

const askedOf = ({ protocol_sha256, decoding }: StatedKey): StatedAsking => ({ protocol_sha256, decoding });

/** One model's answers to a list of tasks. */
export interface Submission {
  /** Per task: an answer code, or null where no row answers it. */
  readonly codes: readonly (AnswerCode | null)[];
  readonly parser: SetParser;
  /** Scored answers in which reasoning was passed over. */
  readonly reasoned: number;
  /** Each way in which rows say that they were asked, sorted; empty where none says it. */
  readonly asked: readonly StatedAsking[];
  /** Rows that answer a scored task. */
  readonly submitted: number;
  /** Rows that answer a known task outside the scored ones. */
  readonly aside: number;
  /** Tasks without a readable answer, in task order. */
  readonly unanswered: readonly Unanswered[];
  /** Every row as written, sorted by task id: what the response digest covers. */
  readonly rows: readonly PyValue[];
}

/**
 * Matches one model's answers to tasks (collection 2.4).
 * Errors: TASK_UNKNOWN for an id no task file holds, CELL_DUPLICATE for a second answer to a task, those of `assertSamePrompt`.
 */
export function gatherSubmission({ answers, tasks, known, parser = DEFAULT_PARSER }: SubmissionOptions): Submission {
  const places = new Map(tasks.map((task, i) => [task.id, i]));
  const codes: (AnswerCode | null)[] = tasks.map(() => null);
  const found: (PlacedAnswer | undefined)[] = tasks.map(() => undefined);
  const rows: { id: string; row: PyValue }[] = [];
  const firsts = new Map<string, PlacedAnswer>();
  const asked = new Map<string, StatedAsking>();
  let aside = 0;
  let withReasoning = 0;
  for (const item of answers) {
    const { task: id } = item.answer;
    const task = known.get(id);
    if (task === undefined) {
      fail(
        'TASK_UNKNOWN',
        whereOf(item),
        `task ${shown(id)} is in no task file`,
        'Check the id, and give every task file with --tasks.',
      );
    }
    const before = firsts.get(id);
    if (before !== undefined) {
      fail(
        'CELL_DUPLICATE',
        whereOf(item),
        `a second answer to task ${shown(id)}; the first in ${placed(before)}`,
        'Keep one answer a task; a benchmark does not choose between two.',
      );
    }
    firsts.set(id, item);
    rows.push({ id, row: item.row() });
    const place = places.get(id);
    if (place === undefined) aside += 1;
    else {
      const { key } = item.answer;
      assertSamePrompt(key, task, item);
      if (key !== undefined) asked.set(canonicalJson(askedOf(key)), askedOf(key));
      const { code, reasoned } = answerReading(item.answer, task, parser);
      codes[place] = code;
      if (reasoned) withReasoning += 1;
      found[place] = item;
    }
  }
  rows.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const unanswered: Unanswered[] = [];
  tasks.forEach((task, i) => {
    const code = codes[i];
    if (code === null || code === undefined) unanswered.push({ task: task.id, reason: 'missing' });
    else if (code < 0) {
      const { answer } = found[i]!;
      const defect = answer.defect === null ? {} : { defect: answer.defect };
      unanswered.push({ task: task.id, reason: outcomeOf(code), ...whereOf(found[i]!), ...defect });
    }
  });
  return {
    codes,
    parser,
    reasoned: withReasoning,
    asked: [...asked.keys()].sort().map((text) => asked.get(text)!),
    submitted: rows.length - aside,
    aside,
    unanswered,
    rows: rows.map(({ row }) => row),
  };
}
