import type { ClusterDesign } from '../../engine/design.js';
import { shown } from '../../util/error.js';
import { counted, thousands } from '../../util/format.js';

/** Lists the strata that hold one cluster: nothing shows how much clusters vary there (decisions 2.5). */
export function loneStrata({ strata, partStratum }: Pick<ClusterDesign, 'strata' | 'partStratum'>): number[] {
  const clusters = new Int32Array(strata);
  for (const s of partStratum) clusters[s] = clusters[s]! + 1;
  return Array.from(clusters.keys()).filter((s) => clusters[s] === 1);
}

/** Share of the draws past which redraws are said to narrow intervals. */
const REDRAWN = 0.01;
/** Names of strata that a sentence lists. */
const NAMED = 5;

export interface NarrowOptions {
  readonly design: Pick<ClusterDesign, 'strata' | 'partStratum'>;
  /** strata: their labels. */
  readonly labels: readonly string[];
  readonly draws: number;
  /** Draws made again because a stratum came out empty. */
  readonly redraws: number;
}

/**
 * Says why the intervals of a design are too narrow: strata of one cluster, whose task never varies between draws, and draws
 * made again because they left a stratum empty, which keeps the extreme ones out (decisions 2.5). Empty where neither holds.
 */
export function narrowReasons({ design, labels, draws, redraws }: NarrowOptions): string[] {
  const lone = loneStrata(design);
  const reasons: string[] = [];
  if (lone.length > 0) {
    const named = lone.slice(0, NAMED).map((s) => shown(labels[s]));
    const more = lone.length > NAMED ? ` and ${lone.length - NAMED} more` : '';
    reasons.push(
      `${lone.length === 1 ? 'the stratum' : `${thousands(lone.length)} strata,`} ${named.join(', ')}${more} ${lone.length === 1 ? 'has one cluster' : 'have one cluster each'}: nothing shows how much clusters vary there, so every interval is too narrow`,
    );
  }
  if (redraws > REDRAWN * draws)
    reasons.push(
      `${counted(redraws, 'draw')} left a stratum empty and ${redraws === 1 ? 'was' : 'were'} made again (${((100 * redraws) / draws).toFixed(1)} % of ${thousands(draws)}): strata have too few clusters to be drawn jointly, so every interval is too narrow`,
    );
  return reasons;
}
