import type { FlipTotals } from '../../engine/bounds.js';
import { type ClusterDesign, pairCount, pairIndex, weighing } from '../../engine/design.js';
import { fail, shown } from '../../util/error.js';
import { holm } from '../p-values.js';
import { direction, exactTotals } from '../totals.js';
import { decidingP } from './deciding-p.js';
import { allPairs, exactTests } from './exact-p.js';

/** Decimal places that a margin may have beyond those of the scores. */
const MOST_PLACES = 6;

/**
 * Makes the design whose flips test a margin (decisions 3.3): the M ranked rows, then the same rows with the margin added to every task. Row M + j is
 * so model j moved up by the margin. Where the margin is no whole number of units of the scale, all totals are in units of a tenth, a hundredth and so on.
 *
 * Errors: USAGE where the margin is not positive or has too many decimal places; BOUND_EXCEEDED where a total passes 2^53.
 */
export function marginDesign(design: ClusterDesign, margin: number): ClusterDesign {
  const { rows, ranked, weights, partStratum, partTasks, partTotals } = design;
  const { units, finer } = marginUnits(margin, design.scale / weighing(design));
  const wide = new Float64Array(partTasks.length * 2 * ranked);
  for (let p = 0; p < partTasks.length; p += 1)
    for (let m = 0; m < ranked; m += 1) {
      const total = partTotals[p * rows + m]! * finer;
      const moved = total + units * partTasks[p]! * (weights?.[partStratum[p]!] ?? 1);
      if (!Number.isSafeInteger(total) || !Number.isSafeInteger(moved))
        fail(
          'BOUND_EXCEEDED',
          null,
          `with the margin ${margin} a total passes 2^53`,
          'Give a margin with fewer decimals.',
        );
      wide[p * 2 * ranked + m] = total;
      wide[p * 2 * ranked + ranked + m] = moved;
    }
  return { ...design, rows: 2 * ranked, ranked: 2 * ranked, scale: design.scale * finer, partTotals: wide };
}

/** The margin as a whole number of the largest unit that is 1 / 10^k of the scale's. */
function marginUnits(margin: number, scale: number): { units: number; finer: number } {
  if (!(margin > 0) || !Number.isFinite(margin))
    fail('USAGE', null, `the margin is ${shown(margin)}`, 'A margin is a positive number of points.');
  for (let places = 0; places <= MOST_PLACES; places += 1) {
    const finer = 10 ** places;
    const units = Math.round(margin * scale * finer);
    if (units > 0 && units / (scale * finer) === margin) return { units, finer };
  }
  return fail(
    'USAGE',
    null,
    `the margin ${margin} is no whole number of millionths of the unit of the scores, 1/${scale}`,
    'Give a margin with fewer decimals.',
  );
}

export interface MarginTestOptions {
  /** From `marginDesign`, as are its totals and counts. */
  readonly design: ClusterDesign;
  readonly totals: FlipTotals;
  /** Flips that reach the observed difference, all pairs of its rows in `pairIndex` order. */
  readonly exceedances: ArrayLike<number>;
  readonly flips: number;
  readonly alpha: number;
}

/** By pair of models, in `pairIndex` order. */
export interface MarginTests {
  /** The larger of the two one-sided p. */
  readonly p: Float64Array;
  readonly holm: Float64Array;
  /** 1: equal within the margin, `holm` below alpha. */
  readonly equalWithin: Uint8Array;
}

/**
 * Tests of every pair of models whether they differ by less than the margin (decisions 3.3). Two sign-flip tests, of i - j less the margin and of
 * j - i less the margin: each gives half its two-sided p where that difference is negative, else 1. The larger one counts, Holm
 * runs over all pairs.
 */
export function marginTests({ design, totals, exceedances, flips, alpha }: MarginTestOptions): MarginTests {
  const rows = design.rows;
  const models = rows / 2;
  const { left, right } = allPairs(models);
  const exact = exactTotals(design);
  const oneSided = (first: Int32Array, second: Int32Array) => {
    const moved = second.map((model) => models + model);
    const tests = exactTests({
      totals: totals.totals,
      rows,
      pairs: { left: first, right: moved },
      flips: totals.weights.kind === 'exact' ? flips : 0,
    });
    const counts = Float64Array.from(first, (row, k) => exceedances[pairIndex(row, moved[k]!, rows)]!);
    const { p } = decidingP({ exceedances: counts, flips, exact: tests });
    return p.map((value, k) => (direction(exact, first[k]!, moved[k]!) < 0 ? value / 2 : 1));
  };
  const above = oneSided(left, right);
  const below = oneSided(right, left);
  const p = Float64Array.from({ length: pairCount(models) }, (_, k) => Math.max(above[k]!, below[k]!));
  const adjusted = holm(p);
  return { p, holm: adjusted, equalWithin: Uint8Array.from(adjusted, (value) => Number(value < alpha)) };
}
