import { type Piece, type Shares, workKey } from '../shares/ranged-work.js';
import { engineAround } from './around.js';
import type { ClusterDesign } from './design.js';
import type { BootstrapRequest, BootstrapValues, CountedFlips, Engine, FlipRequest } from './engine.js';

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

function joined(pieces: readonly Piece[], name: string): Float64Array {
  if (pieces.length === 1) return pieces[0]!.arrays[name]!;
  const out = new Float64Array(pieces.reduce((sum, { arrays }) => sum + arrays[name]!.length, 0));
  let at = 0;
  for (const { arrays } of pieces) {
    out.set(arrays[name]!, at);
    at += arrays[name]!.length;
  }
  return out;
}

function added(pieces: readonly Piece[], name: string): Float64Array {
  const [first, ...others] = pieces;
  // A share may have none of the draws.
  const out = first === undefined ? new Float64Array(0) : first.arrays[name]!.slice();
  for (const { arrays } of others) for (let k = 0; k < out.length; k++) out[k]! += arrays[name]![k]!;
  return out;
}

/**
 * Gives an engine whose draws and flips are done by shares: values of draws stand one behind the other, counts of flips add up. Quantiles,
 * ranks and what goes by steps are formed from them where all are together, studentised and enumerated draws and replayed streams too. An engine
 * of a partial share answers by a few draws, which serve nobody.
 */
export function sharedEngine(engine: Engine, shares: Shares): Engine {
  const { partial } = shares;

  async function drawn(design: ClusterDesign, request: BootstrapRequest): Promise<BootstrapValues> {
    const { draws, scheme, signal, onProgress } = request;
    const { random } = request;
    const pieces = await shares.pieces({
      what: 'bootstrap draws',
      key: drawsKey('bootstrap', design, { draws, scheme, ...randomOf(request) }),
      units: draws,
      async range(first, count) {
        const asked = { draws: count, first, random, scheme, probabilities: [], signal, onProgress };
        const { values, redraws } = await engine.bootstrapValues(design, asked);
        return { facts: { redraws }, arrays: { values } };
      },
    });
    return {
      values: joined(pieces, 'values'),
      redraws: pieces.reduce((sum, { facts }) => sum + (facts as { redraws: number }).redraws, 0),
    };
  }

  async function flipped(design: ClusterDesign, request: FlipRequest): Promise<CountedFlips> {
    const { draws, random, test, signal, onProgress } = request;
    const maxT = request.maxT === true || request.stepDown !== undefined;
    const pieces = await shares.pieces({
      what: 'sign flips',
      key: drawsKey('flips', design, { draws, test: test ?? 'sign-flip', maxT, ...randomOf(request) }),
      units: draws,
      async range(first, count) {
        const asked = { draws: count, first, random, test, maxT, signal, onProgress };
        const { pairs, rows, maxT: maxima } = await engine.flips(design, asked);
        return { facts: null, arrays: { pairs, rows, ...(maxima ? { maxT: maxima } : {}) } };
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
      if (request.enumerate || request.random.kind !== 'philox') return engine.bootstrap(design, request);
      if (!partial) return engine.bootstrap(design, { ...request, given: await drawn(design, request) });
      await drawn(design, request);
      return engine.bootstrap(design, few(request));
    },
    async bootstrapValues(design, request) {
      if (request.random.kind !== 'philox') return engine.bootstrapValues(design, request);
      const made = await drawn(design, request);
      return partial ? engine.bootstrapValues(design, few(request)) : made;
    },
    studentised: (design, request) =>
      engine.studentised(design, partial && !request.enumerate ? few(request) : request),
    async flips(design, request) {
      if (request.random.kind !== 'philox') return engine.flips(design, request);
      if (!partial) return engine.flips(design, { ...request, given: await flipped(design, request) });
      await flipped(design, request);
      return engine.flips(design, few(request));
    },
  });
}
