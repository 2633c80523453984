import { pairCount, pairIndex } from '../design.js';
import { standardError } from '../moments.js';
import { sortedQuantile } from '../quantile.js';

/** Values of a bootstrap, draws x rows, draw-major. */
export interface ValueTable {
  readonly values: Float64Array;
  readonly draws: number;
  readonly rows: number;
}

const column = (table: ValueTable, of: (draw: number) => number): Float64Array =>
  Float64Array.from({ length: table.draws }, (_, draw) => of(draw));

/** Forms linear quantiles of each row: rows x probabilities (statistics 4). */
export function rowQuantiles(table: ValueTable, probabilities: readonly number[]): Float64Array {
  const { values, rows } = table;
  const out = new Float64Array(rows * probabilities.length);
  for (let m = 0; m < rows; m++) {
    const sorted = column(table, (draw) => values[draw * rows + m]!).sort();
    probabilities.forEach((q, k) => {
      out[m * probabilities.length + k] = sortedQuantile(sorted, q);
    });
  }
  return out;
}

/** Forms linear quantiles of every difference of two rows: pairs x probabilities (statistics 4, 5.8). */
export function pairQuantiles(table: ValueTable, probabilities: readonly number[]): Float64Array {
  const { values, rows } = table;
  const out = new Float64Array(pairCount(rows) * probabilities.length);
  for (let i = 0; i < rows; i++) {
    for (let j = i + 1; j < rows; j++) {
      const sorted = column(table, (draw) => values[draw * rows + i]! - values[draw * rows + j]!).sort();
      const at = pairIndex(i, j, rows) * probabilities.length;
      probabilities.forEach((q, k) => {
        out[at + k] = sortedQuantile(sorted, q);
      });
    }
  }
  return out;
}

/** Forms the standard deviation of each row over draws (statistics 5.3). */
export function standardErrors(table: ValueTable): Float64Array {
  const { values, draws, rows } = table;
  return Float64Array.from({ length: rows }, (_, m) => standardError(draws, (draw) => values[draw * rows + m]!));
}

/** Forms the quantile of the largest standardised distance from the point values over ranked rows (statistics 5.4). */
export function bandCritical(
  table: ValueTable,
  ranked: number,
  points: Float64Array,
  errors: Float64Array,
  probability: number,
): number {
  const { values, rows } = table;
  const sorted = column(table, (draw) => {
    let largest = 0;
    for (let m = 0; m < ranked; m++) {
      const safe = errors[m]! > 0 ? errors[m]! : 1;
      largest = Math.max(largest, Math.abs(values[draw * rows + m]! - points[m]!) / safe);
    }
    return largest;
  }).sort();
  return sortedQuantile(sorted, probability);
}
