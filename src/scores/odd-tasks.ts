import type { ScoreMatrix } from '../core/matrix.js';
import { shown } from '../util/error.js';
import { general } from '../util/format.js';
import { quoted } from './columns.js';

/** Ranges beyond the usual one at which a task is called far outside. */
const FAR = 4;

/**
 * Says which tasks look like no tasks (reading 1.3): the mean or the sum of all others, or far outside their range. As sentences without a
 * full stop; they are kept.
 */
export function oddTaskWords(matrix: ScoreMatrix): string[] {
  const { tasks } = matrix;
  if (tasks.length < 2 || matrix.models.length < 2) return [];
  const said: string[] = [];
  const drop = (t: number) => `if it is no task, --drop ${quoted(tasks[t]!)}`;
  for (const { task, what } of summaries(matrix))
    said.push(`task ${shown(tasks[task])} is the ${what} of all others for every model; ${drop(task)}`);
  for (const { task, least, greatest, low, high } of outsiders(matrix)) {
    const [from, to, usualLow, usualHigh] = [least, greatest, low, high].map((value) =>
      general(value / matrix.scale, 4),
    );
    said.push(
      `task ${shown(tasks[task])} reaches from ${from} to ${to}, others from ${usualLow} to ${usualHigh}; ${drop(task)}`,
    );
  }
  return said.slice(0, 5);
}

/** Tasks whose value is the mean or the sum of all others in every row, up to its own rounding, where the others differ. */
function summaries({
  tasks,
  models,
  values,
  scale,
}: ScoreMatrix): { readonly task: number; readonly what: 'mean' | 'sum' }[] {
  const T = tasks.length;
  if (T < 3 || models.length < 3) return [];
  const sums = models.map((_, m) => values.subarray(m * T, (m + 1) * T).reduce((a, b) => a + b, 0));
  const varied = models.some((_, m) => {
    const row = values.subarray(m * T, (m + 1) * T);
    return row.some((value) => value !== row[0]);
  });
  if (!varied) return [];
  return tasks.flatMap((_, t): { readonly task: number; readonly what: 'mean' | 'sum' }[] => {
    const unit = ownUnit(values, t, T, scale);
    const is = (of: (sum: number) => number) =>
      sums.every((sum, m) => {
        const value = values[m * T + t]!;
        return Math.abs(value - of(sum - value)) <= unit / 2 + 1e-9 * Math.abs(value);
      });
    if (is((rest) => rest / (T - 1))) return spread(values, t, T) ? [{ task: t, what: 'mean' as const }] : [];
    if (is((rest) => rest)) return spread(values, t, T) ? [{ task: t, what: 'sum' as const }] : [];
    return [];
  });
}

/** The step in which a task is written: the greatest power of ten that divides all its values, at most one point. */
function ownUnit(values: Float64Array, t: number, T: number, scale: number): number {
  for (let unit = scale; unit > 1; unit = Math.floor(unit / 10)) {
    let all = true;
    for (let at = t; at < values.length && all; at += T) all = values[at]! % unit === 0;
    if (all) return unit;
  }
  return 1;
}

/** Tells whether the other tasks differ in a row, and this one between rows: else any task is the mean of all. */
function spread(values: Float64Array, t: number, T: number): boolean {
  let differ = false;
  let varies = false;
  for (let row = 0; row < values.length; row += T) {
    varies ||= values[row + t] !== values[t];
    const first = values[row + (t === 0 ? 1 : 0)];
    for (let other = 0; other < T; other += 1) differ ||= other !== t && values[row + other] !== first;
  }
  return differ && varies;
}

interface Outsider {
  readonly task: number;
  readonly least: number;
  readonly greatest: number;
  readonly low: number;
  readonly high: number;
}

/** Tasks that reach further from the usual range, between the medians of the others' least and greatest values, than `FAR` times that range. */
function outsiders({ tasks, values }: ScoreMatrix): Outsider[] {
  const T = tasks.length;
  const least = new Float64Array(T).fill(Number.POSITIVE_INFINITY);
  const greatest = new Float64Array(T).fill(Number.NEGATIVE_INFINITY);
  for (let at = 0; at < values.length; at += 1) {
    const t = at % T;
    least[t] = Math.min(least[t]!, values[at]!);
    greatest[t] = Math.max(greatest[t]!, values[at]!);
  }
  const lows = least.toSorted();
  const highs = greatest.toSorted();
  return tasks.flatMap((_, task) => {
    const low = medianWithout(lows, least[task]!);
    const high = medianWithout(highs, greatest[task]!);
    const range = high - low;
    if (range <= 0) return [];
    const far = greatest[task]! > high + FAR * range || least[task]! < low - FAR * range;
    return far ? [{ task, least: least[task]!, greatest: greatest[task]!, low, high }] : [];
  });
}

/** The median of sorted values, one of which is left out. */
function medianWithout(sorted: Float64Array, left: number): number {
  const n = sorted.length - 1;
  const place = sorted.indexOf(left);
  const at = (i: number) => sorted[i < place ? i : i + 1]!;
  return n % 2 === 1 ? at((n - 1) / 2) : (at(n / 2 - 1) + at(n / 2)) / 2;
}
