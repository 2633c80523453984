import { bootstrapBound, type FlipTotals, flipTotals } from '../bounds.js';
import type { ClusterDesign } from '../design.js';
import type { BootstrapRequest, BootstrapSummary, Engine, FlipCounts } from '../engine.js';
import { layoutOf, pointValues } from '../layout.js';
import { checkBootstrap, checkExactFlips, checkFlips } from '../request.js';
import { bootstrapValues } from './bootstrap.js';
import { bandCritical, pairQuantiles, rankCounts, rowQuantiles, standardErrors } from './select.js';
import { allSigns, countFlips, type FlipTally, flipSigns } from './signflip.js';

function summarise(
  design: ClusterDesign,
  points: Float64Array,
  request: BootstrapRequest,
  values: Float64Array,
  redraws: number,
): BootstrapSummary {
  const table = { values, draws: request.draws, rows: design.rows };
  const errors = standardErrors(table);
  const { probabilities, bandProbability } = request;
  return {
    draws: request.draws,
    redraws,
    points,
    standardErrors: errors,
    quantiles: rowQuantiles(table, probabilities),
    bandCritical:
      bandProbability === undefined ? null : bandCritical(table, design.ranked, points, errors, bandProbability),
    rankCounts: request.ranks ? rankCounts(table, design.ranked) : null,
    pairQuantiles: request.pairs ? pairQuantiles(table, probabilities) : null,
  };
}

const flipCounts = (draws: number, weighted: FlipTotals, tally: FlipTally): FlipCounts => ({
  draws,
  weights: { kind: weighted.weights.kind, relativeError: weighted.weights.relativeError },
  ...tally,
});

/** Opens the slow, obvious backend: every other one must return its digits. */
export function createReferenceEngine(): Engine {
  return {
    backend: 'reference',
    threads: 1,
    async bootstrap(design, request) {
      checkBootstrap(request);
      const layout = layoutOf(design);
      const { bound } = bootstrapBound(design);
      const { values, redraws } = await bootstrapValues(design, layout, request, bound);
      return summarise(design, pointValues(design, layout), request, values, redraws);
    },
    async bootstrapValues(design, request) {
      checkBootstrap(request);
      const { bound } = bootstrapBound(design);
      return (await bootstrapValues(design, layoutOf(design), request, bound)).values;
    },
    async flips(design, request) {
      checkFlips(request);
      const weighted = flipTotals(design, layoutOf(design));
      const tally = await countFlips(design, weighted, flipSigns(design.clusters, request), request);
      return flipCounts(request.draws, weighted, tally);
    },
    async exactFlips(design, request) {
      checkExactFlips(design);
      const weighted = flipTotals(design, layoutOf(design));
      const tally = await countFlips(design, weighted, allSigns(design.clusters), request);
      return flipCounts(2 ** design.clusters, weighted, tally);
    },
    async close() {},
  };
}
