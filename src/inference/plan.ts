import { z } from 'zod';
import { FlavourError, fail, shown } from '../util/error.js';
import { checked } from '../util/schema.js';
import type { FamilyWeights, StrataMode } from './strata.js';

export type Scheme = 'joint' | 'stratified';
export type Rng = 'philox' | 'numpy';
export type TestKind = 'sign-flip' | 'centred';
export type Multiplicity = 'holm' | 'max-t';
export type IntervalKind = 'percentile' | 'student' | 'bootstrap-t' | 'binomial';
export type RankSetKind = 'bootstrap' | 'flips' | 'none';

/** Sizes, streams and estimand of an inference: known before any data are. */
export interface PlanSizes {
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

/** How decisions, intervals and ranks are formed (decisions). What a call leaves open is chosen by the kind of data. */
export interface PlanChoices {
  /** Pairs are formed, and sums over models run, in order of model id, or of rows as in version 1 (decisions 1.5). */
  readonly order: 'model-id' | 'rows';
  /** Equal scores share a rank, or follow the order of rows as in version 1 (decisions 1.1). */
  readonly ranks: 'shared' | 'ordinal';
  /** Draws at random, or all multisets of clusters with their weights (decisions 5). */
  readonly bootstrap: 'drawn' | 'enumerated';
  readonly test: TestKind;
  /** An exact p decides where it is had, or is only reported as in version 1 (decisions 2.2). */
  readonly exact: 'decides' | 'reported';
  readonly multiplicity: Multiplicity;
  /** Why this multiplicity, in a few words. */
  readonly multiplicity_reason: string;
  /** The model that all others are compared with; null: every pair is compared (decisions 3.1). */
  readonly against: string | null;
  readonly interval: IntervalKind;
  readonly interval_reason: string;
  readonly rank_sets: RankSetKind;
  /** Half-width in points within which two models count as equal; null: not asked (decisions 3.3). */
  readonly margin: number | null;
  /** What happens where cells are missing (decisions 4.2). */
  readonly missing: 'withhold' | 'common-tasks' | 'bounds';
}

/** What a score is where a call chooses it otherwise; documents state it only then. */
export interface PlanEstimand {
  /** What families weigh (decisions 4.3); absent: all strata weigh the same. */
  readonly family_weights?: FamilyWeights;
}

/** Every choice of an inference. Two equal plans over one matrix give equal results on every backend. */
export interface InferencePlan extends PlanSizes, PlanChoices, PlanEstimand {}

/** A plan whose open choices are made once the data are known (`resolvePlan`). */
export interface OpenPlan extends PlanSizes, Partial<PlanChoices>, PlanEstimand {}

/** The published analysis' sizes and seed, with our default generator and the paper's strata. */
export const DEFAULT_PLAN: PlanSizes = {
  draws: 50_000,
  flips: 100_000,
  seed: 20260820n,
  rng: 'philox',
  strata: 'panel-family',
  scheme: 'joint',
  alpha: 0.05,
};

/** The choices of version 1 and of every replay: documents that name none were made by them (statistics). */
export const FROZEN_CHOICES: PlanChoices = {
  order: 'rows',
  ranks: 'ordinal',
  bootstrap: 'drawn',
  test: 'sign-flip',
  exact: 'reported',
  multiplicity: 'holm',
  multiplicity_reason: 'version 1',
  against: null,
  interval: 'percentile',
  interval_reason: 'version 1',
  rank_sets: 'none',
  margin: null,
  missing: 'withhold',
};

const CHOICES = Object.keys(FROZEN_CHOICES) as (keyof PlanChoices)[];

/** Tells whether a plan makes every choice as version 1 did, so that its documents have the form of version 1. */
export function isFrozen(plan: Partial<PlanChoices> & PlanEstimand): boolean {
  return plan.family_weights === undefined && CHOICES.every((name) => plan[name] === FROZEN_CHOICES[name]);
}

const ALLOWED = {
  rng: ['philox', 'numpy'],
  strata: ['panel-family', 'family'],
  scheme: ['joint', 'stratified'],
  order: ['model-id', 'rows'],
  ranks: ['shared', 'ordinal'],
  bootstrap: ['drawn', 'enumerated'],
  test: ['sign-flip', 'centred'],
  exact: ['decides', 'reported'],
  multiplicity: ['holm', 'max-t'],
  interval: ['percentile', 'student', 'bootstrap-t', 'binomial'],
  rank_sets: ['bootstrap', 'flips', 'none'],
  missing: ['withhold', 'common-tasks', 'bounds'],
} as const;

const MAX_DRAWS = 2 ** 31;

/** Nearer to 0 or 1 quantiles have no digits left, and no number of draws reaches them. */
const LEAST_ALPHA = 1e-9;

/** Errors: USAGE where a size is none, a name is unknown, or two choices exclude each other. */
function assertPlan(plan: OpenPlan): void {
  for (const name of ['draws', 'flips'] as const)
    if (!Number.isInteger(plan[name]) || plan[name] < 1 || plan[name] > MAX_DRAWS)
      fail('USAGE', null, `${name} is ${shown(plan[name])}`, `${name} is a whole number from 1 to 2^31.`);
  if (typeof plan.seed !== 'bigint' || plan.seed < 0n || plan.seed >= 1n << 64n)
    fail('USAGE', null, `the seed is ${shown(plan.seed)}`, 'A seed is an unsigned 64-bit integer.');
  if (!(plan.alpha >= LEAST_ALPHA && plan.alpha <= 1 - LEAST_ALPHA))
    fail(
      'USAGE',
      null,
      `alpha is ${shown(plan.alpha)}`,
      'alpha lies between 0 and 1, at least 1e-9 from both; 0.05 for 95 %.',
    );
  for (const [name, allowed] of Object.entries(ALLOWED)) {
    const value = plan[name as keyof typeof ALLOWED];
    if (value !== undefined && !(allowed as readonly string[]).includes(value))
      fail('USAGE', null, `${name} is ${shown(value)}`, `${name} is one of ${allowed.join(', ')}.`);
  }
  const { margin } = plan;
  if (margin !== undefined && margin !== null && !(Number.isFinite(margin) && margin > 0))
    fail('USAGE', null, `the margin is ${shown(margin)}`, 'A margin is a number of points above 0.');
  if (plan.missing === 'bounds' && (plan.multiplicity === 'max-t' || plan.test === 'centred'))
    fail(
      'USAGE',
      null,
      'missing bounds goes with plain sign flips and Holm only',
      'Leave --test and --multiplicity out, or use --missing common-tasks.',
    );
}

/** Errors: USAGE where a replay is asked for anything that the published procedures do not know. */
function assertReplay(plan: OpenPlan): void {
  if (plan.scheme === 'stratified')
    fail(
      'USAGE',
      null,
      'rng numpy replays published procedures only, and none of them is scheme stratified',
      'Use rng philox for a stratified bootstrap.',
    );
  if (plan.family_weights !== undefined)
    fail(
      'USAGE',
      null,
      'rng numpy replays published procedures only, and none of them weighs families',
      'Use rng philox, or leave --family-weights out.',
    );
  for (const name of CHOICES) {
    const value = plan[name];
    if (value !== undefined && value !== FROZEN_CHOICES[name])
      fail(
        'USAGE',
        null,
        `rng numpy replays published procedures only, and none of them has ${name} ${shown(value)}`,
        'Use rng philox, or leave the option out.',
      );
  }
}

/** Fills in the sizes of a plan and checks it. Errors: USAGE where a choice is none, or two exclude each other. */
export function inferencePlan(options: Partial<InferencePlan> = {}): OpenPlan {
  const plan: OpenPlan = { ...DEFAULT_PLAN, ...options };
  assertPlan(plan);
  if (plan.rng !== 'numpy') return plan;
  assertReplay(plan);
  return { ...plan, ...FROZEN_CHOICES };
}

/** Makes the plan of a replay of the published procedure. Errors: USAGE, as `inferencePlan`. */
export function replayPlan(sizes: Partial<PlanSizes> = {}): InferencePlan {
  return { ...inferencePlan({ ...sizes, rng: 'numpy' }), ...FROZEN_CHOICES };
}

/** A plan as documents of version 2 state it; those of version 1 state its sizes only. */
export interface StatedInferencePlan extends Omit<PlanSizes, 'seed'>, Partial<PlanChoices>, PlanEstimand {
  readonly seed: string;
}

/** Gives a plan the form that documents state: the seed as text, since no double holds 64 bits. */
export function statedInferencePlan(plan: InferencePlan): StatedInferencePlan {
  const { draws, flips, seed, rng, strata, scheme, alpha, ...choices } = plan;
  const sizes = { draws, flips, seed: seed.toString(), rng, strata, scheme, alpha };
  return isFrozen(plan) ? sizes : { ...sizes, ...choices };
}

/** How the sizes of a stated plan are read; its choices are there in version 2 only. */
export const statedPlanShape = {
  draws: z.number(),
  flips: z.number(),
  seed: z.string(),
  rng: z.enum(['philox', 'numpy']),
  strata: z.enum(['panel-family', 'family']),
  scheme: z.enum(['joint', 'stratified']),
  alpha: z.number(),
  test: z.enum(['sign-flip', 'centred']).optional(),
  multiplicity: z.enum(['holm', 'max-t']).optional(),
  interval: z.enum(['percentile', 'student', 'bootstrap-t', 'binomial']).optional(),
};

const stated = z.looseObject({
  seed: z.string().regex(/^\d{1,20}$/, { error: 'an unsigned 64-bit integer in quotes expected' }),
  margin: z.number().nullable().optional(),
  against: z.string().nullable().optional(),
  family_weights: z.record(z.string(), z.number().positive()).optional(),
});

const AS_WRITTEN = 'Give the document as it was written.';

/**
 * Reads the plan that a document states; keys that a plan has not are left out. A plan without any choice is one of version 1.
 * Errors: SCHEMA_INVALID with the field.
 */
export function readStatedPlan(value: unknown, file: string): InferencePlan {
  const place = { file, path: 'plan' };
  const { seed, ...rest } = checked(stated, value, place, AS_WRITTEN);
  const known = Object.fromEntries(
    Object.entries(rest).filter(([key]) => key in DEFAULT_PLAN || key in FROZEN_CHOICES || key === 'family_weights'),
  ) as Partial<InferencePlan>;
  const named = CHOICES.filter((name) => name in known);
  const absent = CHOICES.find((name) => !(name in known));
  if (named.length > 0 && absent !== undefined)
    fail('SCHEMA_INVALID', { file, path: `plan.${absent}` }, 'a value expected, found undefined', AS_WRITTEN);
  const choices = named.length > 0 ? {} : FROZEN_CHOICES;
  try {
    return inferencePlan({ ...known, ...choices, seed: BigInt(seed) }) as InferencePlan;
  } catch (cause) {
    if (!(cause instanceof FlavourError)) throw cause;
    return fail('SCHEMA_INVALID', place, cause.message, cause.hint, { cause });
  }
}
