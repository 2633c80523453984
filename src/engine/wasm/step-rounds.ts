import { type DrawTotal, rejects } from '../step-down.js';

/** What a sweep over all draws found out about a family. */
export interface FamilyTally {
  /** By number of active levels: draws whose exact maximum reaches that many. */
  readonly counts: Float64Array;
  /** Exact maxima that reach the threshold. */
  readonly above: number;
}

/**
 * A family in step-down. What is rejected is always the upper end of its levels, so the active ones are the first `open`.
 */
export interface OpenFamily {
  /** Ascending positive statistics: only these can be rejected. */
  readonly levels: Float64Array;
  /** Levels that are active. */
  open: number;
  /** Draws that reach level k, in the round that rejected it, or more of a level rejected earlier. */
  readonly exceedances: Float64Array;
}

/** Families over the same draws, whose exact maxima are formed where bounds reach a threshold. */
export interface FamilySet {
  readonly families: readonly OpenFamily[];
  readonly draws: number;
  /**
   * Tallies every family for which a number of draws is wanted, over draws of which at least that many have bounds that reach a
   * threshold of its own. All other draws have maxima below it.
   */
  tally(wanted: Int32Array): Promise<readonly FamilyTally[]>;
  /** Takes the hypotheses of a family whose statistics are at least `cut` out of its maxima. */
  leave(family: number, cut: number): void;
}

/** Opens a family by its statistics; those that are not positive are never rejected. */
export function openFamily(statistics: Float64Array): OpenFamily {
  const levels = statistics.filter((t) => t > 0).sort();
  return { levels, open: levels.length, exceedances: new Float64Array(levels.length) };
}

/** Draws gone through beyond those that decide, at first and in later rounds, as shares. */
const FIRST = 1.05;
const LATER = 1.5;
const WIDER = 1.7;

/** Finds how many draws a rejected hypothesis may be reached by at most; -1 where nothing can be rejected. */
export function mostExceedances(draws: DrawTotal, alpha: number): number {
  let most = Math.max(0, Math.floor(alpha * draws.total) - 3);
  if (!rejects(0, draws, alpha)) return -1;
  while (most > 0 && !rejects(most, draws, alpha)) most--;
  while (rejects(most + 1, draws, alpha)) most++;
  return most;
}

/**
 * Steps all families of a set down, side by side, until no round rejects anything (decisions 3.1). In a round the statistics above
 * the maximum of which `most` others are not below are rejected.
 */
export async function stepDownFamilies(set: FamilySet, total: DrawTotal, alpha: number): Promise<void> {
  const { families, draws } = set;
  const most = mostExceedances(total, alpha);
  if (most < 0) return;
  const share = families.map(() => FIRST);
  const least = families.map(() => 0);
  const pending = families.map(({ open }) => open > 0);
  const wanted = new Int32Array(families.length);
  while (pending.includes(true)) {
    for (let f = 0; f < families.length; f++)
      wanted[f] = pending[f] ? Math.min(draws, Math.ceil((most + 1) * share[f]!) + 16) : 0;
    const tallies = await set.tally(wanted);
    families.forEach((family, f) => {
      if (!pending[f]) return;
      const { counts, above } = tallies[f]!;
      if (above <= most) {
        share[f]! *= WIDER;
        return;
      }
      share[f] = LATER;
      const { open, levels, exceedances } = family;
      // Draws that reach more than k levels reach level k.
      let reached = 0;
      let level = open;
      for (; level > 0 && reached + counts[level]! <= most; level--) {
        reached += counts[level]!;
        exceedances[level - 1] = Math.max(least[f]!, reached);
      }
      if (level < open) {
        least[f] = exceedances[level]!;
        set.leave(f, levels[level]!);
        family.open = level;
      }
      pending[f] = level < open && level > 0;
    });
  }
}
