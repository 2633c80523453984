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
  const { models, sets, constant, direction, rejected, alpha } = options;
  const marginal = wholeRange(models);
  const simultaneous = wholeRange(models);
  for (let j = 0; j < models; j += 1) {
    const own = ownFamily(options, j);
    for (let k = 0; k < models; k += 1) {
      if (k === j) continue;
      const pair = j < k ? pairIndex(j, k, models) : pairIndex(k, j, models);
      const above = j < k ? direction[pair]! > 0 : direction[pair]! < 0;
      const below = j < k ? direction[pair]! < 0 : direction[pair]! > 0;
      const free = Boolean(constant[pair]);
      const at = j * models + k;
      if (rejected[pair]) {
        if (above && (free || sets.simultaneous[at])) simultaneous[2 * j + 1]! -= 1;
        if (below && (free || sets.simultaneous[k * models + j])) simultaneous[2 * j]! += 1;
      }
      if (own[k]! < alpha) {
        if (above && (free || sets.marginalAbove[at])) marginal[2 * j + 1]! -= 1;
        if (below && (free || sets.marginalBelow[at])) marginal[2 * j]! += 1;
      }
    }
  }
  return { marginal, simultaneous };
}

function wholeRange(models: number): Int32Array {
  return Int32Array.from({ length: 2 * models }, (_, k) => (k % 2 === 0 ? 1 : models));
}

/** By other model: p of its pair with model j, with the multiplicity of those pairs; 1 for j itself. */
function ownFamily({ models, p, multiplicity }: RankSetOptions, j: number): Float64Array {
  const raw = new Float64Array(models - 1);
  for (let k = 0; k < models; k += 1)
    if (k !== j) raw[k < j ? k : k - 1] = p[j < k ? pairIndex(j, k, models) : pairIndex(k, j, models)]!;
  const adjusted = multiplicity === 'holm' ? holm(raw) : raw;
  const out = new Float64Array(models).fill(1);
  for (let k = 0; k < models; k += 1) if (k !== j) out[k] = adjusted[k < j ? k : k - 1]!;
  return out;
}
