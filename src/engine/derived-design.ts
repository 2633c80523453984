import type { ClusterDesign } from './design.js';

/** How the totals of a design follow from those of another one with the same parts. */
export interface Derivation {
  /** rows: which row of the other design each is. */
  readonly rows: Int32Array;
  /** strata: by what whole number its totals are multiplied. */
  readonly factors: Float64Array;
}

const same = (a: Int32Array, b: Int32Array): boolean => a.length === b.length && a.every((value, k) => value === b[k]);

/** Finds the row of a design whose totals, times the factors, are those of row `row` of another; -1 where there is none. */
function rowLike(of: ClusterDesign, design: ClusterDesign, row: number, factors: Float64Array, from: number): number {
  const { partStratum, partTotals, rows } = design;
  const parts = partStratum.length;
  for (let tried = 0; tried < of.rows; tried++) {
    const other = (from + tried) % of.rows;
    let p = 0;
    while (p < parts && partTotals[p * rows + row] === of.partTotals[p * of.rows + other]! * factors[partStratum[p]!]!)
      p++;
    if (p === parts) return other;
  }
  return -1;
}

/**
 * Derives the totals of a design from those of another one of the same parts: strata weigh otherwise, by whole multiples, or rows are missing. Null
 * where they do not follow.
 */
export function derivation(of: ClusterDesign, design: ClusterDesign): Derivation | null {
  if (design.clusters !== of.clusters || design.strata !== of.strata || design.rows > of.rows) return null;
  if (!same(design.partCluster, of.partCluster) || !same(design.partStratum, of.partStratum)) return null;
  if (!same(design.partTasks, of.partTasks)) return null;
  const ratios = Array.from({ length: of.strata }, (_, s) => (design.weights?.[s] ?? 1) / (of.weights?.[s] ?? 1));
  if (!ratios.every(Number.isInteger)) return null;
  const factors = Float64Array.from(ratios);
  const rows = new Int32Array(design.rows);
  for (let m = 0, next = 0; m < rows.length; m++) {
    const row = rowLike(of, design, m, factors, next);
    if (row < 0) return null;
    rows[m] = row;
    next = row + 1;
  }
  return { rows, factors };
}
