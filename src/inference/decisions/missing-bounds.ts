import type { FlipTotals } from '../../engine/bounds.js';
import { type ClusterDesign, pairIndex } from '../../engine/design.js';
import { direction, exactTotals } from '../totals.js';
import { allPairs, type ExactTests, exactTests, pairsWith, type RowPairs } from './exact-p.js';

/**
 * Joins two designs of one table with missing cells: at the least value that a cell can have, and at the greatest (decisions 4.2). Rows 0 to M - 1
 * are the models of `low`, M to 2 M - 1 those of `high`; a chance row stands last.
 */
export function boundsDesign(low: ClusterDesign, high: ClusterDesign): ClusterDesign {
  const { ranked, rows } = low;
  const chance = rows - ranked;
  const wide = 2 * ranked + chance;
  const partTotals = new Float64Array(low.partTasks.length * wide);
  for (let p = 0; p < low.partTasks.length; p += 1) {
    partTotals.set(low.partTotals.subarray(p * rows, p * rows + ranked), p * wide);
    partTotals.set(high.partTotals.subarray(p * rows, (p + 1) * rows), p * wide + ranked);
  }
  return { ...low, rows: wide, ranked: 2 * ranked, partTotals };
}

export interface BoundsEvidenceOptions {
  /** From `boundsDesign`, as are its totals and counts. */
  readonly design: ClusterDesign;
  readonly totals: FlipTotals;
  /** Flips that reach the observed difference, all pairs of its rows in `pairIndex` order. */
  readonly exceedances: ArrayLike<number>;
  readonly flips: number;
}

/** What the tests of a table with missing cells rest on, by hypothesis: what `decidedTests` and `decisions` take. */
export interface BoundsEvidence {
  readonly exceedances: Float64Array;
  readonly exact: ExactTests;
  /** 1: the first is above the second whatever the missing values are; -1: below; 0: that depends on them. */
  readonly direction: Int8Array;
}

/**
 * Gathers the evidence about each pair of models: that A is above B is tested with A at the least and B at the greatest values, where A is still the
 * higher one then. No other values give a smaller p, since the p of the plain test falls or stays where a total moves in the
 * direction of the difference. Where neither stays higher, p is 1.
 */
export function boundsOfPairs(options: BoundsEvidenceOptions): BoundsEvidence {
  const models = options.design.ranked / 2;
  const { left, right } = allPairs(models);
  const high = (rows: Int32Array) => rows.map((row) => row + models);
  return evidence(options, { left, right: high(right) }, { left: high(left), right });
}

/** The same for each model against the chance row. */
export function boundsOfChance(options: BoundsEvidenceOptions): BoundsEvidence {
  const { ranked } = options.design;
  const { left, right } = pairsWith(ranked, ranked / 2);
  return evidence(options, { left, right }, { left: left.map((row) => row + ranked / 2), right });
}

/** `above`: rows whose difference is positive where the first stands above; `below`: negative where it stands below. */
function evidence(options: BoundsEvidenceOptions, above: RowPairs, below: RowPairs): BoundsEvidence {
  const { design, totals, flips, exceedances } = options;
  const { rows } = design;
  const tested = (pairs: RowPairs) =>
    exactTests({ totals: totals.totals, rows, pairs, flips: totals.weights.kind === 'exact' ? flips : 0 });
  const ofAbove = tested(above);
  const ofBelow = tested(below);
  const sums = exactTotals(design);
  const count = above.left.length;
  const signs = new Int8Array(count);
  const counts = new Float64Array(count).fill(flips);
  const differing = ofAbove.differing.slice();
  const p = new Float64Array(count).fill(1);
  for (let k = 0; k < count; k += 1) {
    const stands = direction(sums, above.left[k]!, above.right[k]!) > 0;
    if (!stands && direction(sums, below.left[k]!, below.right[k]!) >= 0) continue;
    const [pairs, tests] = stands ? [above, ofAbove] : [below, ofBelow];
    const [i, j] = [pairs.left[k]!, pairs.right[k]!];
    signs[k] = stands ? 1 : -1;
    counts[k] = exceedances[i < j ? pairIndex(i, j, rows) : pairIndex(j, i, rows)]!;
    differing[k] = tests.differing[k]!;
    p[k] = tests.p[k]!;
  }
  return { exceedances: counts, exact: { differing, p }, direction: signs };
}
