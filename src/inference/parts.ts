import type { ScoreMatrix } from '../core/matrix.js';
import type { ClusterDesign } from '../engine/design.js';
import type { FlipCounts } from '../engine/engine.js';
import type { BoundedInference } from './decisions/bounded-pairs.js';
import type { DecidedPairs } from './decisions/decided-pairs.js';
import type { DecidedTests } from './decisions/deciding-p.js';
import type { MarginTests } from './decisions/margin.js';
import type { FormedIntervals } from './intervals/intervals.js';
import type { TestFamily } from './p-values.js';
import type { InferencePlan } from './plan.js';
import type { ResampledInference } from './resample.js';
import type { TestResult } from './result.js';
import type { Strata } from './strata.js';
import type { ExactTotals } from './totals.js';

/** Everything known once the draws are made, from which the results are formed. */
export interface InferenceParts {
  readonly matrix: ScoreMatrix;
  readonly plan: InferencePlan;
  readonly design: ClusterDesign;
  readonly strata: Strata;
  readonly exact: ExactTotals;
  /** Counts over all sign vectors, where there are no more of them than flips; of version 1 only, where they decide nothing. */
  readonly enumerated: FlipCounts | null;
  readonly drawn: ResampledInference;
  /** What holds whatever missing cells are; null where none are missing (decisions 4.2). */
  readonly bounded: BoundedInference | null;
  /** Null in version 1. */
  readonly decided: DecidedPairs | null;
  readonly intervals: FormedIntervals;
  /** Null where no margin was asked for. */
  readonly equal: MarginTests | null;
}

/** Gives the exact two-sided p of a pair of rows, or null where the sign vectors were not enumerated. */
export function exactP(enumerated: FlipCounts | null, pair: number): number | null {
  return enumerated === null ? null : enumerated.pairs[pair]! / enumerated.draws;
}

/** Gathers what version 1 knows of hypothesis `k` of a family: `count` flips passed it. */
export function frozenTest(family: TestFamily, k: number, count: number, exact: number | null): TestResult {
  return {
    exceedances: count,
    p: family.p[k]!,
    holm: family.holm[k]!,
    significant: family.significant[k]!,
    pInterval99: family.interval99[k]!,
    holmCouldFlip: family.couldFlip[k]!,
    exactP: exact,
    pKind: null,
  };
}

/** Gathers what is known of comparison `k` of a decided set of tests (decisions 2.2). */
export function decidedTest(
  tests: DecidedTests,
  k: number,
  count: number,
  { plan }: Pick<InferenceParts, 'plan'>,
): TestResult {
  const p = tests.p[k]!;
  const known = tests.exact[k] === 1;
  const kind = !known ? 'sampled' : plan.test === 'centred' ? 'enumerated' : 'exact';
  return {
    exceedances: count,
    p,
    holm: tests.holm[k]!,
    significant: tests.rejected[k] === 1,
    pInterval99: known ? [p, p] : tests.interval99(k),
    holmCouldFlip: tests.couldTurn[k] === 1,
    exactP: kind === 'exact' ? p : null,
    pKind: kind,
  };
}
