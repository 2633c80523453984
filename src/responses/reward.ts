import { isObject } from '../io/json.js';
import { PORTFOLIOS, type Task } from '../tasks/task.js';
import { BEST_BPS } from '../tasks/task-row.js';
import { fail, shown } from '../util/error.js';
import { taskChoices } from './answer.js';
import { type Completion, completionText } from './chat-completion.js';
import { type ChoiceIndex, choiceIndex } from './choices.js';
import { type Selection, selectionOf } from './outcome.js';
import { assertParser, DEFAULT_PARSER, parseAnswer, readText, type SetParser } from './parser.js';

/** An answer's worth: 0 to 10000 basis points, 0 for whatever cannot be read. */
export interface Scored extends Selection {
  /** Reasoning in the text was passed over. */
  readonly reasoned: boolean;
  readonly scoreBps: number;
  /** scoreBps / 10000. */
  readonly reward: number;
}

/** Scores one text as an answer to a task. Errors: SCHEMA_INVALID where the task has no choices. */
export function scoreAnswer(task: Task, text: string, parser: SetParser = DEFAULT_PARSER): Scored {
  const { code, reasoned } = readText(text, taskChoices(task), parser);
  const scoreBps = code < 0 ? 0 : task.scores[code]!;
  return { ...selectionOf(code), reasoned, scoreBps, reward: scoreBps / BEST_BPS };
}

/** Gives the reward of a text as an answer to a task, 0 to 1; a text that cannot be read earns 0. */
export function reward(task: Task, text: string, parser?: SetParser): number {
  return scoreAnswer(task, text, parser).reward;
}

export type ScoreMap = Readonly<Record<string, number>>;
export type ChoiceMap = Readonly<Record<string, string>> | readonly string[];

/** Refuses a column that is no list, as one that was read as JSON text, and one of another length. Errors: USAGE. */
function assertColumn(name: string, column: unknown, expected?: number): void {
  const one = 'Give one map and one list of choices for each completion.';
  if (!Array.isArray(column)) {
    const hint = typeof column === 'string' ? 'It is text: parse it as JSON first, or put it in a list.' : one;
    fail('USAGE', { path: name }, `a list expected, found ${shown(column)}`, hint);
  }
  const found = column.length;
  if (expected !== undefined && found !== expected)
    fail('USAGE', null, `${name} has ${found} entries, completions has ${expected}`, one);
}

/** Refuses columns of a batch that are no lists, are not of one length or hold no maps, and an unknown parser. Errors: USAGE, SCHEMA_INVALID. */
export function assertBatch(
  completions: unknown,
  selectionScoresBps: unknown,
  choices: unknown,
  parser: unknown,
): void {
  assertColumn('completions', completions);
  const { length } = completions as readonly unknown[];
  assertColumn('selection_scores_bps', selectionScoresBps, length);
  assertColumn('choices', choices, length);
  assertParser(parser);
  assertMaps(selectionScoresBps as readonly unknown[], choices as readonly unknown[]);
}

/** Refuses maps and choices that are no objects: tables often hold them as JSON text. Errors: SCHEMA_INVALID at the first. */
function assertMaps(selectionScoresBps: readonly unknown[], choices: readonly unknown[]): void {
  const check = (name: string, values: readonly unknown[], isRight: (value: unknown) => boolean, wanted: string) => {
    const at = values.findIndex((value) => !isRight(value));
    if (at < 0) return;
    const text = typeof values[at] === 'string' ? 'It is text: parse it as JSON first.' : `Give ${wanted}.`;
    fail('SCHEMA_INVALID', { path: `${name}[${at}]` }, `${wanted} expected, found ${shown(values[at])}`, text);
  };
  check('selection_scores_bps', selectionScoresBps, isObject, 'a map of 56 scores');
  check('choices', choices, (value) => isObject(value) || Array.isArray(value), 'eight names, or an object A to H');
}

/**
 * Gives the rewards of a batch, with the call shape of a TRL reward function: completions (texts, or lists of chat messages of which the
 * last counts) with the score map and the choices of each. Rewards are 0 to 1; what cannot be read, null too, earns 0.
 * Errors: USAGE for columns that are no lists of one length, and for an unknown parser; SCHEMA_INVALID for a map that is none, or that lacks the score of a selection.
 */
export function trlReward(
  completions: readonly Completion[],
  selectionScoresBps: readonly ScoreMap[],
  choices: readonly ChoiceMap[],
  parser: SetParser = DEFAULT_PARSER,
): number[] {
  assertBatch(completions, selectionScoresBps, choices, parser);
  const { length } = completions;
  const rewards = new Array<number>(length).fill(0);
  let listed: ChoiceMap | undefined;
  let index: ChoiceIndex | undefined;
  for (let i = 0; i < length; i += 1) {
    const text = completionText(completions[i]!);
    // The completions of one prompt follow each other and mostly share its choices.
    if (choices[i] !== listed || index === undefined) {
      listed = choices[i]!;
      index = choiceIndex(listed);
    }
    const code = parseAnswer(text, index, parser);
    if (code < 0) continue;
    const key = PORTFOLIOS[code]!;
    const bps = selectionScoresBps[i]![key];
    if (!Number.isInteger(bps) || bps! < 0 || bps! > BEST_BPS) {
      fail(
        'SCHEMA_INVALID',
        { path: `selection_scores_bps[${i}].${key}` },
        `an integer from 0 to 10000 expected, found ${shown(bps)}`,
        'Give the whole map of 56 scores.',
      );
    }
    rewards[i] = bps! / BEST_BPS;
  }
  return rewards;
}
