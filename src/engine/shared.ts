import { added, isShared, joined, type Shares, workKey } from '../shares/ranged-work.js';
import { engineAround } from './around.js';
import { type ClusterDesign, pairCount } from './design.js';
import type {
  BootstrapRequest,
  BootstrapValues,
  CountedFlips,
  Engine,
  FlipCounts,
  FlipRequest,
  RankSets,
} from './engine.js';

/** Draws that stand for all where a share forms no result. */
const STAND_IN = 64;

/** Forms the key of draws over a design from what decides them. */
function drawsKey(what: string, { weights, ...design }: ClusterDesign, choices: object): string {
  const { rows, ranked, clusters, strata, scale, partCluster, partStratum, partTasks, partTotals } = design;
  return workKey({ what, rows, ranked, clusters, strata, scale, weights: weights ?? null, ...choices }, [
    partCluster,
    partStratum,
    partTasks,
    partTotals,
  ]);
}

const randomOf = ({ random }: Pick<FlipRequest, 'random'>) =>
  random.kind === 'philox' ? { seed: random.seed.toString(), stream: random.stream } : null;

/** Rank sets of a share, where nobody is above another: they are formed of all draws, at no small cost. */
function noRankSets({ ranked }: ClusterDesign): RankSets {
  const none = () => new Uint8Array(ranked * ranked);
  return { simultaneous: none(), marginalAbove: none(), marginalBelow: none() };
}

/** Flips of a share: what it counted stands for all, and of what goes by steps nothing is rejected. */
function sharedFlips(
  design: ClusterDesign,
  { draws, maxT, stepDown, rankSets }: FlipRequest,
  counted: CountedFlips,
): FlipCounts {
  const pairs = pairCount(design.ranked);
  return {
    ...counted,
    draws,
    weights: { kind: 'exact', relativeError: 0 },
    maxT: maxT ? counted.maxT : null,
    maxTStep: stepDown ? { exceedances: new Float64Array(pairs).fill(draws), attainable: new Uint8Array(pairs) } : null,
    rankSets: rankSets ? noRankSets(design) : null,
  };
}

/**
 * Gives an engine whose draws and flips are done by shares: values of draws stand one behind the other, counts of flips add up. Quantiles,
 * ranks and what goes by steps are formed from them where all are together, studentised and enumerated draws and replayed streams too. An engine
 * of a partial share answers by a few draws or by what it counted, which serve nobody. Errors: USAGE where a share of a replayed stream is asked for.
 */
export function sharedEngine(engine: Engine, shares: Shares): Engine {
  const { partial } = shares;

  async function drawn(design: ClusterDesign, request: BootstrapRequest): Promise<BootstrapValues> {
    const { draws, scheme, signal, onProgress } = request;
    const { random } = request;
    const pieces = await shares.pieces({
      what: 'bootstrap draws',
      key: () => drawsKey('bootstrap', design, { draws, scheme, ...randomOf(request) }),
      units: draws,
      lengths: (_, count) => ({ values: count * design.rows, redraws: 1 }),
      most: () => ({ redraws: Number.MAX_SAFE_INTEGER }),
      async range(first, count) {
        const asked = { draws: count, first, random, scheme, probabilities: [], signal, onProgress };
        const { values, redraws } = await engine.bootstrapValues(design, asked);
        return { values, redraws: Float64Array.of(redraws) };
      },
    });
    return { values: joined(pieces, 'values'), redraws: added(pieces, 'redraws')[0]! };
  }

  async function flipped(design: ClusterDesign, request: FlipRequest): Promise<CountedFlips> {
    const { draws, random, test, signal, onProgress } = request;
    const maxT = request.maxT === true || request.stepDown !== undefined;
    const pieces = await shares.pieces({
      what: 'sign flips',
      key: () => drawsKey('flips', design, { draws, test: test ?? 'sign-flip', maxT, ...randomOf(request) }),
      units: draws,
      lengths: () => ({
        pairs: pairCount(design.rows),
        rows: design.rows,
        ...(maxT ? { maxT: pairCount(design.ranked) } : {}),
      }),
      most: (count) => ({ pairs: count, rows: count, maxT: count }),
      async range(first, count) {
        const asked = { draws: count, first, random, test, maxT, signal, onProgress };
        const { pairs, rows, maxT: maxima } = await engine.flips(design, asked);
        return { pairs, rows, ...(maxima ? { maxT: maxima } : {}) };
      },
    });
    return {
      pairs: added(pieces, 'pairs'),
      rows: added(pieces, 'rows'),
      maxT: maxT ? added(pieces, 'maxT') : null,
    };
  }

  const few = <T extends { readonly draws: number }>(request: T): T => ({
    ...request,
    draws: Math.min(STAND_IN, request.draws),
  });

  return engineAround(engine, {
    async bootstrap(design, request) {
      if (request.enumerate || !isShared(shares, request.random)) return engine.bootstrap(design, request);
      if (!partial) return engine.bootstrap(design, { ...request, given: await drawn(design, request) });
      await drawn(design, request);
      const summary = await engine.bootstrap(design, { ...few(request), rankSets: undefined });
      return { ...summary, rankSets: request.rankSets ? noRankSets(design) : null };
    },
    async bootstrapValues(design, request) {
      if (!isShared(shares, request.random)) return engine.bootstrapValues(design, request);
      const made = await drawn(design, request);
      return partial ? engine.bootstrapValues(design, few(request)) : made;
    },
    studentised: (design, request) =>
      engine.studentised(design, partial && !request.enumerate ? few(request) : request),
    async flips(design, request) {
      if (!isShared(shares, request.random)) return engine.flips(design, request);
      const given = await flipped(design, request);
      return partial ? sharedFlips(design, request, given) : engine.flips(design, { ...request, given });
    },
  });
}
