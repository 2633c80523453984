import { isUtf8, utf8Text } from '#platform';
import { yieldToEvents } from '../engine/signals.js';
import { mayBeBlank, pastBlankLines } from '../io/blank-lines.js';
import { invalidUtf8, type LineBlock, utf8Slice } from '../io/utf8.js';
import type { Task } from '../tasks/task.js';
import { FlavourError, fail, shown } from '../util/error.js';
import {
  type Answer,
  type AnswerPlace,
  answerReading,
  type StatedKey,
  selectionCode,
  taskChoices,
  whereOf,
} from './answer.js';
import {
  type AnswerKernel,
  CODE,
  ESCAPED,
  KIND,
  KIND_FAILED,
  KIND_FULL,
  KIND_SELECTION,
  KIND_TEXT,
  LINE_END,
  MODEL,
  MODEL_END,
  MODEL_START,
  openAnswerKernel,
  PANEL_END,
  PANEL_START,
  ROW_FIELDS,
  TASK,
  TASK_END,
  TASK_START,
  TEXT_END,
  TEXT_START,
  UNSURE,
} from './answer-kernel.js';
import { lineAnswer } from './answer-rows.js';
import type { ChoiceIndex } from './choices.js';
import { type AnswerCode, actionCode, FAILED_STATUS, NOT_TEXT } from './outcome.js';
import { DEFAULT_PARSER, readText, type SetParser } from './parser.js';
import { type ModelTally, modelTallies, tallyOf } from './tally.js';

interface RescoreOptions {
  /** Tasks whose answers are scored. */
  readonly tasks: readonly Task[];
  /** Other tasks that may be answered; such rows are counted and left aside. */
  readonly known?: ReadonlyMap<string, Task>;
  /** Counts rows of tasks that are in no task file instead of failing on the first. */
  readonly ignoreUnknown?: boolean;
  /** Parser of the answers; v4 unless given. */
  readonly parser?: SetParser;
  /** Called for every scored row, in file order. */
  readonly onRow?: (model: number, task: number, code: AnswerCode) => void;
}

/** What readers of files feed with the answers that they find. */
export interface AnswerSink {
  readonly tasks: readonly Task[];
  readonly kernel: AnswerKernel;
  /** Parser of the answers. */
  readonly parser: SetParser;
  /** Number of a task, or -1. */
  task(id: string): number;
  /** Choices of a task, read once. Errors: SCHEMA_INVALID where the task has none. */
  choices(task: number): ChoiceIndex;
  /** Tells whether an answer is wanted, before it is read; absent: every one is. The panel is empty where the row names none. */
  admits?(model: number, task: number, panel: string, place: AnswerPlace): boolean;
  /** Hears how an answer that is wanted says that it was asked; absent: nobody does. */
  said?(model: number, task: number, key: StatedKey, place: AnswerPlace): void;
  /** Takes an answer; `reasoned` where reasoning in it was passed over. The place holds until the call ends. */
  add(model: number, task: number, code: AnswerCode, reasoned: boolean, place: AnswerPlace): void;
  /** Looks at the text of an answer, before it is taken; absent: none is looked at. Readable ones are shown only to one that is `curious`. */
  readonly look?: (model: number, task: number, code: AnswerCode, text: string, place: AnswerPlace) => void;
  readonly curious?: boolean;
  /** Takes a row that is no answer, with what is wrong; absent: the first one ends the work. */
  bad?(error: FlavourError, place: AnswerPlace): void;
  /** Counts a row of a task that is not scored, or fails on it. Errors: TASK_UNKNOWN. */
  unknown(task: string, place: AnswerPlace): void;
}

/** A scorer of any number of rows: feed it files, then ask for the results. */
export interface Rescorer extends AnswerSink {
  results(): RescoreResults;
}

export interface RescoreResults {
  readonly rows: number;
  /** Rows of known tasks that are not scored. */
  readonly aside: number;
  readonly unknownTasks: number;
  readonly models: readonly ModelTally[];
}

