import type { ClusterDesign } from './design.js';
import type { Layout } from './layout.js';
import type { BootstrapMultisets, StratumMultisets } from './multisets.js';
import { checkSignal, yieldToEvents } from './signals.js';

/** Values of the multisets that leave no stratum empty. */
export interface MultisetValues {
  /** Multisets that count. */
  readonly count: number;
  /** rows x count, row-major, in points. */
  readonly values: Float64Array;
  /** count. */
  readonly weights: Float64Array;
  readonly leftOut: { readonly count: number; readonly weight: number };
}

/** Tasks that a stratum holds under each of its multisets. */
function tasksOf({ sets, places }: StratumMultisets, partTasks: Int32Array, start: number): Float64Array {
  const tasks = new Float64Array(sets.count);
  for (let k = 0; k < sets.count; k++)
    places.forEach((place, p) => {
      tasks[k]! += sets.counts[k * sets.size + place]! * partTasks[start + p]!;
    });
  return tasks;
}

/** Means of a row in a stratum, one for each multiset with tasks: an exact sum, divided once (statistics 5.8). */
function stratumMeans(
  design: ClusterDesign,
  { sets, places }: StratumMultisets,
  start: number,
  tasks: Float64Array,
  row: number,
  exactInDouble: boolean,
  means: Float64Array,
): void {
  const { rows, partTotals } = design;
  const totals = Float64Array.from(places, (_, p) => partTotals[(start + p) * rows + row]!);
  for (let k = 0; k < sets.count; k++) {
    if (tasks[k] === 0) continue;
    const counts = k * sets.size;
    let numerator = 0;
    if (exactInDouble)
      for (let p = 0; p < totals.length; p++) numerator += sets.counts[counts + places[p]!]! * totals[p]!;
    else
      numerator = Number(
        totals.reduce((sum, total, p) => sum + BigInt(sets.counts[counts + places[p]!]!) * BigInt(total), 0n),
      );
    means[k] = numerator / tasks[k]!;
  }
}

/**
 * Forms the values of all rows under every multiset that leaves no stratum empty: ratio of exact sums in each stratum, mean over
 * strata, as in a draw (statistics 5.8). `bound` is the largest possible numerator.
 *
 * Errors: ABORTED once the signal is raised.
 */
export async function multisetValues(
  design: ClusterDesign,
  layout: Layout,
  multisets: BootstrapMultisets,
  { bound, signal }: { readonly bound: number; readonly signal: AbortSignal | undefined },
): Promise<MultisetValues> {
  const { rows, scale, partTasks } = design;
  const strata = multisets.strata.map((stratum, s) => {
    const start = layout.stratumStart[s]!;
    return { stratum, start, tasks: tasksOf(stratum, partTasks, start) };
  });
  const entry = ({ every, sets }: StratumMultisets, b: number): number => Math.floor(b / every) % sets.count;
  const kept: number[] = [];
  const leftOut = { count: 0, weight: 0 };
  multisets.weights.forEach((weight, b) => {
    if (strata.every(({ stratum, tasks }) => tasks[entry(stratum, b)]! > 0)) kept.push(b);
    else {
      leftOut.count++;
      leftOut.weight += weight;
    }
  });
  const count = kept.length;
  const entries = strata.map(({ stratum }) => Int32Array.from(kept, (b) => entry(stratum, b)));
  const means = strata.map(({ tasks }) => new Float64Array(tasks.length));
  const values = new Float64Array(rows * count);
  for (let m = 0; m < rows; m++) {
    if (m % 64 === 0) {
      await yieldToEvents();
      checkSignal(signal);
    }
    const out = values.subarray(m * count, (m + 1) * count);
    strata.forEach(({ stratum, start, tasks }, s) => {
      stratumMeans(design, stratum, start, tasks, m, bound < 2 ** 53, means[s]!);
      const [mean, from] = [means[s]!, entries[s]!];
      for (let k = 0; k < count; k++) out[k]! += mean[from[k]!]!;
    });
    for (let k = 0; k < count; k++) out[k] = out[k]! / design.strata / scale;
  }
  return { count, values, weights: Float64Array.from(kept, (b) => multisets.weights[b]!), leftOut };
}
