import type { ScoreMatrix } from '../../core/matrix.js';
import { type ClusterDesign, pairCount } from '../../engine/design.js';
import { fail } from '../../util/error.js';
import { type InferencePlan, isFrozen } from '../plan.js';
import type { ResampledInference } from '../resample.js';
import type { ExactTotals } from '../totals.js';
import { binomialIntervals, showBinomial } from './binomial-interval.js';
import { bootstrapT } from './bootstrap-t.js';
import { studentErrors } from './student.js';

/** The pointwise intervals in force, in points. */
export interface FormedIntervals {
  /** models x 2. */
  readonly rows: Float64Array;
  /** pairs of models x 2; of the bootstrap where the kind of interval knows no pairs. */
  readonly pairs: Float64Array;
  /** By model: 1 where nothing varies between clusters; null where the bootstrap says it (version 1). */
  readonly degenerate: Uint8Array | null;
  /** By model: 1 where an end lies at the end of the scale for want of another; null where that cannot be. */
  readonly unbounded: Uint8Array | null;
}

export interface IntervalOptions {
  readonly plan: InferencePlan;
  readonly matrix: ScoreMatrix;
  readonly design: ClusterDesign;
  readonly exact: ExactTotals;
  readonly drawn: ResampledInference;
}

/**
 * Forms the intervals of the kind that the plan names (decisions 2.4). A row that is constant over clusters shows the binomial
 * interval where data are 0/1 and tasks independent. Errors: USAGE where the kind asked for cannot be formed.
 */
export function formIntervals(options: IntervalOptions): FormedIntervals {
  const { plan, design, exact, drawn } = options;
  const { ranked } = design;
  const percentile = drawn.scores.quantiles.slice(0, 2 * ranked);
  const base = { pairs: drawn.pairIntervals, degenerate: null, unbounded: null };
  if (isFrozen(plan)) return { ...base, rows: percentile };
  const { alpha } = plan;
  const range = rangeOf(options.matrix);
  const binomial = binomialIntervals(design, alpha);
  const student = studentErrors({ design, exact, alpha, range });
  const degenerate = Uint8Array.from(drawn.scores.standardErrors.subarray(0, ranked), (error) => Number(error === 0));
  const shown = (intervals: Float64Array) => showBinomial({ intervals, degenerate }, binomial);
  switch (plan.interval) {
    case 'percentile':
      return { ...base, rows: shown(percentile), degenerate };
    case 'binomial':
      if (binomial === null)
        fail(
          'USAGE',
          null,
          'interval binomial needs 0/1 values, one stratum and a cluster of its own for every task',
          'Leave --interval out, or use student or percentile.',
        );
      return { ...base, rows: binomial, degenerate };
    case 'student':
      if (student === null)
        fail(
          'USAGE',
          null,
          'interval student needs at least two clusters in every stratum',
          'Leave --interval out, or use percentile, which is too narrow there.',
        );
      return {
        rows: shown(student.rows().intervals.slice(0, 2 * ranked)),
        pairs: student.pairs().intervals.slice(0, 2 * pairCount(ranked)),
        degenerate,
        unbounded: null,
      };
    case 'bootstrap-t': {
      const random = { kind: 'philox', seed: plan.seed, stream: 0 } as const;
      const models = { ...design, rows: ranked, partTotals: firstRows(design) };
      const made = bootstrapT({
        design: models,
        draws: { draws: plan.draws, random, scheme: plan.scheme },
        alpha,
        range,
      });
      return { ...base, rows: shown(made.intervals), degenerate, unbounded: made.unbounded };
    }
  }
}

/** Part totals of the ranked rows alone. */
function firstRows({ rows, ranked, partTotals }: ClusterDesign): Float64Array {
  return rows === ranked ? partTotals : partTotals.filter((_, at) => at % rows < ranked);
}

/** Least and greatest value of a matrix, points. */
function rangeOf({ values, scale }: ScoreMatrix): readonly [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low / scale, high / scale];
}