/** Opens a scorer for a list of tasks; `add` and the readers of files feed it. Errors: those of its kernel. */
export function rescorer(options: RescoreOptions): Rescorer {
  const { tasks, known, ignoreUnknown = false, parser = DEFAULT_PARSER, onRow } = options;
  const tally = tallyOf(tasks);
  const kernel = openAnswerKernel(tasks, parser);
  const places = new Map(tasks.map((task, i) => [task.id, i]));
  const choices: (ChoiceIndex | undefined)[] = [];
  let rows = 0;
  let unknownTasks = 0;
  let aside = 0;
  return {
    tasks,
    kernel,
    parser,
    task: (id) => places.get(id) ?? -1,
    choices: (task) => (choices[task] ??= taskChoices(tasks[task]!)),
    add(model, task, code, reasoned) {
      rows += 1;
      tally.add(model, task, code, reasoned);
      onRow?.(model, task, code);
    },
    unknown(task, place) {
      if (known?.has(task)) {
        aside += 1;
        return;
      }
      if (!ignoreUnknown) {
        fail(
          'TASK_UNKNOWN',
          whereOf(place),
          `task ${shown(task)} is in no task file`,
          'Give every task file with --tasks, or count such rows with --ignore-unknown.',
        );
      }
      unknownTasks += 1;
    },
    results: () => ({ rows, aside, unknownTasks, models: modelTallies(tally.take(kernel.models)) }),
  };
}

/**
 * Scores whole lines of answers, one JSON row a line, as blocks of the file that `path` names in errors, at the speed of its bytes: rows of the usual shape are scanned, all others
 * are read in full. Repeated answers to a cell all count. Memory does not grow with the file.
 * Errors: those of reading lines and rows, TASK_UNKNOWN.
 */
export async function rescoreBlocks(blocks: Iterable<LineBlock>, path: string, scorer: AnswerSink): Promise<void> {
  for (const { bytes, start, end, firstLine } of blocks) {
    await yieldToEvents();
    let line = firstLine;
    if (!isUtf8(bytes.subarray(start, end))) {
      for (let at = start; at < end; line += 1) {
        if (mayBeBlank(bytes[at]!)) {
          const passed = pastBlankLines(bytes, at, end);
          at = passed.at;
          line += passed.lines;
          if (at === end) break;
        }
        const feed = bytes.indexOf(10, at);
        const stop = feed < 0 || feed > end ? end : feed;
        const text = utf8Slice(bytes, at, stop);
        const broken = text === undefined ? invalidUtf8(path, line, bytes.subarray(at, stop)) : undefined;
        if (broken && scorer.bad) scorer.bad(broken, { file: path, line });
        else if (broken) throw broken;
        else fullRow(scorer, path, line, text!);
        at = stop + 1;
      }
      continue;
    }
    const reader = scannedRows(scorer, path, bytes);
    scorer.kernel.scan(bytes, start, end, ({ rows, count, base, from, passed }) => {
      line += passed;
      let lineStart = from;
      for (let n = 0; n < count; n += 1, line += 1) {
        const row = n * ROW_FIELDS;
        const lineEnd = rows[row + LINE_END]! - base;
        if (rows[row + KIND] === KIND_FULL) {
          fullRow(scorer, path, line, utf8Text(bytes, lineStart, lineEnd));
        } else reader(rows, row, base, line);
        lineStart = lineEnd + 1;
      }
    });
  }
}

function fullRow(scorer: AnswerSink, path: string, line: number, text: string): void {
  const place = { file: path, line };
  orBad(scorer, place, () => scoreRow(scorer, place, lineAnswer(path, line, text).answer));
}

/** Reads a row; what is wrong with it itself goes to a sink that takes bad rows. */
export function orBad(scorer: AnswerSink, place: AnswerPlace, read: () => void): void {
  if (scorer.bad === undefined) {
    read();
    return;
  }
  try {
    read();
  } catch (error) {
    if (!(error instanceof FlavourError) || error.where?.file !== place.file) throw error;
    scorer.bad(error, place);
  }
}

