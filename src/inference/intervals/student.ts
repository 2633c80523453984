import { type ClusterDesign, pairCount } from '../../engine/design.js';
import { layoutOf } from '../../engine/layout.js';
import { clusterUnits, linearisation } from '../../engine/linearised.js';
import { constantPairs } from '../decisions/constant-pairs.js';
import { type ExactTotals, meanDifference } from '../totals.js';
import { constantRows, isConstant } from './constant.js';
import { bellMcCaffrey } from './degrees-of-freedom.js';
import { loneStrata } from './lone-strata.js';
import { tQuantile } from './t-quantile.js';

/** Least and greatest value of a cell, in points: what no score passes. Infinite where nothing bounds them. */
export type ValueRange = readonly [low: number, high: number];

export interface StudentOptions {
  readonly design: ClusterDesign;
  readonly exact: ExactTotals;
  /** Intervals cover 1 - alpha. */
  readonly alpha: number;
  readonly range: ValueRange;
}

/** Intervals of rows or pairs, in points. */
export interface StudentIntervals {
  /** rows (or pairs) x 2, clipped to the range. */
  readonly intervals: Float64Array;
  /** rows (or pairs): the leverage-scaled error. */
  readonly errors: Float64Array;
  /** rows (or pairs): 1 where nothing varies between clusters, on integers; the interval is then one point. */
  readonly degenerate: Uint8Array;
  /** Bell-McCaffrey degrees of freedom, the same for every row and pair of a design. */
  readonly degreesOfFreedom: number;
}

/** Student intervals of what is asked for. The interval of a pair is that of the row of differences. */
export interface StudentErrors {
  /** All rows. */
  rows(): StudentIntervals;
  /** Pairs of ranked rows, in `pairIndex` order: left minus right. */
  pairs(): StudentIntervals;
  /** Each ranked row minus one row: the chance row, or a model that all are compared with. */
  against(row: number): StudentIntervals;
}

/**
 * Prepares Student intervals from the influence of whole clusters (decisions 2.4): score +- t e, with e the root of the sum of
 * squared influences, each scaled by its leverage (CR2), and t the quantile at 1 - alpha / 2 with Bell-McCaffrey degrees of freedom.
 * Null where some stratum has one cluster: nothing shows how much clusters vary there (decisions 2.5).
 *
 * Errors: those of `layoutOf`.
 */
export function studentErrors(options: StudentOptions): StudentErrors | null {
  const { design, exact, alpha, range } = options;
  if (loneStrata(design).length > 0) return null;
  const layout = layoutOf(design);
  const { rows, ranked } = design;
  const { measure, influenceOf, order } = linearisation(design, layout, clusterUnits(design));
  const linearised = measure(new Uint8Array(layout.parts).fill(1));
  const { scales, squares, values } = linearised;
  const clusters = order.length;
  const degreesOfFreedom = bellMcCaffrey(design, layout, linearised);
  const t = tQuantile(alpha / 2, degreesOfFreedom);
  const differences = [range[0] - range[1], range[1] - range[0]] as const;

  return {
    rows() {
      return around(values, squares.map(Math.sqrt), constantRows(design, layout), range);
    },
    pairs() {
      const centres = new Float64Array(pairCount(ranked));
      const errors = new Float64Array(centres.length);
      const scaled = scaledInfluences();
      for (let left = 0, k = 0; left < ranked; left += 1)
        for (let right = left + 1; right < ranked; right += 1, k += 1) {
          centres[k] = meanDifference(exact, left, right);
          errors[k] = distance(scaled, clusters, left, right);
        }
      return around(centres, errors, constantPairs(design), differences);
    },
    against(row) {
      const centres = Float64Array.from({ length: ranked }, (_, m) => meanDifference(exact, m, row));
      const scaled = scaledInfluences();
      const errors = Float64Array.from({ length: ranked }, (_, m) => distance(scaled, clusters, m, row));
      const degenerate = Uint8Array.from({ length: ranked }, (_, m) => (isConstant(design, layout, m, row) ? 1 : 0));
      return around(centres, errors, degenerate, differences);
    },
  };

  /** Influences of all rows, rows x clusters, each times the root of the scale of its cluster; clusters in the order of their first parts. */
  function scaledInfluences(): Float64Array {
    const scaled = new Float64Array(rows * clusters);
    order.forEach((c, at) => {
      const root = Math.sqrt(scales[c]!);
      const r = influenceOf(c);
      for (let m = 0; m < rows; m += 1) scaled[m * clusters + at] = root * r[m]!;
    });
    return scaled;
  }

  function around(
    centres: Float64Array,
    errors: Float64Array,
    degenerate: Uint8Array,
    [least, most]: ValueRange,
  ): StudentIntervals {
    const intervals = new Float64Array(2 * centres.length);
    centres.forEach((centre, k) => {
      intervals[2 * k] = Math.max(least, centre - t * errors[k]!);
      intervals[2 * k + 1] = Math.min(most, centre + t * errors[k]!);
    });
    return { intervals, errors, degenerate, degreesOfFreedom };
  }
}

/** Distance of two rows of a table of `width` columns. */
function distance(table: Float64Array, width: number, left: number, right: number): number {
  const a = table.subarray(left * width, (left + 1) * width);
  const b = table.subarray(right * width, (right + 1) * width);
  let sum = 0;
  for (let c = 0; c < width; c += 1) {
    const d = a[c]! - b[c]!;
    sum += d * d;
  }
  return Math.sqrt(sum);
}
