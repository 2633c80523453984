import type { ClusterDesign } from '../../engine/design.js';
import { clopperPearson } from '../binomial.js';

/** The two values of 0/1 data are 0 and `one` units. */
interface Outcomes {
  readonly one: number;
}

/**
 * Finds the value that stands for a success where all values are 0 or one other, positive value (decisions 2.4). Where only one value
 * occurs it must be 0, one point or 100 points: a table of sevens is no table of successes. Null where the data are not 0/1.
 */
export function outcomesOf(values: ArrayLike<number>, scale: number): Outcomes | null {
  let one = 0;
  let zeros = false;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i]!;
    if (value === 0) zeros = true;
    else if (one === 0 && value > 0) one = value;
    else if (value !== one) return null;
  }
  if (one === 0) return { one: scale };
  return zeros || one === scale || one === 100 * scale ? { one } : null;
}

/** Are the tasks independent and of one weight: every cluster one task, and all strata of one size? */
function independentTasks({ clusters, partCluster, partTasks, partStratum, strata, weights }: ClusterDesign): boolean {
  if (weights !== undefined) return false;
  if (partCluster.length !== clusters || partTasks.some((n) => n !== 1)) return false;
  const sizes = new Int32Array(strata);
  for (const s of partStratum) sizes[s] = sizes[s]! + 1;
  return sizes.every((size) => size === sizes[0]);
}

/**
 * Forms Clopper-Pearson intervals of the ranked rows, ranked x 2 in points (decisions 2.4), for 0/1 data of independent tasks: every cluster is one
 * task, and strata have one size, so that the score is the share of successes. Shares that differ between tasks make the
 * interval cautious, never bold (Hoeffding 1956). Null where the data or the design are not of that kind.
 */
export function binomialIntervals(design: ClusterDesign, alpha: number): Float64Array | null {
  const { rows, ranked, scale, clusters, partTotals } = design;
  if (!independentTasks(design)) return null;
  const cells = rows === ranked ? partTotals : partTotals.filter((_, i) => i % rows < ranked);
  const outcomes = outcomesOf(cells, scale);
  if (outcomes === null) return null;
  const unit = outcomes.one / scale;
  const intervals = new Float64Array(2 * ranked);
  const known: (readonly [number, number])[] = [];
  for (let m = 0; m < ranked; m += 1) {
    let count = 0;
    for (let p = 0; p < clusters; p += 1) if (partTotals[p * rows + m] !== 0) count += 1;
    const ends = known[count] ?? clopperPearson({ count, trials: clusters, confidence: 1 - alpha });
    known[count] = ends;
    const [low, high] = ends;
    intervals[2 * m] = low * unit;
    intervals[2 * m + 1] = high * unit;
  }
  return intervals;
}

/** Rows x 2 intervals, and which rows are constant. */
export interface ConstantIntervals {
  readonly intervals: Float64Array;
  readonly degenerate: Uint8Array;
}

/** Puts the Clopper-Pearson interval in place of the one point that any other kind gives a constant row (decisions 2.4); the rest stays. */
export function showBinomial(shown: ConstantIntervals, binomial: Float64Array | null): Float64Array {
  if (binomial === null) return shown.intervals;
  return shown.intervals.map((end, i) => (i < binomial.length && shown.degenerate[i >> 1] === 1 ? binomial[i]! : end));
}
