import type { CellIndex } from './cell-index.js';
import type { CellTable } from './cell-table.js';
import { MOST_UNITS } from './scale.js';

/** Part of what a task's values differ by that rounding may move one of them, without being named. */
const FINE = 1 / 200;

/** Tasks whose differences a common scale blurs, and those that are too great for a finer one (reading 1.13). */
export interface CoarseTasks {
  readonly tasks: readonly string[];
  /** Largest change of a value of theirs, in points. */
  readonly change: number;
  /** Tasks that hold the scale back, and the greatest of their values, in points; none where no scale is finer. */
  readonly because: readonly string[];
  readonly greatest: number;
  /** Whether no task keeps a difference, and some had one. */
  readonly erased: boolean;
}

/** Looks for tasks that were rounded to 1 / scale points by more than a two-hundredth of what their own values differ by; undefined where there are none. */
export function coarseTasks(
  { value }: CellTable,
  { models, tasks, starts, rows }: CellIndex,
  scale: number,
): CoarseTasks | undefined {
  const T = tasks.length;
  const coarse: string[] = [];
  const because: string[] = [];
  let change = 0;
  let most = 0;
  let kept = 0;
  for (let t = 0; t < T; t += 1) {
    let [least, greatest, moved] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
    for (let m = 0; m < models.length; m += 1) {
      for (let at = starts[m * T + t]!; at < starts[m * T + t + 1]!; at += 1) {
        const written = value[rows[at]!]!;
        least = Math.min(least, written);
        greatest = Math.max(greatest, written);
        moved = Math.max(moved, Math.abs(Math.round(written * scale) / scale - written));
      }
    }
    if (Math.round(greatest * scale) > Math.round(least * scale)) kept += 1;
    const large = Math.max(Math.abs(least), Math.abs(greatest));
    if (Number.isFinite(large) && large * scale * 10 > MOST_UNITS) {
      because.push(tasks[t]!.name);
      most = Math.max(most, large);
    } else if (greatest > least && moved > FINE * (greatest - least)) {
      coarse.push(tasks[t]!.name);
      change = Math.max(change, moved);
    }
  }
  return coarse.length > 0 ? { tasks: coarse, change, because, greatest: most, erased: kept === 0 } : undefined;
}
