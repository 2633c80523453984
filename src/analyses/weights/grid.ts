import { sortedQuantile } from '../../engine/quantile.js';
import { descending, ordinalRanksDescending, pairAgreement, rankCorrelation } from '../../inference/rank-agreement.js';
import { fail } from '../../util/error.js';
import type { RankedModel } from '../analysis.js';

/** Bounds of a family's weight, percent (analyses 6). */
export const LEAST_PERCENT = 20;
export const MOST_PERCENT = 50;

interface WeightsOptions {
  readonly models: readonly string[];
  /** models x 3: family scores, each the mean of its panel means, in any common unit; integers decide ties exactly. */
  readonly families: Float64Array;
  /** Percent; the published bounds unless given. */
  readonly least?: number;
  readonly most?: number;
}

export interface WeightsResults {
  readonly grid_points: number;
  /** Minimum, median, maximum. */
  readonly rank_spearman: readonly [number, number, number];
  readonly pair_order_agreement: readonly [number, number, number];
  /** Weights, in percent, of the lowest rank correlation. */
  readonly least_alike: readonly [number, number, number];
  readonly leaders: Readonly<Record<string, number>>;
  /** Best and worst rank of each model over the grid. */
  readonly rank_ranges: Readonly<Record<string, readonly [number, number]>>;
}

/**
 * Compares every one-point weighting of three families between two bounds with equal weights (analyses 6). Errors:
 * FAMILIES_NOT_THREE; USAGE where no three weights between the bounds add to 100.
 */
export function familyWeights(options: WeightsOptions): WeightsResults {
  const { models, families, least = LEAST_PERCENT, most = MOST_PERCENT } = options;
  if (families.length !== models.length * 3) {
    const n = families.length / models.length;
    fail(
      'FAMILIES_NOT_THREE',
      null,
      `${n === 1 ? '1 family' : `${n} families`}; the weight grid is over three`,
      'Give a matrix with three families.',
    );
  }
  const weighted = (a: number, b: number, c: number) =>
    Float64Array.from(models, (_, m) => {
      const at = m * 3;
      return families[at]! * a + families[at + 1]! * b + families[at + 2]! * c;
    });
  const primary = weighted(1, 1, 1);
  const primaryRanks = ordinalRanksDescending(primary);
  const rhos: number[] = [];
  const pairs: number[] = [];
  const leaders = new Map<string, number>();
  const ranges = models.map((): [number, number] => [models.length, 1]);
  let lowest = Number.POSITIVE_INFINITY;
  let leastAlike: readonly [number, number, number] = [0, 0, 0];
  for (let a = least; a <= most; a += 1)
    for (let b = least; b <= most; b += 1) {
      const c = 100 - a - b;
      if (c < least || c > most) continue;
      const scores = weighted(a, b, c);
      const ranks = ordinalRanksDescending(scores);
      const rho = rankCorrelation(ranks, primaryRanks);
      rhos.push(rho);
      pairs.push(pairAgreement(scores, primary));
      if (rho < lowest) {
        lowest = rho;
        leastAlike = [a, b, c];
      }
      const leader = models[descending(scores)[0]!]!;
      leaders.set(leader, (leaders.get(leader) ?? 0) + 1);
      ranks.forEach((rank, m) => {
        const range = ranges[m]!;
        range[0] = Math.min(range[0], rank);
        range[1] = Math.max(range[1], rank);
      });
    }
  if (rhos.length === 0) {
    fail('USAGE', null, `no weighting lies between ${least} and ${most} percent`, 'Three weights must add to 100.');
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

function spread(values: readonly number[]): [number, number, number] {
  const sorted = Float64Array.from(values).sort();
  return [sorted[0]!, sortedQuantile(sorted, 0.5), sorted[sorted.length - 1]!];
}

/** Lists one row a model, by rank under equal weights. */
export function weightRows(result: WeightsResults, models: readonly RankedModel[]) {
  return [...models]
    .sort((a, b) => a.rank - b.rank)
    .map(({ modelId: id, name, rank }, at) => {
      const [best, worst] = result.rank_ranges[id]!;
      return { at, id, name, rank, best, worst, leads: result.leaders[id] ?? 0 };
    });
}
