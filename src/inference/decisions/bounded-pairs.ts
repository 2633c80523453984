import { flipTotals } from '../../engine/bounds.js';
import { type ClusterDesign, pairCount, pairIndex } from '../../engine/design.js';
import type { Engine } from '../../engine/engine.js';
import { layoutOf } from '../../engine/layout.js';
import type { InferencePlan } from '../plan.js';
import type { DecidedPairs } from './decided-pairs.js';
import { type DecidedTests, decidedTests } from './deciding-p.js';
import { decisions } from './decisions.js';
import { compactLetters, unresolvedWith } from './letters.js';
import { type BoundsEvidence, boundsDesign, boundsOfChance, boundsOfPairs } from './missing-bounds.js';
import type { RankSetTable } from './rank-sets.js';

/** The designs of one table with its missing cells at the least value that a cell can have, and at the greatest. */
export interface BoundedDesigns {
  readonly low: ClusterDesign;
  readonly high: ClusterDesign;
}

export interface BoundedOptions {
  readonly plan: InferencePlan;
  readonly designs: BoundedDesigns;
  /** Models best first. */
  readonly order: Int32Array;
  readonly engine: Engine;
  readonly signal?: AbortSignal;
}

/** What holds whatever the missing values are, and the ranges in which scores and intervals then lie, in points. */
export interface BoundedInference {
  readonly decided: DecidedPairs;
  /** models x 2: the score at the least and at the greatest values. */
  readonly scores: Float64Array;
  /** models x 2: from the lower end at the least values to the upper end at the greatest. */
  readonly pointwise: Float64Array;
  readonly simultaneous: Float64Array;
  /** pairs x 2. */
  readonly pairs: Float64Array;
}

/**
 * Decides all pairs by what their missing cells cannot change (decisions 4.2): one more bootstrap and one more set of flips over the rows
 * at both ends. Rank sets follow from the decisions.
 */
export async function boundedInference(options: BoundedOptions): Promise<BoundedInference> {
  const { plan, designs, order, engine, signal } = options;
  const design = boundsDesign(designs.low, designs.high);
  const { alpha, flips } = plan;
  const totals = flipTotals(design, layoutOf(design));
  const source = (stream: number) => ({ kind: 'philox', seed: plan.seed, stream }) as const;
  const counts = await engine.flips(design, { draws: flips, random: source(1), signal });
  const given = { design, totals, exceedances: counts.pairs, flips };
  const evidence = boundsOfPairs(given);
  const tests = decidedBy(evidence, plan);
  const said = decisions({
    ...{ tests, flips, alpha, multiplicity: 'holm' },
    differing: evidence.exact.differing,
    direction: evidence.direction,
    clusters: design.clusters,
  });
  const models = designs.low.ranked;
  const formed = compactLetters({ order, apart: tests.rejected });
  const chance = designs.low.rows > models ? decidedBy(boundsOfChance(given), plan) : null;
  return {
    decided: {
      place: Int32Array.from({ length: pairCount(models) }, (_, k) => k),
      differing: evidence.exact.differing,
      tests,
      said,
      sets: setsOf(tests, evidence, models),
      letters: formed.letters,
      open: Array.from({ length: models }, (_, m) => unresolvedWith({ order, apart: tests.rejected }, m)),
      chance,
    },
    ...(await ranges(options, design, source(0))),
  };
}

function decidedBy({ exceedances, exact }: BoundsEvidence, { flips, alpha }: InferencePlan): DecidedTests {
  return decidedTests({ exceedances, flips, exact, multiplicity: 'holm', alpha });
}

/** Rank sets of the decisions alone: one family, so both kinds are the same. */
function setsOf({ rejected }: DecidedTests, { direction }: BoundsEvidence, models: number): RankSetTable {
  const sets = Int32Array.from({ length: 2 * models }, (_, k) => (k % 2 === 0 ? 1 : models));
  for (let i = 0, k = 0; i < models; i += 1)
    for (let j = i + 1; j < models; j += 1, k += 1) {
      if (rejected[k] === 0) continue;
      const [above, below] = direction[k]! > 0 ? [i, j] : [j, i];
      sets[2 * above + 1]! -= 1;
      sets[2 * below]! += 1;
    }
  return { simultaneous: sets, marginal: sets };
}

/** Scores and intervals at both ends. */
async function ranges(
  { plan, designs, engine, signal }: BoundedOptions,
  design: ClusterDesign,
  random: { readonly kind: 'philox'; readonly seed: bigint; readonly stream: number },
): Promise<Omit<BoundedInference, 'decided'>> {
  const { alpha, draws, scheme } = plan;
  const models = designs.low.ranked;
  const drawn = await engine.bootstrap(design, {
    ...{ draws, random, scheme, signal, pairs: true },
    enumerate: plan.bootstrap === 'enumerated',
    probabilities: [alpha / 2, 1 - alpha / 2],
    bandProbability: 1 - alpha,
  });
  const { points, standardErrors, quantiles, bandCritical, pairQuantiles } = drawn;
  const half = (row: number) => bandCritical! * standardErrors[row]!;
  const ends = (low: (m: number) => number, high: (m: number) => number) =>
    Float64Array.from({ length: 2 * models }, (_, k) => (k % 2 === 0 ? low : high)(k >> 1));
  const pairs = new Float64Array(2 * pairCount(models));
  for (let i = 0, k = 0; i < models; i += 1)
    for (let j = i + 1; j < models; j += 1, k += 1) {
      pairs[2 * k] = pairQuantiles![2 * pairIndex(i, models + j, design.rows)]!;
      pairs[2 * k + 1] = 0 - pairQuantiles![2 * pairIndex(j, models + i, design.rows)]!;
    }
  return {
    scores: ends(
      (m) => points[m]!,
      (m) => points[models + m]!,
    ),
    pointwise: ends(
      (m) => quantiles[2 * m]!,
      (m) => quantiles[2 * (models + m) + 1]!,
    ),
    simultaneous: ends(
      (m) => points[m]! - half(m),
      (m) => points[models + m]! + half(models + m),
    ),
    pairs,
  };
}
