import { bootstrapBound } from '../bounds.js';
import { testTotals } from '../centred.js';
import type { ClusterDesign } from '../design.js';
import type {
  BootstrapRequest,
  BootstrapSummary,
  CountedFlips,
  Engine,
  ExactFlipRequest,
  FlipCounts,
} from '../engine.js';
import { enumeratedBootstrap } from '../enumerated.js';
import { layoutOf, pointValues } from '../layout.js';
import { checkBootstrap, checkDrawn, checkExactFlips, checkFlips, checkStudentised } from '../request.js';
import { bootstrapValues } from './bootstrap.js';
import { rankCounts, sharedRankCounts } from './rank.js';
import { bandCritical, pairQuantiles, rowQuantiles, standardErrors } from './select.js';
import { allSigns, countFlips, flipSigns } from './signflip.js';
import { flipStepDowns, type SignVectors, tableRankSets } from './stepdown.js';
import { studentisedBootstrap } from './studentised.js';

function summarise(
  design: ClusterDesign,
  points: Float64Array,
  request: BootstrapRequest,
  values: Float64Array,
  redraws: number,
): BootstrapSummary {
  const table = { values, draws: request.draws, rows: design.rows };
  const errors = standardErrors(table);
  const { probabilities, bandProbability, ranks } = request;
  const shared = ranks === 'shared' ? sharedRankCounts(table, design.ranked) : null;
  return {
    draws: request.draws,
    redraws,
    points,
    standardErrors: errors,
    quantiles: rowQuantiles(table, probabilities),
    bandCritical:
      bandProbability === undefined ? null : bandCritical(table, design.ranked, points, errors, bandProbability),
    rankCounts: ranks === 'ordinal' ? rankCounts(table, design.ranked) : null,
    bestRankCounts: shared?.best ?? null,
    worstRankCounts: shared?.worst ?? null,
    pairQuantiles: request.pairs ? pairQuantiles(table, probabilities) : null,
    rankSets: tableRankSets(design.ranked, points, request, table),
  };
}

async function flipCounts(
  design: ClusterDesign,
  draws: number,
  signs: () => SignVectors,
  request: ExactFlipRequest,
  given?: CountedFlips,
): Promise<FlipCounts> {
  const weighted = testTotals(design, layoutOf(design), request.test);
  const { kind, relativeError } = weighted.weights;
  return {
    draws,
    weights: { kind, relativeError },
    ...(given ?? (await countFlips(design, weighted, signs().vectors, request))),
    ...(await flipStepDowns(design, weighted, signs(), request)),
  };
}

/** Opens the slow, obvious backend: every other one must return its digits. */
export function createReferenceEngine(): Engine {
  return {
    backend: 'reference',
    threads: 1,
    async bootstrap(design, request) {
      checkBootstrap(request, design);
      if (request.enumerate) return enumeratedBootstrap(design, request);
      const layout = layoutOf(design);
      const { bound } = bootstrapBound(design);
      const { values, redraws } = request.given ?? (await bootstrapValues(design, layout, request, bound));
      return summarise(design, pointValues(design, layout), request, values, redraws);
    },
    async bootstrapValues(design, request) {
      checkBootstrap(request, design);
      checkDrawn(request);
      const { bound } = bootstrapBound(design);
      return bootstrapValues(design, layoutOf(design), request, bound);
    },
    async studentised(design, request) {
      checkStudentised(request);
      return studentisedBootstrap(design, request);
    },
    async flips(design, request) {
      checkFlips(request, design);
      const signs = () => ({ vectors: flipSigns(design.clusters, request), all: false });
      return flipCounts(design, request.draws, signs, request, request.given);
    },
    async exactFlips(design, request) {
      checkExactFlips(request, design);
      const signs = () => ({ vectors: allSigns(design.clusters), all: true });
      return flipCounts(design, 2 ** design.clusters, signs, request);
    },
    async close() {},
  };
}
