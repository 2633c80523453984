import type { ClusterDesign } from '../../engine/design.js';
import type { Engine } from '../../engine/engine.js';
import { counted } from '../../util/format.js';
import type { InferencePlan } from '../plan.js';
import { pairFlips } from '../resample.js';
import { comparedPairs, comparisonTests, type DecidedPairs } from './decided-pairs.js';
import { pairTests } from './pair-tests.js';

export interface OtherTestOptions {
  readonly plan: InferencePlan;
  readonly models: readonly string[];
  readonly design: ClusterDesign;
  readonly decided: DecidedPairs;
  readonly engine: Engine;
  readonly signal?: AbortSignal;
}

/**
 * Says of how many comparisons the other of the two tests decides otherwise, without a full stop, or gives null where there is none
 * (decisions 3.2): plain sign flips beside the centred test and the other way round, with the same draws and the same multiplicity. With
 * one stratum the two are one test.
 */
export async function otherTestWords(options: OtherTestOptions): Promise<string | null> {
  const { plan: inForce, models, design, decided, engine, signal } = options;
  if (design.strata < 2 || design.ranked < 2) return null;
  const plan: InferencePlan = {
    ...inForce,
    test: inForce.test === 'centred' ? 'sign-flip' : 'centred',
    rank_sets: 'none',
  };
  const tests = pairTests(design, plan);
  const compared = comparedPairs(models, plan.against);
  const drawn = await pairFlips({ design, plan, compared, exactWeights: tests.exactWeights, engine, signal });
  const other = comparisonTests({ plan, compared, tests, drawn }).own.rejected;
  const own = decided.tests.rejected;
  const only = (one: Uint8Array, two: Uint8Array) => one.reduce((n, rejected, k) => n + Number(rejected > two[k]!), 0);
  const [here, there] = [only(own, other), only(other, own)];
  if (here + there === 0) return null;
  const name = plan.test === 'centred' ? 'the centred test' : 'the plain sign-flip test';
  const parts = [
    ...(here > 0 ? [`${here} told apart here would not be`] : []),
    ...(there > 0 ? [`${there} not told apart here would be`] : []),
  ];
  return `${name} (--test ${plan.test}) would decide ${counted(here + there, 'pair')} otherwise: ${parts.join(', ')}`;
}
