import type { ScoreMatrix } from '../core/matrix.js';
import type { ClusterDesign } from '../engine/design.js';
import type { ResampledInference } from './draws.js';
import type { ExactTest } from './exact.js';
import type { TestFamily } from './montecarlo.js';
import type { InferencePlan } from './plan.js';
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
  readonly enumerated: ExactTest | null;
  readonly drawn: ResampledInference;
}

export function testResult(
  family: TestFamily,
  k: number,
  count: number,
  exactP: number | null,
): TestResult {
  return {
    exceedances: count,
    p: family.p[k] as number,
    holm: family.holm[k] as number,
    significant: family.significant[k] as boolean,
    pInterval99: family.interval99[k] as readonly [number, number],
    holmCouldFlip: family.couldFlip[k] as boolean,
    exactP,
  };
}
