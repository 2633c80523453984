import type { ScoreMatrix } from '../../core/matrix.js';
import { descending } from '../../inference/rank-agreement.js';

/** Models and their scores, in leaderboard order. */
export interface RankedColumns {
  readonly models: number;
  readonly tasks: number;
  readonly scale: number;
  /** tasks x models integers, models in leaderboard order. */
  readonly columns: Int32Array;
  /** models: totals over all tasks, in leaderboard order. */
  readonly totals: Float64Array;
  /** What a total is divided by to give a mean, before the scale. */
  readonly divisor: number;
  /** Resolved pairs by leaderboard position, better model first where they differ. */
  readonly resolved: readonly (readonly [number, number])[];
}

/** Models by full score, so that a tie in a subset falls to the better full score (analyses 1). */
export function leaderboardOrder(matrix: ScoreMatrix, resolved: readonly (readonly [number, number])[]): RankedColumns {
  const tasks = matrix.tasks.length;
  const sums = Float64Array.from(matrix.models, (_, m) => {
    let sum = 0;
    for (let t = 0; t < tasks; t += 1) sum += matrix.values[m * tasks + t]!;
    return sum;
  });
  return rankedColumns(matrix, { totals: sums, divisor: tasks, resolved });
}

/** Puts the models of a matrix in order of their totals, equal ones as they stand. */
export function rankedColumns(
  matrix: ScoreMatrix,
  full: {
    /** models. */
    readonly totals: Float64Array;
    readonly divisor: number;
    readonly resolved: readonly (readonly [number, number])[];
  },
): RankedColumns {
  const models = matrix.models.length;
  const tasks = matrix.tasks.length;
  const order = descending(full.totals);
  const place = new Int32Array(models);
  const columns = new Int32Array(tasks * models);
  order.forEach((m, k) => {
    place[m] = k;
    for (let t = 0; t < tasks; t += 1) {
      columns[t * models + k] = matrix.values[m * tasks + t]!;
    }
  });
  return {
    models,
    tasks,
    scale: matrix.scale,
    columns,
    totals: Float64Array.from(order, (m) => full.totals[m]!),
    divisor: full.divisor,
    resolved: full.resolved.map(([a, b]) => [place[a]!, place[b]!] as const),
  };
}
