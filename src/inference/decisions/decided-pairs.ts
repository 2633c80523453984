import { type ClusterDesign, pairCount, pairIndex } from '../../engine/design.js';
import { pointRanks } from '../model-ranks.js';
import type { InferencePlan } from '../plan.js';
import type { PairFlips, ResampledInference } from '../resample.js';
import type { ExactTotals } from '../totals.js';
import { allPositive, type DecidedTests, decidedTests, type StepDownCounts } from './deciding-p.js';
import { type Decisions, decisions } from './decisions.js';
import type { ExactTests } from './exact-p.js';
import { compactLetters, unresolvedWith } from './letters.js';
import { floorP } from './multiplicity.js';
import type { PairTests } from './pair-tests.js';
import { type RankSetTable, rankSets } from './rank-sets.js';

export interface DecideOptions {
  readonly plan: InferencePlan;
  readonly models: readonly string[];
  /** The pairs that are compared (`comparedPairs`). */
  readonly compared: Int32Array;
  readonly design: ClusterDesign;
  readonly exact: ExactTotals;
  readonly tests: PairTests;
  readonly drawn: ResampledInference;
  /** Models best first. */
  readonly order: Int32Array;
}

/** Everything that is decided about pairs and ranks (decisions 1 to 3). */
export interface DecidedPairs {
  /** By pair (`pairIndex` order): its place among the comparisons, -1 where it is none of them. */
  readonly place: Int32Array;
  /** By pair: clusters whose total differs. */
  readonly differing: Int32Array;
  /** By comparison. */
  readonly tests: DecidedTests;
  /** By comparison. */
  readonly said: Decisions;
  readonly sets: RankSetTable | null;
  /** By model; null past 26 sets of models, and where not all pairs were compared. */
  readonly letters: readonly string[] | null;
  /** By model: the others that it is not told apart from, best first; null where not all pairs were compared. */
  readonly open: readonly (readonly number[])[] | null;
  /** Tests of the models against chance; null without chance values. */
  readonly chance: DecidedTests | null;
}

/** Lists the pairs that are compared, in `pairIndex` order: all, or those that name one model (decisions 3.1). */
export function comparedPairs(models: readonly string[], against: string | null): Int32Array {
  const named = against === null || against === 'best' ? -1 : models.indexOf(against);
  const count = models.length;
  if (named < 0) {
    const all = new Int32Array(pairCount(count));
    for (let k = 0; k < all.length; k += 1) all[k] = k;
    return all;
  }
  return Int32Array.from(
    models.flatMap((_, m) => (m === named ? [] : [pairIndex(Math.min(m, named), Math.max(m, named), count)])),
  ).sort();
}

/** Decides all comparisons by the test and the multiplicity in force, and forms rank sets and letters from the decisions. */
export function decidePairs({
  plan,
  models,
  compared,
  design,
  exact,
  tests,
  drawn,
  order,
}: DecideOptions): DecidedPairs {
  const { alpha, multiplicity } = plan;
  const count = models.length;
  const whole = compared.length === pairCount(count);
  const place = whole ? compared : placesOf(compared, pairCount(count));
  const directions = new Int8Array(pairCount(count));
  const ranks = pointRanks(exact, order, 'shared');
  for (let i = 0, k = 0; i < count; i += 1)
    for (let j = i + 1; j < count; j += 1, k += 1) directions[k] = Math.sign(ranks[j]! - ranks[i]!);
  const { own, differing, stepDown } = comparisonTests({ plan, compared, tests, drawn });
  const said = decisions({
    tests: own,
    differing,
    direction: picked(directions, compared),
    clusters: design.clusters,
    flips: plan.flips,
    multiplicity,
    stepDown,
    alpha,
  });
  const formed = compactLetters({ order, apart: own.rejected });
  return {
    place,
    differing: tests.exact.differing,
    tests: own,
    said,
    sets: whole ? rankSetsOf({ plan, count, tests, drawn, directions, own }) : null,
    letters: whole ? formed.letters : null,
    open: whole ? models.map((_, model) => unresolvedWith({ order, apart: own.rejected }, model)) : null,
    chance: tests.chance && decidedChance(plan, tests.chance, drawn),
  };
}

