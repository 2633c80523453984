import { roundHalfEven } from '../../util/round.js';
import { pairCount, pairIndex } from '../design.js';
import { emptyMaps, MAP_STATUS, type PortfolioMaps, type PortfolioRequest, subsets, utilityFactors } from '../maps.js';

/** Utilities of one task over all keys; NaN where infeasible. Members join in ascending order (compiler b.4). */
function utilitiesOf(request: PortfolioRequest, t: number, keys: number[][]): Float64Array {
  const { choices: n, select, singles, pairs, allowed, conflicts, weights } = request;
  const [a, b] = utilityFactors(weights.subarray(2 * t, 2 * t + 2), select) as unknown as [number, number];
  const pairsOf = pairCount(n);
  const words = Math.ceil(pairsOf / 32);
  return Float64Array.from(keys, (members) => {
    let u = 0;
    let feasible = true;
    members.forEach((item, place) => {
      u += a * singles[t * n + item]!;
      feasible &&= ((allowed[t]! >>> item) & 1) === 1;
      for (const before of members.slice(0, place)) {
        const pair = pairIndex(before, item, n);
        u += b * pairs[t * pairsOf + pair]!;
        feasible &&= ((conflicts[t * words + (pair >>> 5)]! >>> (pair & 31)) & 1) === 0;
      }
    });
    return feasible ? u : Number.NaN;
  });
}

/** Makes the reward maps of a batch: min-max over feasible portfolios, basis points, half to even (compiler b.5). */
export function portfolioMaps(request: PortfolioRequest): PortfolioMaps {
  const subsetsOf = subsets(request.choices, request.select);
  const keys = subsetsOf.length;
  const tasks = request.allowed.length;
  const maps = emptyMaps(tasks, keys);
  for (let t = 0; t < tasks; t += 1) {
    const utilities = utilitiesOf(request, t, subsetsOf);
    const feasible = utilities.filter((u) => !Number.isNaN(u));
    maps.feasible[t] = feasible.length;
    const low = feasible.reduce((x, y) => Math.min(x, y), Number.POSITIVE_INFINITY);
    const high = feasible.reduce((x, y) => Math.max(x, y), Number.NEGATIVE_INFINITY);
    if (feasible.length < request.leastFeasible) maps.status[t] = MAP_STATUS.FEW_FEASIBLE;
    else if (high - low < request.leastRange) maps.status[t] = MAP_STATUS.FLAT;
    else {
      const scores = Array.from(utilities, (u) =>
        Number.isNaN(u) ? 0 : roundHalfEven(10_000 * Math.min(1, Math.max(0, (u - low) / (high - low)))),
      );
      maps.scores.set(scores, t * keys);
      const optima = scores.filter((s) => s === 10_000).length;
      maps.status[t] = optima === 1 ? MAP_STATUS.OK : MAP_STATUS.TIED;
      maps.optimal[t] = scores.indexOf(10_000);
      maps.optima[t] = optima;
      maps.chance[t] = roundHalfEven(scores.reduce((x, y) => x + y, 0) / keys);
      maps.margin[t] = optima === 1 ? 10_000 - Math.max(0, ...scores.filter((s) => s !== 10_000)) : 0;
    }
  }
  return maps;
}
