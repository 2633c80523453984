import type { RankedModel } from '../analysis.js';
import type { WeightsResults } from './grid.js';

/** One row a model, by rank under equal weights. */
export function weightRows(result: WeightsResults, models: readonly RankedModel[]) {
  return [...models]
    .sort((a, b) => a.rank - b.rank)
    .map(({ id, name, rank }, at) => {
      const [best, worst] = result.rank_ranges[id]!;
      return { at, id, name, rank, best, worst, leads: result.leaders[id] ?? 0 };
    });
}
