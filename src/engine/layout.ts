import { fail } from '../util/error.js';
import { wholeProblem } from '../util/whole.js';
import type { ClusterDesign } from './design.js';

/** Most clusters a design may have: a redraw starts 2^24 words further on. */
export const MAX_CLUSTERS = 2 ** 24;

/** What follows from a design alone: where its strata begin, how many tasks they hold and their totals. */
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

const HINT = 'Build the design with `clusterDesign` of flavourbench/inference.';

/**
 * Checks a design and measures its strata.
 *
 * Errors: USAGE where its columns do not fit together; BOUND_EXCEEDED where it has no cluster or too many; CELL_NOT_INTEGER
 * where a total is no whole number below 2^53; STRATUM_EMPTY where a stratum holds no task.
 */
export function layoutOf(design: ClusterDesign): Layout {
  const { rows, ranked, clusters, strata, partCluster, partStratum, partTasks, partTotals } = design;
  const parts = partCluster.length;
  if (rows < 1 || ranked < 0 || ranked > rows)
    fail('USAGE', { path: 'ranked' }, `${ranked} ranked of ${rows} rows`, HINT);
  if (clusters < 1 || clusters > MAX_CLUSTERS)
    fail('BOUND_EXCEEDED', { path: 'clusters' }, `${clusters} clusters; 1 to ${MAX_CLUSTERS} are possible`, HINT);
  if (partStratum.length !== parts || partTasks.length !== parts || partTotals.length !== parts * rows)
    fail('USAGE', { path: 'partTotals' }, `part columns of different lengths; ${parts} parts were expected`, HINT);

  const stratumStart = new Int32Array(strata + 1);
  const stratumTasks = new Float64Array(strata);
  const stratumTotals = new Float64Array(strata * rows);
  let previous = 0;
  for (let p = 0; p < parts; p++) {
    const s = partStratum[p]!;
    const c = partCluster[p]!;
    if (s < previous || s >= strata || c < 0 || c >= clusters || partTasks[p]! < 1)
      fail(
        'USAGE',
        { path: `part ${p}` },
        `stratum ${s}, cluster ${c}, ${partTasks[p]} tasks; expected strata in order below ${strata}, a cluster below ${clusters} and a task`,
        HINT,
      );
    previous = s;
    stratumStart[s + 1] = p + 1;
    stratumTasks[s]! += partTasks[p]!;
    for (let m = 0; m < rows; m++) {
      const total = partTotals[p * rows + m]!;
      if (!Number.isSafeInteger(total))
        fail(
          'CELL_NOT_INTEGER',
          { path: `row ${m}, part ${p}` },
          `total ${total} ${wholeProblem(total)}`,
          Number.isInteger(total)
            ? 'Give scores in a smaller unit.'
            : 'Scores are integers in units of 1/scale; quantise real values first.',
        );
      stratumTotals[s * rows + m]! += total;
    }
  }
  for (let s = 0; s < strata; s++)
    if (stratumTasks[s] === 0)
      fail('STRATUM_EMPTY', { path: `stratum ${s}` }, 'it holds no task', 'Drop it from the list of strata.');
  return { parts, stratumStart, stratumTasks, stratumTotals };
}

/** Point values of all rows, in points: mean over strata of stratum means, in one order of operations (statistics 5.1). */
export function pointValues(design: ClusterDesign, layout: Layout): Float64Array {
  const { rows, strata, scale } = design;
  return Float64Array.from({ length: rows }, (_, m) => {
    let sum = 0;
    for (let s = 0; s < strata; s++) sum += layout.stratumTotals[s * rows + m]! / layout.stratumTasks[s]!;
    return sum / strata / scale;
  });
}
