import { fail } from '../util/error.js';
import type { ClusterDesign } from './design.js';

/** Most clusters a design may have: a redraw starts 2^24 words further on. */
export const MAX_CLUSTERS = 2 ** 24;

/** What follows from a design alone: where strata begin and how many tasks they hold. */
export interface Layout {
  /** P, parts. */
  readonly parts: number;
  /** S + 1 entries: first part of each stratum, then P. */
  readonly stratumStart: Int32Array;
  /** S entries: tasks of each stratum. */
  readonly stratumTasks: Float64Array;
  /** S x M integers: totals of each row in each stratum. */
  readonly stratumTotals: Float64Array;
}

function refuse(code: string, message: string, hint: string): never {
  fail(code, null, message, hint);
}

/** Checks a design and measures its strata. Every stratum needs a task and every total must be a safe integer. */
export function layoutOf(design: ClusterDesign): Layout {
  const { rows, ranked, clusters, strata, partCluster, partStratum, partTasks, partTotals } = design;
  const parts = partCluster.length;
  const hint = 'build the design with the functions of the inference folder';
  if (rows < 1 || ranked < 0 || ranked > rows) refuse('USAGE', `${ranked} ranked of ${rows} rows`, hint);
  if (clusters < 1 || clusters > MAX_CLUSTERS)
    refuse('BOUND_EXCEEDED', `${clusters} clusters; 1 to ${MAX_CLUSTERS} are possible`, hint);
  if (partStratum.length !== parts || partTasks.length !== parts || partTotals.length !== parts * rows)
    refuse('USAGE', `part columns of different lengths, ${parts} parts expected`, hint);

  const stratumStart = new Int32Array(strata + 1);
  const stratumTasks = new Float64Array(strata);
  const stratumTotals = new Float64Array(strata * rows);
  let previous = 0;
  for (let p = 0; p < parts; p++) {
    const s = partStratum[p]!;
    const c = partCluster[p]!;
    if (s < previous || s >= strata || c < 0 || c >= clusters || partTasks[p]! < 1)
      refuse('USAGE', `part ${p}: stratum ${s}, cluster ${c}, ${partTasks[p]} tasks`, hint);
    previous = s;
    stratumStart[s + 1] = p + 1;
    stratumTasks[s]! += partTasks[p]!;
    for (let m = 0; m < rows; m++) {
      const total = partTotals[p * rows + m]!;
      if (!Number.isSafeInteger(total))
        refuse(
          'CELL_NOT_INTEGER',
          `row ${m}, part ${p}: total ${total} is not a whole number`,
          'scores are integers in units of 1/scale; quantise real values first',
        );
      stratumTotals[s * rows + m]! += total;
    }
  }
  for (let s = 0; s < strata; s++)
    if (stratumTasks[s] === 0) refuse('STRATUM_EMPTY', `stratum ${s} holds no task`, 'drop it from the list of strata');
  return { parts, stratumStart, stratumTasks, stratumTotals };
}

/** Point values of all rows in points: mean over strata of stratum means, the canonical order of operations. */
export function pointValues(design: ClusterDesign, layout: Layout): Float64Array {
  const { rows, strata, scale } = design;
  return Float64Array.from({ length: rows }, (_, m) => {
    let sum = 0;
    for (let s = 0; s < strata; s++) sum += layout.stratumTotals[s * rows + m]! / layout.stratumTasks[s]!;
    return sum / strata / scale;
  });
}
