import type { MissingRule } from '../core/gaps.js';
import {
  DEFAULT_PLAN,
  type InferencePlan,
  type IntervalKind,
  type Multiplicity,
  type TestKind,
} from '../inference/plan.js';
import type { FamilyWeights } from '../inference/strata.js';
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
  /** Tasks left out, and families with all their tasks. */
  readonly withoutTasks: readonly string[];
  readonly withoutFamilies: readonly string[];
  /** What families weigh; undefined: all alike. */
  readonly familyWeights?: FamilyWeights;
  /** What becomes of missing cells; undefined: no result where there are any. */
  readonly missing?: MissingRule;
}

/** The analysis that a page opens with: that of `rank-audit`. */
export const OWN_CHOICES: Choices = {
  draws: DEFAULT_PLAN.draws,
  flips: DEFAULT_PLAN.flips,
  seed: DEFAULT_PLAN.seed,
  alpha: DEFAULT_PLAN.alpha,
  without: [],
  withoutTasks: [],
  withoutFamilies: [],
};

/** The choices that a stated plan made. */
export function statedChoices(plan: InferencePlan): Choices {
  const { draws, flips, seed, alpha, test, multiplicity, interval, margin } = plan;
  const sizes = { draws, flips, seed, alpha, without: [], withoutTasks: [], withoutFamilies: [] };
  return { ...sizes, test, multiplicity, interval, ...(margin === null ? {} : { margin }) };
}

/** Options of the command line for the choices that differ from those that a page opened with. */
export function choiceOptions(choices: Choices, own: Choices = OWN_CHOICES): string[] {
  const words: string[] = [];
  for (const name of ['draws', 'flips', 'seed', 'alpha', 'test', 'multiplicity', 'interval', 'margin'] as const) {
    const value = choices[name];
    if (value !== undefined && value !== own[name]) words.push(`--${name}`, String(value));
  }
  if (choices.missing !== undefined && choices.missing !== own.missing) words.push('--missing', choices.missing);
  for (const model of choices.without) words.push('--without', shellWord(model));
  for (const task of choices.withoutTasks) words.push('--without-tasks', shellWord(task));
  for (const family of choices.withoutFamilies) words.push('--without-families', shellWord(family));
  for (const [family, weight] of Object.entries(choices.familyWeights ?? {}))
    words.push('--family-weights', shellWord(`${family}=${weight}`));
  return words;
}

/** Options that stand beside those that a command has already. */
const REPEATED = new Set(['--without', '--without-tasks', '--without-families', '--family-weights']);

/** The command that gives the digits of some choices: that of the page, in which they take the place of its own options. */
export function commandFor(command: readonly string[], choices: Choices, own: Choices = OWN_CHOICES): string {
  const options = choiceOptions(choices, own);
  const replaced = (word: string | undefined) => word !== undefined && options.includes(word) && !REPEATED.has(word);
  const kept = command.flatMap((word, k) => (replaced(command[k - 1]) || replaced(word) ? [] : [word]));
  return [...kept.map((word) => shellWord(word)), ...options].join(' ');
}
