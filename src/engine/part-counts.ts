import type { ClusterDesign } from './design.js';
import type { BootstrapRequest } from './engine.js';
import type { Layout } from './layout.js';
import { bootstrapMultisets, checkMultisets } from './multisets.js';
import { bootstrapCounts } from './reference/weights.js';

/** Which bootstraps are formed: draws at random, or all multisets in their place (decisions 5.1). */
export interface DrawnBootstraps extends Pick<BootstrapRequest, 'draws' | 'random' | 'scheme'> {
  readonly enumerate?: boolean;
}

/** How often each part is taken, and how many ordered draws that stands for; `counts` of a multiset are overwritten by the next one. */
export interface PartCounts {
  readonly counts: ArrayLike<number>;
  readonly weight: number;
}

/**
 * Gives the part counts of all draws of a bootstrap (statistics 5.6, 5.7), or of all its multisets that leave no stratum empty (decisions 5.1).
 *
 * Errors: STRATUM_EMPTY as the draws; BOUND_EXCEEDED where there are more multisets than draws.
 */
export function* partCounts(design: ClusterDesign, layout: Layout, drawn: DrawnBootstraps): Generator<PartCounts> {
  if (!drawn.enumerate) {
    for (const { counts } of bootstrapCounts(design, layout, { ...drawn, probabilities: [] }))
      yield { counts, weight: 1 };
    return;
  }
  checkMultisets(design, drawn.scheme, drawn.draws);
  const { strata, weights } = bootstrapMultisets(design, layout, drawn.scheme);
  const counts = new Int32Array(layout.parts);
  for (let b = 0; b < weights.length; b += 1) {
    const filled = strata.every(({ sets, places, every }, s) => {
      const from = (Math.floor(b / every) % sets.count) * sets.size;
      let taken = 0;
      places.forEach((place, p) => {
        const k = sets.counts[from + place]!;
        counts[layout.stratumStart[s]! + p] = k;
        taken += k;
      });
      return taken > 0;
    });
    if (filled) yield { counts, weight: weights[b]! };
  }
}
