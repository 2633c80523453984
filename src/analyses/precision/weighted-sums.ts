import { openWasmListedTotals } from '../../engine/wasm/listed.js';
import type { RankedColumns } from './ranked-columns.js';

/** Draws whose tasks are listed at once, so that memory does not grow with them. */
const BATCH = 1024;

/** How a subset weighs its tasks: those of stratum s, `takes[s]` of them, by `weights[s]`. */
interface SubsetWeights {
  readonly takes: readonly number[];
  readonly weights: readonly number[];
  /** Stratum of each task. */
  readonly stratumOf: Int32Array;
}

/** Writes the tasks of a draw, strata one behind the other. */
type ListTasks = (draw: number, out: Int32Array) => void;

/**
 * Opens the weighted sums of subsets, draws x models, in the order of the list. Whole weights whose sums fit 32 bits are added by the
 * kernels, others one after the other as 64-bit floats; the digits are the same, since whole sums are exact either way.
 */
export function openWeightedSums(
  { columns, models }: Pick<RankedColumns, 'columns' | 'models'>,
  { takes, weights, stratumOf }: SubsetWeights,
): (first: number, count: number, list: ListTasks) => Float64Array {
  const length = takes.reduce((sum, take) => sum + take, 0);
  const weighted = Float64Array.from(columns, (value, i) => weights[stratumOf[Math.floor(i / models)]!]! * value);
  const largest = weighted.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const add =
    weights.every(Number.isInteger) && largest * length < 2 ** 31
      ? openWasmListedTotals({ columns: Int32Array.from(weighted), rows: models })
      : listedFloats(weighted, models);
  return (first, count, list) => {
    const sums = new Float64Array(count * models);
    for (let from = 0; from < count; from += BATCH) {
      const now = Math.min(BATCH, count - from);
      const lists = new Int32Array(now * length);
      for (let d = 0; d < now; d += 1) list(first + from + d, lists.subarray(d * length, (d + 1) * length));
      add(sums, from, lists, length);
    }
    return sums;
  };
}

/** Adds listed columns of any numbers. */
function listedFloats(columns: Float64Array, rows: number) {
  return (sums: Float64Array, first: number, lists: Int32Array, length: number): void => {
    for (let i = 0; i < lists.length; i += 1) {
      const to = (first + Math.floor(i / length)) * rows;
      const from = lists[i]! * rows;
      for (let k = 0; k < rows; k += 1) sums[to + k]! += columns[from + k]!;
    }
  };
}
