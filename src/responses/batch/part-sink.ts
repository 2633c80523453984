import type { Task } from '../../tasks/task.js';
import { fail, failure, shown } from '../../util/error.js';
import { type AnswerPlace, taskChoices, whereOf } from '../answer.js';
import { openAnswerKernel } from '../answer-kernel.js';
import type { ChoiceIndex } from '../choices.js';
import type { ParserVersion, SetParser } from '../parser.js';
import type { AnswerSink } from '../rescore.js';
import { type TallyCounts, tallyOf } from '../tally.js';
import { type BadRow, badRow } from './bad-row.js';
import { type NearCount, nearMisses } from './near-misses.js';
import { type Change, type ChangeCount, comparison } from './parser-changes.js';
import { type RowColumns, rowColumns } from './row-columns.js';

/** How the rows of a batch are scored; all of it, with the kernels, decides what comes out. */
export interface ScoringPlan {
  readonly parser: SetParser;
  /** Counts rows of tasks that are in no task file and says no more of them. */
  readonly ignoreUnknown: boolean;
  /** Ends at the first bad row; else bad rows are kept with their place and reason. */
  readonly strict: boolean;
  /** Parsers that are compared, each with the one before it. */
  readonly compare: readonly ParserVersion[];
  /** Looks for near misses among unreadable answers. */
  readonly near: boolean;
}

/** What a part of a batch came to, as plain data that adds up. */
export interface PartCounts {
  /** Rows that were scored. */
  readonly rows: number;
  /** Rows of known tasks that are not scored. */
  readonly aside: number;
  /** Rows of unknown tasks that are ignored. */
  readonly unknownTasks: number;
  /** Bad rows by their code. */
  readonly bad: Readonly<Record<string, number>>;
  readonly tally: TallyCounts;
  readonly changes: readonly ChangeCount[];
  readonly nearMisses: readonly NearCount[];
}

/** What a part came to, and its rows. */
export interface PartRows {
  readonly counts: PartCounts;
  readonly rows: RowColumns;
  /** Names of the model numbers in `rows`. */
  readonly models: readonly string[];
  readonly bad: readonly BadRow[];
  readonly changes: readonly Change[];
}

/** Bad rows of one part that are kept: a part of 16 MiB with more of them has lines shorter than an answer. */
const MOST_BAD = 2 ** 18;

interface PartSinkOptions {
  readonly tasks: readonly Task[];
  /** Ids of other tasks that may be answered; such rows are counted and left aside. */
  readonly known: ReadonlySet<string>;
  readonly plan: ScoringPlan;
  /** Keeps the rows, not their counts alone. */
  readonly keepRows: boolean;
}

export interface PartSink extends AnswerSink {
  /** What came in since the last call; its rows are valid until the next one comes. */
  take(): PartRows;
}

/** Opens what takes the rows of parts, one part after another. Errors: those of its kernel; BOUND_EXCEEDED past 262,144 bad rows of a part. */
export function partSink({ tasks, known, plan, keepRows }: PartSinkOptions): PartSink {
  const { parser, ignoreUnknown, strict, compare, near } = plan;
  const tally = tallyOf(tasks);
  const kernel = openAnswerKernel(tasks, parser);
  const places = new Map(tasks.map((task, i) => [task.id, i]));
  const choices: (ChoiceIndex | undefined)[] = [];
  const choicesOf = (task: number) => (choices[task] ??= taskChoices(tasks[task]!));
  const kept = rowColumns();
  const compared = comparison(compare);
  const missed = nearMisses();
  const curious = compare.length > 1;
  let counts = { rows: 0, aside: 0, unknownTasks: 0 };
  let bad: BadRow[] = [];
  const takeBad: PartSink['bad'] = (error, place) => {
    if (bad.length === MOST_BAD)
      fail(
        'BOUND_EXCEEDED',
        whereOf(place),
        `more than ${MOST_BAD} rows near this one are no answers; this one: ${badRow(error, place).reason}`,
        'Give files of answers and the task files that they answer; --ignore-unknown counts rows of other tasks.',
      );
    bad.push(badRow(error, place));
  };
  return {
    tasks,
    kernel,
    parser,
    task: (id) => places.get(id) ?? -1,
    choices: choicesOf,
    add(model, task, code, reasoned, place) {
      counts.rows += 1;
      tally.add(model, task, code, reasoned);
      if (keepRows) kept.add(model, task, code, place.line ?? 0, place.item ?? 0);
    },
    unknown(task, place) {
      if (known.has(task)) counts.aside += 1;
      else if (ignoreUnknown) counts.unknownTasks += 1;
      else unknownTask(task, place, strict ? undefined : takeBad);
    },
    ...(strict ? {} : { bad: takeBad }),
    ...(near || curious
      ? {
          curious,
          look(model: number, task: number, code: number, text: string, place: AnswerPlace) {
            const [name, id] = [kernel.models[model]!, tasks[task]!.id];
            if (near && code < 0) missed.look(text, code, choicesOf(task), name, id, place);
            if (curious) compared.look(text, choicesOf(task), name, id, place);
          },
        }
      : {}),
    take() {
      const { changes, counts: changed } = compared.take();
      const codes: Record<string, number> = {};
      for (const { code } of bad) codes[code] = (codes[code] ?? 0) + 1;
      const taken: PartRows = {
        counts: {
          ...counts,
          bad: codes,
          tally: tally.take(kernel.models),
          changes: changed,
          nearMisses: missed.take(),
        },
        rows: kept.take(),
        models: kernel.models,
        bad,
        changes,
      };
      counts = { rows: 0, aside: 0, unknownTasks: 0 };
      bad = [];
      return taken;
    },
  };
}

/** Records the row of a task that is in no task file, or fails on it. Errors: TASK_UNKNOWN. */
function unknownTask(task: string, place: AnswerPlace, take: PartSink['bad']): void {
  const what = `task ${shown(task)} is in no task file`;
  const hint = 'Give every task file with --tasks, or count such rows with --ignore-unknown.';
  if (take === undefined) fail('TASK_UNKNOWN', whereOf(place), what, hint);
  take(failure('TASK_UNKNOWN', whereOf(place), what, hint), place);
}