/** Adds one answer read in full. Errors: TASK_UNKNOWN. */
export function scoreRow(scorer: AnswerSink, place: AnswerPlace, answer: Answer): void {
  const task = scorer.task(answer.task);
  if (task < 0) scorer.unknown(answer.task, place);
  else {
    const model = scorer.kernel.model(answer.model, place);
    if (scorer.admits && !scorer.admits(model, task, answer.panel, place)) return;
    if (scorer.said && answer.key !== undefined) scorer.said(model, task, answer.key, place);
    const { code, reasoned } = answerReading(answer, scorer.tasks[task]!, scorer.parser);
    if (scorer.look && answer.text !== null && !answer.failed && answer.defect === null && (code < 0 || scorer.curious))
      scorer.look(model, task, code, answer.text, place);
    scorer.add(model, task, code, reasoned, place);
  }
}

/** Makes what reads texts of which most are the one before: those are compared, and not decoded. */
function repeatedText(bytes: Uint8Array): (start: number, end: number) => string {
  let text = '';
  let before = 0;
  let size = 0;
  return (start, end) => {
    let same = end - start === size;
    for (let k = 0; same && k < size; k += 1) same = bytes[start + k] === bytes[before + k];
    if (!same) text = utf8Text(bytes, start, end);
    before = start;
    size = end - start;
    return text;
  };
}

/**
 * Makes what adds a row of a line that was scanned: the row's first number stands at `row`, its places lie `base` before their bytes.
 * Nothing is made for a row: rows are many, and most are of the model and the panel of the row before.
 */
function scannedRows(scorer: AnswerSink, path: string, bytes: Uint8Array) {
  const place = { file: path, line: 0 };
  const panelOf = repeatedText(bytes);
  const modelOf = repeatedText(bytes);
  return (rows: Int32Array, row: number, base: number, line: number): void => {
    place.line = line;
    const task = rows[row + TASK]!;
    if (task < 0) {
      scorer.unknown(utf8Text(bytes, rows[row + TASK_START]! - base, rows[row + TASK_END]! - base), place);
      return;
    }
    let model = rows[row + MODEL]!;
    if (model < 0) {
      const named = rows[row + MODEL_START]!;
      model = scorer.kernel.model(named ? modelOf(named - base, rows[row + MODEL_END]! - base) : '', place);
    }
    if (scorer.admits) {
      const start = rows[row + PANEL_START]!;
      const named = start === 0 ? '' : panelOf(start - base, rows[row + PANEL_END]! - base);
      if (!scorer.admits(model, task, named, place)) return;
    }
    const from = rows[row + TEXT_START]! - base;
    const to = rows[row + TEXT_END]! - base;
    const kind = rows[row + KIND];
    let code: AnswerCode = NOT_TEXT;
    let reasoned = false;
    if (kind === KIND_TEXT) {
      code = rows[row + CODE]!;
      const choices = scorer.choices(task);
      if (code < 0 || scorer.curious) {
        if (code === UNSURE || scorer.look) {
          const text =
            rows[row + ESCAPED] === 1
              ? (JSON.parse(utf8Text(bytes, from - 1, to + 1)) as string)
              : utf8Text(bytes, from, to);
          if (code === UNSURE) ({ code, reasoned } = readText(text, choices, scorer.parser));
          if (scorer.look && (code < 0 || scorer.curious)) scorer.look(model, task, code, text, place);
        }
      }
    } else if (kind === KIND_SELECTION) code = selectionAt(bytes, from, to);
    else if (kind === KIND_FAILED) code = FAILED_STATUS;
    scorer.add(model, task, code, reasoned, place);
  };
}

/** Reads the code of a portfolio given outright, in the bytes of a line. */
function selectionAt(bytes: Uint8Array, from: number, to: number): AnswerCode {
  const a = bytes[from]! - 65;
  const b = bytes[from + 1]! - 65;
  const c = bytes[from + 2]! - 65;
  if (to - from === 3 && ((a | b | c) & ~7) === 0) return actionCode(a, b, c);
  return selectionCode(utf8Text(bytes, from, to));
}
