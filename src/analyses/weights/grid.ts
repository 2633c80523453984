import { sortedQuantile } from '../../engine/quantile.js';
import { byRank } from '../../inference/model-ranks.js';
import { descending, ordinalRanksDescending, pairAgreement, rankCorrelation } from '../../inference/rank-agreement.js';
import { fail } from '../../util/error.js';
import type { RankedModel } from '../analysis.js';
import { type Weightings, weightings } from './weightings.js';

interface WeightsOptions {
  readonly models: readonly string[];
  /** models x families: scores, each the mean of its panel means, in any common unit; integers decide ties exactly. */
  readonly families: Float64Array;
  /** Whether ties share ranks and the lead (decisions 5.4); else the model that stands first takes both (analyses 6). */
  readonly shared: boolean;
}

export interface WeightsResults {
  readonly grid_points: number;
  /** Minimum, median, maximum. */
  readonly rank_spearman: readonly [number, number, number];
  readonly pair_order_agreement: readonly [number, number, number];
  /** Weights, in percent, of the lowest rank correlation; one a family. */
  readonly least_alike: readonly number[];
  readonly leaders: Readonly<Record<string, number>>;
  /** Best and worst rank of each model over the grid. */
  readonly rank_ranges: Readonly<Record<string, readonly [number, number]>>;
}

/** Weightings in which work grows with the square of the models: as many as one processor compares in a second. */
const limitFor = (models: number) => Math.max(696, Math.min(10_000, Math.floor(2 ** 29 / models ** 2)));

/** Finds the weightings of a number of families under which so many models are compared. Errors: FAMILIES_TOO_FEW for fewer than two. */
export function familyGrid(families: number, models: number): Weightings {
  if (families < 2)
    fail(
      'FAMILIES_TOO_FEW',
      null,
      `${families === 1 ? 'one family' : 'no family'}; there is nothing to weigh`,
      'Give a matrix of two families or more (--families).',
    );
  return weightings(families, limitFor(models));
}

/** Compares the weightings of a grid of families with equal weights (analyses 6, decisions 5.4). Errors: those of `familyGrid`. */
export function familyWeights({ models, families, shared }: WeightsOptions): WeightsResults {
  const F = families.length / models.length;
  const { list, parts } = familyGrid(F, models.length);
  const weighted = (weights: readonly number[]) =>
    Float64Array.from(models, (_, m) => weights.reduce((sum, weight, f) => sum + families[m * F + f]! * weight, 0));
  const primary = weighted(new Array<number>(F).fill(1));
  const primaryRanks = ordinalRanksDescending(primary);
  const rhos: number[] = [];
  const pairs: number[] = [];
  const leaders = new Map<string, number>();
  const ranges = models.map((): [number, number] => [models.length, 1]);
  let lowest = Number.POSITIVE_INFINITY;
  let leastAlike: readonly number[] = [];
  for (const weights of list) {
    const scores = weighted(weights);
    const rho = rankCorrelation(ordinalRanksDescending(scores), primaryRanks);
    rhos.push(rho);
    pairs.push(pairAgreement(scores, primary));
    if (rho < lowest) {
      lowest = rho;
      leastAlike = weights.map((weight) => (100 * weight) / parts);
    }
    const places = rankPlaces(scores, shared);
    models.forEach((model, m) => {
      const range = ranges[m]!;
      range[0] = Math.min(range[0], places.best[m]!);
      range[1] = Math.max(range[1], places.worst[m]!);
      if (places.best[m] === 1) leaders.set(model, (leaders.get(model) ?? 0) + 1);
    });
  }
  return {
    grid_points: rhos.length,
    rank_spearman: spread(rhos),
    pair_order_agreement: spread(pairs),
    least_alike: leastAlike,
    leaders: Object.fromEntries([...leaders].sort((x, y) => y[1] - x[1])),
    rank_ranges: Object.fromEntries(models.map((model, m) => [model, ranges[m]!])),
  };
}

/** Best rank, 1 + models strictly above, and worst rank, models at or above, or for both the ordinal rank. */
function rankPlaces(scores: Float64Array, shared: boolean): { readonly best: Int32Array; readonly worst: Int32Array } {
  const order = descending(scores);
  const best = new Int32Array(order.length);
  const worst = new Int32Array(order.length);
  for (let k = 0; k < order.length; ) {
    let end = k + 1;
    while (shared && end < order.length && scores[order[end]!] === scores[order[k]!]) end += 1;
    for (let i = k; i < end; i += 1) {
      best[order[i]!] = k + 1;
      worst[order[i]!] = end;
    }
    k = end;
  }
  return { best, worst };
}

function spread(values: readonly number[]): [number, number, number] {
  const sorted = Float64Array.from(values).sort();
  return [sorted[0]!, sortedQuantile(sorted, 0.5), sorted[sorted.length - 1]!];
}

/** Lists one row a model, by rank under equal weights, equal ranks by id. */
export function weightRows(result: WeightsResults, models: readonly RankedModel[]) {
  return byRank(models).map(({ modelId: id, name, rank, rankTied }, at) => {
    const [best, worst] = result.rank_ranges[id]!;
    return { at, id, name, rank, rankTied, best, worst, leads: result.leaders[id] ?? 0 };
  });
}
