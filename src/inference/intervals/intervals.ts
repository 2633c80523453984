import type { ScoreMatrix } from '../../core/matrix.js';
import type { ClusterDesign } from '../../engine/design.js';
import type { Engine } from '../../engine/engine.js';
import { layoutOf } from '../../engine/layout.js';
import { fail } from '../../util/error.js';
import { type InferencePlan, isFrozen } from '../plan.js';
import type { ResampledInference } from '../resample.js';
import type { ExactTotals } from '../totals.js';
import { binomialIntervals, showBinomial } from './binomial-interval.js';
import { bootstrapT } from './bootstrap-t.js';
import { constantRows } from './constant.js';
import { type StudentErrors, studentErrors } from './student.js';
import { valueRange } from './value-range.js';

/** The pointwise intervals in force, in points. */
export interface FormedIntervals {
  /** models x 2. */
  readonly rows: Float64Array;
  /** pairs of models x 2: Student's under every kind but percentile. */
  readonly pairs: Float64Array;
  /** models x 2: score minus that of chance, of the kind of `pairs`; null without chance values. */
  readonly chance: Float64Array | null;
  /** By model: 1 where nothing varies between clusters; null where the bootstrap says it (version 1). */
  readonly degenerate: Uint8Array | null;
  /** By model: 1 where an end lies at the end of the scale for want of another; null where that cannot be. */
  readonly unbounded: Uint8Array | null;
  /** What the engine says about how it ran. */
  readonly warnings: readonly string[];
}

export interface IntervalOptions {
  readonly plan: InferencePlan;
  readonly matrix: ScoreMatrix;
  readonly design: ClusterDesign;
  readonly exact: ExactTotals;
  readonly drawn: ResampledInference;
  /** Leave the intervals of pairs out, as the draws did. */
  readonly withoutPairs?: boolean;
  readonly engine: Engine;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Forms the intervals of the kind that the plan names (decisions 2.4). A row that is constant over clusters shows the binomial
 * interval where data are 0/1 and tasks independent; pairs have Student's under every kind but percentile, and that of the
 * bootstrap beside a stratum of one cluster. Errors: USAGE where the kind asked for cannot be formed; those of the engine.
 */
export async function formIntervals(options: IntervalOptions): Promise<FormedIntervals> {
  const { plan, matrix, design, exact, drawn } = options;
  const { ranked } = design;
  const percentile = drawn.scores.quantiles.slice(0, 2 * ranked);
  const base = {
    pairs: drawn.pairIntervals,
    chance: drawn.chanceIntervals,
    degenerate: null,
    unbounded: null,
    warnings: [],
  };
  if (isFrozen(plan)) return { ...base, rows: percentile };
  const { alpha } = plan;
  const degenerate = constantRows(design, layoutOf(design)).subarray(0, ranked);
  const binomial = binomialIntervals(design, alpha);
  const shown = (intervals: Float64Array) => showBinomial({ intervals, degenerate }, binomial);
  if (plan.interval === 'percentile') return { ...base, rows: shown(percentile), degenerate };

  const range = valueRange(matrix.values, matrix.scale);
  const student = studentErrors({ design, exact, alpha, range });
  const differences =
    student === null ? base : { ...base, ...studentDifferences(student, design, options.withoutPairs) };
  if (plan.interval === 'student') {
    if (student === null)
      fail(
        'USAGE',
        null,
        'interval student needs at least two clusters in every stratum',
        'Leave --interval out, or use percentile, which is too narrow there.',
      );
    return { ...differences, rows: shown(student.rows().intervals.slice(0, 2 * ranked)), degenerate };
  }
  if (plan.interval === 'binomial') {
    if (binomial === null)
      fail(
        'USAGE',
        null,
        'interval binomial needs 0/1 values, a cluster of its own for every task, and strata of one size',
        'Leave --interval out, or use student or percentile.',
      );
    return { ...differences, rows: binomial, degenerate };
  }
  const { draws, scheme, seed } = plan;
  const random = { kind: 'philox', seed, stream: 0 } as const;
  const { intervals, unbounded, warnings } = await bootstrapT({
    design: { ...design, rows: ranked, partTotals: firstRows(design) },
    engine: options.engine,
    draws: { draws, random, scheme, enumerate: plan.bootstrap === 'enumerated', signal: options.signal },
    alpha,
    range,
  });
  return { ...differences, rows: shown(intervals), degenerate, unbounded, warnings };
}

function studentDifferences(student: StudentErrors, { rows, ranked }: ClusterDesign, withoutPairs = false) {
  return {
    pairs: withoutPairs ? new Float64Array(0) : student.pairs().intervals,
    chance: rows > ranked ? student.against(ranked).intervals : null,
  };
}

/** Part totals of the ranked rows alone. */
function firstRows({ rows, ranked, partTotals }: ClusterDesign): Float64Array {
  return rows === ranked ? partTotals : partTotals.filter((_, at) => at % rows < ranked);
}
