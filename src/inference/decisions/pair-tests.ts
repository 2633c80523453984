import { flipTotals } from '../../engine/bounds.js';
import { type ClusterDesign, pairCount } from '../../engine/design.js';
import { layoutOf } from '../../engine/layout.js';
import type { OpenPlan } from '../plan.js';
import { constantPairs } from './constant-pairs.js';
import { allPairs, type ExactTests, exactTests, pairsWith, type RowPairs } from './exact-p.js';
import { floorsOf } from './multiplicity.js';

/** What is known of the tests of a design before a flip is drawn. */
export interface PairTests {
  /** All pairs of models. */
  readonly pairs: RowPairs;
  /** Pairs of models (`pairIndex` order). */
  readonly exact: ExactTests;
  /** 2 / 2^c of each pair. */
  readonly floors: Float64Array;
  /** Pairs whose difference is constant: 1 (decisions 1.3). */
  readonly constant: Uint8Array;
  /** Strata weigh exactly in the flips. */
  readonly exactWeights: boolean;
  /** Models against chance; null without chance values. */
  readonly chance: ExactTests | null;
}

/**
 * Counts differing clusters and forms every p that takes no more sign vectors than flips (decisions 2.2). With rounded weights, and under
 * the centred test, whose enumeration is not exact, no p is.
 */
export function pairTests(design: ClusterDesign, plan: OpenPlan): PairTests {
  const weighted = flipTotals(design, layoutOf(design));
  const exactWeights = weighted.weights.kind === 'exact';
  const flips = exactWeights && plan.test !== 'centred' ? plan.flips : 0;
  const { totals } = weighted;
  const { rows, ranked } = design;
  const pairs = allPairs(ranked);
  const exact =
    ranked < 2 ? { differing: new Int32Array(0), p: new Float64Array(0) } : exactTests({ totals, rows, pairs, flips });
  return {
    pairs,
    exact,
    floors: floorsOf(exact.differing),
    exactWeights,
    constant: ranked < 2 ? new Uint8Array(pairCount(ranked)) : constantPairs(design),
    chance: rows > ranked ? exactTests({ totals, rows, pairs: pairsWith(ranked, ranked), flips }) : null,
  };
}
