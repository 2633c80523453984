import type { ClusterDesign } from '../../engine/design.js';
import type { Engine, StudentisedRequest } from '../../engine/engine.js';
import { layoutOf } from '../../engine/layout.js';
import { constantRows } from './constant.js';
import type { ValueRange } from './student.js';

export interface BootstrapTOptions {
  readonly design: ClusterDesign;
  readonly engine: Pick<Engine, 'studentised'>;
  readonly draws: Omit<StudentisedRequest, 'tail'>;
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
  /** What the engine says about how it ran. */
  readonly warnings: readonly string[];
}

/**
 * Forms bootstrap-t intervals of the rows (decisions 2.4): score - error x the upper and the lower quantile of t, the bootstrap value
 * less the score over the error of the draw; one point where the score has no error.
 *
 * Errors: those of `studentised` of an engine.
 */
export async function bootstrapT(options: BootstrapTOptions): Promise<BootstrapTIntervals> {
  const { design, engine, draws, alpha, range } = options;
  const { rows } = design;
  const { scores, errors, quantiles, warnings } = await engine.studentised(design, { ...draws, tail: alpha / 2 });
  const intervals = new Float64Array(2 * rows);
  const unbounded = new Uint8Array(rows);
  for (let m = 0; m < rows; m += 1) {
    const score = scores[m]!;
    if (errors[m] === 0) {
      intervals.fill(score, 2 * m, 2 * m + 2);
      continue;
    }
    const lower = quantiles[2 * m]!;
    const upper = quantiles[2 * m + 1]!;
    if (!Number.isFinite(upper) || !Number.isFinite(lower)) unbounded[m] = 1;
    intervals[2 * m] = Math.min(Math.max(range[0], score - upper * errors[m]!), range[1]);
    intervals[2 * m + 1] = Math.max(Math.min(range[1], score - lower * errors[m]!), range[0]);
  }
  return { intervals, unbounded, degenerate: constantRows(design, layoutOf(design)), warnings: warnings ?? [] };
}
