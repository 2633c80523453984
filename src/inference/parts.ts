import type { ScoreMatrix } from '../core/matrix.js';
import type { ClusterDesign } from '../engine/design.js';
import type { FlipCounts } from '../engine/engine.js';
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
  /** Counts over all sign vectors, where there are no more of them than flips. */
  readonly enumerated: FlipCounts | null;
  readonly drawn: ResampledInference;
}

/** Gives the exact two-sided p of a pair of rows, or null where the sign vectors were not enumerated. */
export function exactP(enumerated: FlipCounts | null, pair: number): number | null {
  return enumerated === null ? null : enumerated.pairs[pair]! / enumerated.draws;
}

/** Gathers what is known of hypothesis `k` of a family: `count` flips passed it. */
export function testResult(family: TestFamily, k: number, count: number, exact: number | null): TestResult {
  return {
    exceedances: count,
    p: family.p[k]!,
    holm: family.holm[k]!,
    significant: family.significant[k]!,
    pInterval99: family.interval99[k]!,
    holmCouldFlip: family.couldFlip[k]!,
    exactP: exact,
  };
}
