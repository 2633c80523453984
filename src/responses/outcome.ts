import { PORTFOLIOS } from '../tasks/task.js';

/** What became of an answer. Only `ok` has a score; the rest are failures to answer, not wrong answers. */
export const OUTCOMES = [
  'ok',
  'no_marker',
  'empty_selection',
  'wrong_count',
  'unknown_label',
  'duplicate_label',
  'contradictory',
  'not_text',
  'failed_status',
  'too_long',
  'open_reasoning',
] as const;

export type Outcome = (typeof OUTCOMES)[number];

/**
 * An answer as one number: an action number 0..55, or minus the place of its outcome in OUTCOMES. Hot loops pass these
 * around so that no object is made for a row.
 */
export type AnswerCode = number;

export const NO_MARKER: AnswerCode = -1;
export const EMPTY_SELECTION: AnswerCode = -2;
export const WRONG_COUNT: AnswerCode = -3;
export const UNKNOWN_LABEL: AnswerCode = -4;
export const DUPLICATE_LABEL: AnswerCode = -5;
export const CONTRADICTORY: AnswerCode = -6;
export const NOT_TEXT: AnswerCode = -7;
export const FAILED_STATUS: AnswerCode = -8;
export const TOO_LONG: AnswerCode = -9;
/** Parser v4 alone. */
export const OPEN_REASONING: AnswerCode = -10;

/** A read answer: its outcome, and for `ok` the action number and its key. */
export interface Selection {
  readonly outcome: Outcome;
  /** 0..55; -1 unless the outcome is `ok`. */
  readonly action: number;
  /** Three labels in order, for example `ACF`; null unless the outcome is `ok`. */
  readonly key: string | null;
}

/** Names the outcome of an answer code. */
export function outcomeOf(code: AnswerCode): Outcome {
  return code >= 0 ? 'ok' : OUTCOMES[-code]!;
}

/** Spells an answer code out as the selection it stands for. */
export function selectionOf(code: AnswerCode): Selection {
  return code >= 0
    ? { outcome: 'ok', action: code, key: PORTFOLIOS[code]! }
    : { outcome: outcomeOf(code), action: -1, key: null };
}

/** Action number of three label numbers 0..7 in any order, at [a * 64 + b * 8 + c]; 255 where two are equal. */
const ACTIONS: Uint8Array = (() => {
  const table = new Uint8Array(512).fill(255);
  PORTFOLIOS.forEach((key, action) => {
    const [x, y, z] = [...key].map((label) => label.charCodeAt(0) - 65) as [number, number, number];
    for (const [a, b, c] of [
      [x, y, z],
      [x, z, y],
      [y, x, z],
      [y, z, x],
      [z, x, y],
      [z, y, x],
    ] as const) {
      table[a * 64 + b * 8 + c] = action;
    }
  });
  return table;
})();

/** Gives the code of three label numbers 0..7: an action, or DUPLICATE_LABEL. */
export function actionCode(a: number, b: number, c: number): AnswerCode {
  const action = ACTIONS[a * 64 + b * 8 + c]!;
  return action === 255 ? DUPLICATE_LABEL : action;
}
