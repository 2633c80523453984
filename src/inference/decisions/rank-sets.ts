import { pairIndex } from '../../engine/design.js';
import type { RankSets } from '../../engine/engine.js';
import { holm } from '../p-values.js';
import type { Multiplicity } from '../plan.js';

/** What rank sets are formed from: bootstrap draws, or the flips of the test in force. */
type RankSetSource = 'bootstrap' | 'flips';

/** Effective clusters below which bootstrap rank sets err too often (decisions 1.4). */
const FEW_CLUSTERS = 50;

export interface RankSetSourceOptions {
  readonly effectiveClusters: number;
  /** 2 / 2^c of every pair of models. */
  readonly floors: ArrayLike<number>;
  readonly alpha: number;
}

/** Chooses the source: flips below 50 effective clusters, or where the floor of some pair is not below alpha (decisions 1.4). */
export function rankSetSource({ effectiveClusters, floors, alpha }: RankSetSourceOptions): RankSetSource {
  const high = Array.prototype.some.call(floors, (floor: number) => floor >= alpha);
  return effectiveClusters < FEW_CLUSTERS || high ? 'flips' : 'bootstrap';
}

export interface RankSetOptions {
  readonly models: number;
  readonly sets: RankSets;
  /** By pair (`pairIndex` order): 1 where the difference is constant, so that it took no part in the step-down. */
  readonly constant: ArrayLike<number>;
  /** By pair: sign of the first minus the second. */
  readonly direction: ArrayLike<number>;
  /** By pair: the p that decides, and whether the test in force rejects. */
  readonly p: ArrayLike<number>;
  readonly rejected: ArrayLike<number>;
  readonly multiplicity: Multiplicity;
  readonly alpha: number;
}

/** Models x 2 each: the lowest and the highest rank that the data leave. */
export interface RankSetTable {
  readonly marginal: Int32Array;
  readonly simultaneous: Int32Array;
}

/**
 * Forms the rank sets: [1 + number significantly above, M - number significantly below] (decisions 1.3, 1.4). A pair separates where the
 * step-down rejects and so does the test in force; a pair with a constant difference where that test alone does. In the set of one
 * model alone the test in force counts with the multiplicity of the pairs that name it: Holm over their p; under max-T their p as it is.
 */
export function rankSets(options: RankSetOptions): RankSetTable {
  const { models, sets, constant, direction, p, rejected, multiplicity, alpha } = options;
  const marginal = wholeRange(models);
  const simultaneous = wholeRange(models);
  const largest = multiplicity === 'holm' ? largestRejected(options) : null;
  const rejectedAlone = (model: number, pair: number): boolean =>
    largest === null ? p[pair]! < alpha : p[pair]! <= largest[model]!;
  for (let i = 0, pair = 0; i < models; i += 1)
    for (let j = i + 1; j < models; j += 1, pair += 1) {
      if (direction[pair] === 0) continue;
      const above = direction[pair]! > 0 ? i : j;
      const below = i + j - above;
      const free = Boolean(constant[pair]);
      const cell = above * models + below;
      if (rejected[pair] && (free || sets.simultaneous[cell])) {
        simultaneous[2 * above + 1]! -= 1;
        simultaneous[2 * below]! += 1;
      }
      if ((free || sets.marginalAbove[cell]) && rejectedAlone(above, pair)) marginal[2 * above + 1]! -= 1;
      if ((free || sets.marginalBelow[below * models + above]) && rejectedAlone(below, pair)) marginal[2 * below]! += 1;
    }
  return { marginal, simultaneous };
}

function wholeRange(models: number): Int32Array {
  return Int32Array.from({ length: 2 * models }, (_, k) => (k % 2 === 0 ? 1 : models));
}

/** By model: the largest p that Holm rejects among the pairs that name it; -1 where it rejects none. */
function largestRejected({ models, p, alpha }: RankSetOptions): Float64Array {
  const largest = new Float64Array(models).fill(-1);
  const own = new Float64Array(models - 1);
  for (let m = 0; m < models; m += 1) {
    for (let k = 0; k < models; k += 1)
      if (k !== m) own[k < m ? k : k - 1] = p[m < k ? pairIndex(m, k, models) : pairIndex(k, m, models)]!;
    holm(own).forEach((adjusted, k) => {
      if (adjusted < alpha) largest[m] = Math.max(largest[m]!, own[k]!);
    });
  }
  return largest;
}
