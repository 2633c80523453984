import type { ClusterDesign } from '../../engine/design.js';
import { layoutOf } from '../../engine/layout.js';
import { interpolate, quantilePlace } from '../../engine/quantile.js';
import { weightedQuantile } from '../../engine/weighted.js';
import { constantRows } from './constant.js';
import { clusterUnits, linearisation, partUnits } from './linearised.js';
import { type DrawnBootstraps, partCounts } from './part-counts.js';
import type { ValueRange } from './student.js';

export interface BootstrapTOptions {
  readonly design: ClusterDesign;
  readonly draws: DrawnBootstraps;
  /** Intervals cover 1 - alpha. */
  readonly alpha: number;
  readonly range: ValueRange;
}

/** Intervals of the rows, in points. */
export interface BootstrapTIntervals {
  /** rows x 2, clipped to the range. */
  readonly intervals: Float64Array;
  /** rows: 1 where so many draws have a zero error that an end is at the range for want of any other. */
  readonly unbounded: Uint8Array;
  /** rows: 1 where nothing varies between clusters, on integers; the interval is then one point. */
  readonly degenerate: Uint8Array;
}

/** Values of t that are kept at a time; rows past it are drawn again from the same addresses. */
const KEPT = 2 ** 23;

/**
 * Forms bootstrap-t intervals of the rows (decisions 2.4): in each draw t = (value - score) / error, the error linearised and leverage-scaled
 * on the drawn counts, each copy a unit of its own; the interval is score - error x the upper and the lower quantile of t. A zero error
 * counts as infinite, on the side of the value, on both where the value is the score. Enumerated multisets count by their weights. Under the scheme `stratified` parts are
 * drawn alone, so that they are the units there. Plain arithmetic in one order: the same digits everywhere.
 *
 * Errors: STRATUM_EMPTY as the draws, BOUND_EXCEEDED as multisets, and those of `layoutOf`.
 */
export function bootstrapT(options: BootstrapTOptions): BootstrapTIntervals {
  const { design, draws: request, alpha, range } = options;
  const { rows } = design;
  const layout = layoutOf(design);
  const units = request.scheme === 'joint' ? clusterUnits(design) : partUnits(design);
  const { measure } = linearisation(design, layout, units);
  const observed = measure(new Uint8Array(layout.parts).fill(1));
  const scores = observed.values.slice();
  const errors = observed.squares.map(Math.sqrt);
  const degenerate = constantRows(design, layout);
  const intervals = new Float64Array(2 * rows);
  const unbounded = new Uint8Array(rows);
  const block = Math.max(1, Math.floor(KEPT / request.draws));
  const weights = new Float64Array(request.draws);
  for (let first = 0; first < rows; first += block) {
    const kept = Array.from({ length: Math.min(block, rows - first) }, () => new Float64Array(request.draws));
    let draw = 0;
    for (const { counts, weight } of partCounts(design, layout, request)) {
      const drawn = measure(counts);
      weights[draw] = weight;
      kept.forEach((t, i) => {
        const distance = drawn.values[first + i]! - scores[first + i]!;
        const error = Math.sqrt(drawn.squares[first + i]!);
        t[draw] = error === 0 ? Math.sign(distance) * Number.POSITIVE_INFINITY : distance / error;
      });
      draw += 1;
    }
    for (const [i, t] of kept.entries()) place(first + i, t.subarray(0, draw));
  }
  return { intervals, unbounded, degenerate };

  /** Forms the interval of a row from its values of t; NaN stands for zero distance over zero error. */
  function place(m: number, t: Float64Array): void {
    const score = scores[m]!;
    if (errors[m] === 0) {
      intervals.fill(score, 2 * m, 2 * m + 2);
      return;
    }
    const end = (q: number, infinite: number): number => {
      const values = t.map((value) => (Number.isNaN(value) ? infinite : value));
      if (!request.enumerate) return quantileOf(values, q);
      const own = weights.slice(0, values.length);
      const total = own.reduce((sum, weight) => sum + weight, 0);
      return weightedQuantile({ values, weights: own }, values.length, total, q);
    };
    const upper = end(1 - alpha / 2, Number.POSITIVE_INFINITY);
    const lower = end(alpha / 2, Number.NEGATIVE_INFINITY);
    if (!Number.isFinite(upper) || !Number.isFinite(lower)) unbounded[m] = 1;
    intervals[2 * m] = Math.min(Math.max(range[0], score - upper * errors[m]!), range[1]);
    intervals[2 * m + 1] = Math.max(Math.min(range[1], score - lower * errors[m]!), range[0]);
  }
}

/** Linear quantile (statistics 4) of values that may be infinite; where an end that counts is infinite, so is the quantile. */
function quantileOf(values: Float64Array, q: number): number {
  values.sort();
  const { below, above, fraction } = quantilePlace(values.length, q);
  const a = values[below]!;
  const b = values[above]!;
  if (fraction === 0 || a === b) return a;
  if (!Number.isFinite(a)) return a;
  return Number.isFinite(b) ? interpolate(a, b, fraction) : b;
}
