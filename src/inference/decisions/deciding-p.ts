import { clopperPearson } from '../binomial.js';
import { holm, pValue } from '../p-values.js';
import type { Multiplicity } from '../plan.js';
import { holmCouldTurn } from './could-turn.js';
import type { ExactTests } from './exact-p.js';
import { floorsOf } from './multiplicity.js';

/** Step-down max-T over one set of tests. */
export interface StepDownCounts {
  /** Flips whose largest statistic, in the round of the hypothesis, reaches its own. */
  readonly exceedances: ArrayLike<number>;
  /** Flips, or all sign vectors. */
  readonly draws: number;
  /** All sign vectors were gone through. */
  readonly enumerated: boolean;
  /** 1: would be rejected if every hypothesis stood at its largest statistic. */
  readonly attainable: ArrayLike<number>;
}

export interface DecidingOptions {
  /** Flips that reach the observed difference, by hypothesis. */
  readonly exceedances: ArrayLike<number>;
  readonly flips: number;
  readonly exact: ExactTests;
  /** 2 / 2^c by hypothesis; formed of `exact` unless given. */
  readonly floors?: Float64Array;
  readonly multiplicity: Multiplicity;
  /** Needed under `max-t`. */
  readonly stepDown?: StepDownCounts | null;
  readonly alpha: number;
}

/** One set of tests, decided: every field by hypothesis. */
export interface DecidedTests {
  /** `sign_flip_p`: exact where all sign vectors were counted, else sampled. */
  readonly p: Float64Array;
  /** 1: that p is exact. */
  readonly exact: Uint8Array;
  /** Holm's adjusted p of it. */
  readonly holm: Float64Array;
  /** The adjusted p of the multiplicity in force. */
  readonly adjusted: Float64Array;
  /** 1: the p that decides has no Monte Carlo error (`p_kind`). */
  readonly decidedExactly: Uint8Array;
  /** 1: adjusted p below alpha, strictly. */
  readonly rejected: Uint8Array;
  /** 2 / 2^c. */
  readonly floor: Float64Array;
  /** Forms the 99 % Clopper-Pearson interval of the p that endless flips would give a hypothesis. */
  readonly interval99: (hypothesis: number) => readonly [number, number];
  /** 1: Monte Carlo error of this p alone, the others held, could turn the decision. */
  readonly couldTurn: Uint8Array;
}

/**
 * Gives the two-sided p of each hypothesis that decides (decisions 2.2): exact where its sign vectors were counted, else (e + 1) / (R + 1)
 * or its floor, whichever is larger.
 */
export function decidingP(options: Pick<DecidingOptions, 'exceedances' | 'flips' | 'exact' | 'floors'>) {
  const { exceedances, flips, exact } = options;
  const tests = exact.p.length;
  const floor = options.floors ?? floorsOf(exact.differing);
  if (allPositive(exact.p)) return { p: exact.p, isExact: new Uint8Array(tests).fill(1), floor };
  const isExact = new Uint8Array(tests);
  const p = new Float64Array(tests);
  for (let k = 0; k < tests; k += 1) {
    isExact[k] = Number(exact.p[k]! > 0);
    p[k] = isExact[k] ? exact.p[k]! : Math.max(floor[k]!, pValue(exceedances[k]!, flips));
  }
  return { p, isExact, floor };
}

/** Tells whether no value is zero, or less. */
export function allPositive(values: Float64Array): boolean {
  for (let k = 0; k < values.length; k += 1) if (!(values[k]! > 0)) return false;
  return true;
}

/**
 * Decides a set of tests (decisions 2.2, 3.1). Under Holm the p of the hypotheses are adjusted together. Under max-T the adjusted p is that of the step-down: the
 * plain share where all sign vectors were gone through; else (e + 1) / (R + 1) or the p of the hypothesis, whichever is larger.
 */
export function decidedTests(options: DecidingOptions): DecidedTests {
  const { exceedances, flips, multiplicity, stepDown, alpha } = options;
  const { p, isExact, floor } = decidingP(options);
  const tests = p.length;
  const limits = countLimits(flips);
  const interval99 = (k: number) => limits(exceedances[k]!);
  const byHolm = holm(p);
  if (multiplicity === 'holm' || !stepDown) {
    const low = p.map((value, k) => (isExact[k] ? value : Math.max(floor[k]!, interval99(k)[0])));
    const high = p.map((value, k) => (isExact[k] ? value : Math.max(floor[k]!, interval99(k)[1])));
    const couldTurn = holmCouldTurn({ p, low, high, alpha });
    const rejected = below(byHolm, alpha);
    return {
      p,
      exact: isExact,
      holm: byHolm,
      adjusted: byHolm,
      decidedExactly: isExact,
      rejected,
      floor,
      interval99,
      couldTurn,
    };
  }
  const { draws, enumerated } = stepDown;
  const adjusted = new Float64Array(tests);
  for (let k = 0; k < tests; k += 1) {
    const e = stepDown.exceedances[k]!;
    adjusted[k] = enumerated ? e / draws : Math.max(p[k]!, pValue(e, draws));
  }
  const stepLimits = countLimits(draws);
  const couldTurn = new Uint8Array(tests);
  const rejected = below(adjusted, alpha);
  for (let k = 0; k < tests && !enumerated; k += 1) {
    const [low, high] = stepLimits(stepDown.exceedances[k]!);
    const least = isExact[k] ? p[k]! : floor[k]!;
    couldTurn[k] = Number(Math.max(least, low) < alpha !== Math.max(least, high) < alpha);
  }
  return {
    p,
    exact: isExact,
    holm: byHolm,
    adjusted,
    decidedExactly: new Uint8Array(tests).fill(Number(enumerated)),
    rejected,
    floor,
    interval99,
    couldTurn,
  };
}

/** Marks the values that are below a level, strictly. */
export function below(values: Float64Array, level: number): Uint8Array {
  const marks = new Uint8Array(values.length);
  for (let k = 0; k < marks.length; k += 1) if (values[k]! < level) marks[k] = 1;
  return marks;
}

/** 99 % limits of a count of `trials`, each formed once. */
function countLimits(trials: number): (count: number) => readonly [number, number] {
  const known = new Map<number, readonly [number, number]>();
  return (count) => {
    const before = known.get(count);
    if (before) return before;
    const made = clopperPearson({ count, trials, confidence: 0.99 });
    known.set(count, made);
    return made;
  };
}
