import { isObject } from '../io/json.js';
import { FlavourError, fail, shown } from '../util/error.js';
import { counted, general } from '../util/format.js';
import type { StrataMode } from './strata.js';

export type Scheme = 'joint' | 'stratified';
export type Rng = 'philox' | 'numpy';

/** Every choice of an inference. Two equal plans over one matrix give equal results on every backend. */
export interface InferencePlan {
  /** Bootstrap draws. */
  readonly draws: number;
  /** Sign-flip draws. */
  readonly flips: number;
  /** Unsigned 64-bit. */
  readonly seed: bigint;
  /** `philox`: counter-based, the default. `numpy`: the published analysis' generator calls, batches and seeds. */
  readonly rng: Rng;
  readonly strata: StrataMode;
  readonly scheme: Scheme;
  /** Familywise error rate; intervals cover 1 - alpha. */
  readonly alpha: number;
}

/** The published analysis' sizes and seed, with our default generator and the paper's strata. */
export const DEFAULT_PLAN: InferencePlan = {
  draws: 50_000,
  flips: 100_000,
  seed: 20260820n,
  rng: 'philox',
  strata: 'panel-family',
  scheme: 'joint',
  alpha: 0.05,
};

const MAX_DRAWS = 2 ** 31;

function oneOf<T extends string>(name: string, value: T, allowed: readonly T[]): void {
  if (!allowed.includes(value))
    fail('USAGE', null, `${name} is ${shown(value)}`, `${name} is one of ${allowed.join(', ')}.`);
}

/** Fills in the defaults of a plan and checks it. Errors: USAGE where a choice is none, or two exclude each other. */
export function inferencePlan(options: Partial<InferencePlan> = {}): InferencePlan {
  const plan = { ...DEFAULT_PLAN, ...options };
  for (const name of ['draws', 'flips'] as const)
    if (!Number.isInteger(plan[name]) || plan[name] < 1 || plan[name] > MAX_DRAWS)
      fail('USAGE', null, `${name} is ${shown(plan[name])}`, `${name} is a whole number from 1 to 2^31.`);
  if (typeof plan.seed !== 'bigint' || plan.seed < 0n || plan.seed >= 1n << 64n)
    fail('USAGE', null, `the seed is ${shown(plan.seed)}`, 'A seed is an unsigned 64-bit integer.');
  if (!(plan.alpha > 0 && plan.alpha < 1))
    fail('USAGE', null, `alpha is ${shown(plan.alpha)}`, 'alpha lies between 0 and 1, 0.05 for 95 %.');
  oneOf('rng', plan.rng, ['philox', 'numpy']);
  oneOf('strata', plan.strata, ['panel-family', 'family']);
  oneOf('scheme', plan.scheme, ['joint', 'stratified']);
  if (plan.rng === 'numpy' && plan.scheme === 'stratified')
    fail(
      'USAGE',
      null,
      'rng numpy replays published procedures only, and none of them is scheme stratified',
      'Use rng philox for a stratified bootstrap.',
    );
  return plan;
}

/** A plan as documents state it. */
export interface StatedInferencePlan extends Omit<InferencePlan, 'seed'> {
  readonly seed: string;
}

/** Gives a plan the form that documents state: the seed as text, since no double holds 64 bits. */
export function statedInferencePlan(plan: InferencePlan): StatedInferencePlan {
  return { ...plan, seed: plan.seed.toString() };
}

/** Reads the plan that a document states; keys that a plan has not are left out. Errors: SCHEMA_INVALID with the field. */
export function readStatedPlan(value: unknown, file: string): InferencePlan {
  const misstated = (path: string, expected: string, found: unknown) =>
    fail(
      'SCHEMA_INVALID',
      { file, path },
      `${expected} expected, found ${shown(found)}`,
      'Give the document as it was written.',
    );
  if (!isObject(value)) return misstated('plan', 'an object', value);
  const { seed } = value;
  if (typeof seed !== 'string' || !/^\d{1,20}$/.test(seed))
    return misstated('plan.seed', 'an unsigned 64-bit integer in quotes', seed);
  const known = Object.entries(value).filter(([key]) => key in DEFAULT_PLAN);
  try {
    return inferencePlan({ ...Object.fromEntries(known), seed: BigInt(seed) });
  } catch (cause) {
    if (!(cause instanceof FlavourError)) throw cause;
    return fail('SCHEMA_INVALID', { file, path: 'plan' }, cause.message, cause.hint, { cause });
  }
}

/** Draws that should lie beyond each end of an interval before the end means anything. */
const BEYOND = 5;

export interface PlanWarningOptions {
  readonly plan: InferencePlan;
  readonly models: number;
  /** Pairs of models. */
  readonly pairs: number;
  /** Whether every model is compared with chance too. */
  readonly chance: boolean;
}

/** Lists what a plan of this size cannot show, whatever the data: interval ends from a handful of draws, a Holm p below alpha. */
export function planWarnings({ plan, models, pairs, chance }: PlanWarningOptions): string[] {
  const { draws, flips, alpha } = plan;
  const warnings: string[] = [];
  if ((draws * alpha) / 2 < BEYOND)
    warnings.push(
      `${counted(draws, 'bootstrap draw')}: fewer than ${BEYOND} lie beyond each end of an interval, so intervals and rank intervals mean little; use at least ${Math.ceil((2 * BEYOND) / alpha)}`,
    );
  for (const [tests, what] of [
    [pairs, 'pair'],
    [chance ? models : 0, 'chance comparison'],
  ] as const)
    if (tests / (flips + 1) >= alpha)
      warnings.push(
        `${counted(flips, 'sign flip')}: the smallest Holm p of ${counted(tests, what)} is ${general(Math.min(1, tests / (flips + 1)), 3)}, not below ${alpha}, so none can be significant; use at least ${Math.ceil(tests / alpha)}`,
      );
  return warnings;
}
