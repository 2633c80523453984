import type { ClusterDesign } from '../engine/design.js';
import { lcm } from '../util/divisor.js';

/**
 * Exact scores as integers over one denominator (statistics 6.3): with L the least common multiple of the stratum sizes
 * n_s, a row's total is the sum over strata of L / n_s times its sum there, and its score is total / (S x L x scale).
 * Ties and directions are decided here, never on floats.
 */
export interface ExactTotals {
  /** rows: weighted totals. */
  readonly totals: readonly bigint[];
  /** S x L x scale. */
  readonly denominator: bigint;
  /** strata: L / n_s. */
  readonly weights: readonly bigint[];
}

/** Weighs and sums the parts of every row as integers (statistics 6.3). */
export function exactTotals(design: ClusterDesign): ExactTotals {
  const { rows, strata, partStratum, partTasks, partTotals } = design;
  const tasks = new Array<bigint>(strata).fill(0n);
  const sums = Array.from({ length: strata }, () => new Array<bigint>(rows).fill(0n));
  for (let p = 0; p < partStratum.length; p += 1) {
    const s = partStratum[p]!;
    tasks[s] = tasks[s]! + BigInt(partTasks[p]!);
    const sum = sums[s]!;
    for (let r = 0; r < rows; r += 1) sum[r] = sum[r]! + BigInt(partTotals[p * rows + r]!);
  }
  const multiple = lcm(tasks);
  const weights = tasks.map((n) => multiple / n);
  const totals = Array.from({ length: rows }, (_, r) =>
    weights.reduce((total, weight, s) => total + weight * sums[s]![r]!, 0n),
  );
  return { totals, denominator: BigInt(strata) * multiple * BigInt(design.scale), weights };
}

/** Largest total that is taken as a number: differences of two are exact. */
const NUMBERS = 2n ** 52n;

/** Opens the difference of two rows in points for tables of all pairs: as numbers where that loses nothing. */
export function meanDifferences(exact: ExactTotals): (left: number, right: number) => number {
  const { totals, denominator } = exact;
  if (totals.some((total) => total > NUMBERS || total < -NUMBERS))
    return (left, right) => meanDifference(exact, left, right);
  const numbers = Float64Array.from(totals, Number);
  const unit = Number(denominator);
  return (left, right) => (numbers[left]! - numbers[right]!) / unit;
}

/** Gives the difference of two rows in points. */
export function meanDifference(exact: ExactTotals, left: number, right: number): number {
  const difference = exact.totals[left]! - exact.totals[right]!;
  return Number(difference) / Number(exact.denominator);
}

/** Gives the sign of left minus right: 1, 0 or -1. */
export function direction(exact: ExactTotals, left: number, right: number): 1 | 0 | -1 {
  const a = exact.totals[left]!;
  const b = exact.totals[right]!;
  return a > b ? 1 : a < b ? -1 : 0;
}