/** Place of each pair among those that are compared, -1 where it is none of them. */
function placesOf(compared: Int32Array, pairs: number): Int32Array {
  const place = new Int32Array(pairs).fill(-1);
  compared.forEach((pair, k) => {
    place[pair] = k;
  });
  return place;
}

/** What stands at some of the pairs, in `pairIndex` order: the values themselves where that is all. */
function picked<T extends Float64Array | Int32Array | Int8Array | Uint8Array>(values: T, places: Int32Array): T {
  if (places.length === values.length) return values;
  const out = values.slice(0, places.length) as T;
  for (let k = 0; k < places.length; k += 1) out[k] = values[places[k]!]!;
  return out;
}

/** Forms the tests of the compared pairs by the multiplicity of a plan. */
export function comparisonTests({
  plan,
  compared,
  tests,
  drawn,
}: Pick<DecideOptions, 'plan' | 'compared'> & {
  readonly tests: Pick<PairTests, 'exact' | 'floors'>;
  readonly drawn: PairFlips;
}): { readonly own: DecidedTests; readonly differing: Int32Array; readonly stepDown: StepDownCounts | null } {
  const { maxTStep: step, flipDraws: flips } = drawn;
  const stepDown = step && stepDownOf(drawn, picked(step.exceedances, compared), picked(step.attainable, compared));
  const differing = picked(tests.exact.differing, compared);
  const exceedances = picked(drawn.pairExceedances, compared);
  const exact = { differing, p: knownP(picked(tests.exact.p, compared), differing, exceedances, drawn) };
  const { multiplicity, alpha } = plan;
  const floors = picked(tests.floors, compared);
  return {
    own: decidedTests({ exceedances, flips, exact, floors, multiplicity, stepDown, alpha }),
    differing,
    stepDown,
  };
}

function stepDownOf(drawn: PairFlips, exceedances: Float64Array, attainable: Uint8Array): StepDownCounts {
  return { exceedances, attainable, draws: drawn.flipDraws, enumerated: drawn.enumerated };
}

/**
 * The p that need no draw. Where all sign vectors of the design were gone through, the share that reaches the observed sum: the exact p
 * of the plain test, the enumerated one of the centred test, which is never below its floor.
 */
function knownP(
  exact: Float64Array,
  differing: Int32Array,
  exceedances: ArrayLike<number>,
  { enumerated, flipDraws }: PairFlips,
): Float64Array {
  if (!enumerated || allPositive(exact)) return exact;
  const known = exact.slice();
  for (let k = 0; k < known.length; k += 1)
    if (!(known[k]! > 0)) known[k] = Math.max(floorP(differing[k]!), exceedances[k]! / flipDraws);
  return known;
}

function decidedChance(plan: InferencePlan, known: ExactTests, drawn: ResampledInference): DecidedTests {
  const exceedances = drawn.chanceExceedances!;
  const step = drawn.chanceStep;
  return decidedTests({
    exceedances,
    flips: drawn.flipDraws,
    exact: { differing: known.differing, p: knownP(known.p, known.differing, exceedances, drawn) },
    multiplicity: step ? plan.multiplicity : 'holm',
    stepDown: step && stepDownOf(drawn, step.exceedances, step.attainable),
    alpha: plan.alpha,
  });
}

function rankSetsOf({
  plan,
  count,
  tests,
  drawn,
  directions,
  own,
}: {
  readonly plan: InferencePlan;
  readonly count: number;
  readonly tests: PairTests;
  readonly drawn: ResampledInference;
  readonly directions: Int8Array;
  readonly own: DecidedTests;
}): RankSetTable | null {
  if (!drawn.rankSets) return null;
  return rankSets({
    models: count,
    sets: drawn.rankSets,
    constant: plan.rank_sets === 'flips' ? new Uint8Array(pairCount(count)) : tests.constant,
    direction: directions,
    p: own.p,
    rejected: own.rejected,
    multiplicity: plan.multiplicity,
    alpha: plan.alpha,
  });
}
