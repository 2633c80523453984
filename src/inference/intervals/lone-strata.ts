import type { ClusterDesign } from '../../engine/design.js';
import { shown } from '../../util/error.js';

/** Lists the strata that hold one cluster: nothing shows how much clusters vary there (decisions 2.5). */
export function loneStrata({ strata, partStratum }: Pick<ClusterDesign, 'strata' | 'partStratum'>): number[] {
  const clusters = new Int32Array(strata);
  for (const s of partStratum) clusters[s] = clusters[s]! + 1;
  return Array.from(clusters.keys()).filter((s) => clusters[s] === 1);
}

/** Share of the draws past which those that leave a stratum empty are said to narrow intervals. */
const REDRAWN = 0.01;
/** Names of strata that a sentence lists. */
const NAMED = 5;

export interface NarrowOptions {
  readonly design: Pick<ClusterDesign, 'strata' | 'partStratum'>;
  /** strata: their labels. */
  readonly labels: readonly string[];
  /** Draws that left a stratum empty, over the draws that count; by weight where multisets are enumerated. */
  readonly emptied: number;
}

/**
 * Says why the intervals of a design are too narrow: strata of one cluster, which never varies between draws, and draws that left a
 * stratum empty and do not count, which are the extreme ones (decisions 2.5). Empty where neither holds.
 */
export function narrowReasons({ design, labels, emptied }: NarrowOptions): string[] {
  const lone = loneStrata(design);
  const reasons: string[] = [];
  if (lone.length > 0) {
    const named = lone.slice(0, NAMED).map((s) => shown(labels[s]));
    const more = lone.length > NAMED ? ` and ${lone.length - NAMED} more` : '';
    const which = lone.length === 1 ? 'stratum' : 'strata';
    reasons.push(
      `${which} ${named.join(', ')}${more} ${lone.length === 1 ? 'has one cluster' : 'have one cluster each'}: nothing shows how much clusters vary there, so every interval is too narrow`,
    );
  }
  if (emptied > REDRAWN)
    reasons.push(
      `${((100 * emptied) / (1 + emptied)).toFixed(1)} % of the bootstrap draws left a stratum empty and were made again or left out: strata have too few clusters to be drawn jointly, so every interval is too narrow`,
    );
  return reasons;
}
