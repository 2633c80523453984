import { DEFAULT_PLAN, type IntervalKind, type Multiplicity, type TestKind } from '../inference/plan.js';
import { shellWord } from '../util/text.js';

/** What a reader can choose otherwise than the page's own analysis; undefined is the choice that the data make. */
export interface Choices {
  readonly draws: number;
  readonly flips: number;
  readonly seed: bigint;
  readonly alpha: number;
  readonly test?: TestKind;
  readonly multiplicity?: Multiplicity;
  readonly interval?: IntervalKind;
  readonly margin?: number;
  /** Models left out. */
  readonly without: readonly string[];
}

/** The analysis that a page opens with: that of `rank-audit`. */
export const OWN_CHOICES: Choices = {
  draws: DEFAULT_PLAN.draws,
  flips: DEFAULT_PLAN.flips,
  seed: DEFAULT_PLAN.seed,
  alpha: DEFAULT_PLAN.alpha,
  without: [],
};

/** Options of the command line that make the same choices; empty for those that a page opens with. */
export function choiceOptions(choices: Choices): string[] {
  const words: string[] = [];
  for (const name of ['draws', 'flips', 'seed', 'alpha', 'test', 'multiplicity', 'interval', 'margin'] as const) {
    const value = choices[name];
    if (value !== undefined && value !== OWN_CHOICES[name]) words.push(`--${name}`, String(value));
  }
  for (const model of choices.without) words.push('--without', shellWord(model));
  return words;
}

/** The command that gives the digits of some choices. */
export function commandFor(command: string, choices: Choices): string {
  return [command, ...choiceOptions(choices)].join(' ');
}
