import type { ClusterDesign } from '../design.js';
import type { BootstrapRequest, BootstrapValues } from '../engine.js';
import type { Layout } from '../layout.js';
import { checkSignal, yieldToEvents } from '../signals.js';
import { bootstrapCounts } from './weights.js';

/** Value of one row under part counts, in points: ratio of exact sums in each stratum, mean over strata (statistics 5.8). */
function rowValue(design: ClusterDesign, layout: Layout, counts: Int32Array, m: number): number {
  const { rows, strata, scale, partTasks, partTotals } = design;
  let value = 0;
  for (let s = 0; s < strata; s++) {
    let numerator = 0n;
    let tasks = 0;
    for (let p = layout.stratumStart[s]!; p < layout.stratumStart[s + 1]!; p++) {
      if (counts[p] === 0) continue;
      numerator += BigInt(counts[p]!) * BigInt(partTotals[p * rows + m]!);
      tasks += counts[p]! * partTasks[p]!;
    }
    value += Number(numerator) / tasks;
  }
  return value / strata / scale;
}

/** The same in doubles, where no sum can pass 2^53. */
function rowValueInDoubles(design: ClusterDesign, layout: Layout, counts: Int32Array, m: number): number {
  const { rows, strata, scale, partTasks, partTotals } = design;
  let value = 0;
  for (let s = 0; s < strata; s++) {
    let numerator = 0;
    let tasks = 0;
    for (let p = layout.stratumStart[s]!; p < layout.stratumStart[s + 1]!; p++) {
      numerator += counts[p]! * partTotals[p * rows + m]!;
      tasks += counts[p]! * partTasks[p]!;
    }
    value += numerator / tasks;
  }
  return value / strata / scale;
}

/**
 * Forms the bootstrap values of all rows over all draws. `bound` is the largest possible numerator.
 *
 * Errors: STRATUM_EMPTY as the draws; ABORTED once the signal is raised.
 */
export async function bootstrapValues(
  design: ClusterDesign,
  layout: Layout,
  request: BootstrapRequest,
  bound: number,
): Promise<BootstrapValues> {
  const { rows } = design;
  const form = bound < 2 ** 53 ? rowValueInDoubles : rowValue;
  const values = new Float64Array(request.draws * rows);
  let redraws = 0;
  let draw = 0;
  for (const drawn of bootstrapCounts(design, layout, request)) {
    if (draw % 256 === 0) {
      await yieldToEvents();
      checkSignal(request.signal);
    }
    redraws += drawn.redraws;
    for (let m = 0; m < rows; m++) values[draw * rows + m] = form(design, layout, drawn.counts, m);
    draw++;
  }
  return { values, redraws };
}
