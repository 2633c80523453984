import type { CoarseTasks } from '../core/coarse-tasks.js';
import type { ScoreMatrix } from '../core/matrix.js';
import { MOST_SCALE } from '../core/scale.js';
import { shown } from '../util/error.js';
import { general } from '../util/format.js';
import { listedNames } from './column-names.js';
import { dropOption, isFactName, isLowerName } from './fact-names.js';

/** Ranges beyond the usual one at which a task is called far outside. */
const FAR = 4;

/**
 * Says which tasks look like no tasks (reading 1.12): called as facts about models are, the mean or the sum of all others, or far outside their
 * range. As sentences without a full stop; they are kept.
 */
export function oddTaskWords(matrix: ScoreMatrix): string[] {
  const { tasks } = matrix;
  if (tasks.length < 2 || matrix.models.length < 2) return [];
  const said: string[] = [];
  const drop = (t: number) => `if it is no task, ${dropOption([tasks[t]!])}`;
  const facts = tasks.filter(isFactName);
  if (facts.length > 0 && facts.length < tasks.length)
    said.push(
      `${listedNames(facts)} ${facts.length === 1 ? 'counts as a task and is' : 'count as tasks and are'} called as facts about models or summaries are; if no task, ${dropOption(facts)}`,
    );
  for (const { task, what } of summaries(matrix))
    said.push(`task ${shown(tasks[task])} is the ${what} of all others for every model; ${drop(task)}`);
  said.push(...outsiderWords(matrix));
  for (const task of tasks.filter(isLowerName).slice(0, 2))
    said.push(
      `task ${shown(task)} is called as what is better when it is lower, and here the greater value counts as better: give its negative, or leave it out with ${dropOption([task])}`,
    );
  if (areRanks(matrix))
    said.unshift(
      `all values are whole numbers from 1 up and hardly two alike: if they are ranks, the least is best, and here the greatest counts as best: give the scores that they were made of`,
    );
  return said.slice(0, 5);
}

/** Says which tasks but those called as facts reach far outside the range of the others: one with its range, several in one sentence. */
function outsiderWords(matrix: ScoreMatrix): string[] {
  const found = outsiders(matrix);
  const [only] = found;
  // Where half of the tasks lie outside there is no usual range.
  if (only === undefined || 2 * found.length >= matrix.tasks.filter((name) => !isFactName(name)).length) return [];
  const points = (value: number) => general(value / matrix.scale, 4);
  const usual = `others usually from ${points(only.low)} to ${points(only.high)}`;
  const names = found.map(({ task }) => matrix.tasks[task]!);
  if (found.length === 1)
    return [
      `task ${shown(names[0])} reaches from ${points(only.least)} to ${points(only.greatest)}, ${usual}; if it is no task, ${dropOption(names)}`,
    ];
  return [`tasks ${listedNames(names)} reach far outside, ${usual}; if they are no tasks, ${dropOption(names)}`];
}

/** Says whose values a scale for all blurs, and what holds the scale back (reading 1.13). */
export function coarseWords({ tasks, change, because, greatest }: CoarseTasks): string {
  if (because.length === 0)
    return `values of ${listedNames(tasks)} are rounded by up to ${general(change, 2)}, which blurs them: nothing finer than ${1 / MOST_SCALE} points is held; write them in a smaller unit`;
  return (
    `values of ${listedNames(tasks)} are rounded by up to ${general(change, 2)}, which blurs them: ${listedNames(because)} ` +
    `${because.length === 1 ? 'reaches' : 'reach'} ${general(greatest, 4)}, too far for a finer scale; if ${because.length === 1 ? 'it is no task' : 'they are no tasks'}, ` +
    dropOption(because)
  );
}

/** Models at which whole numbers from 1 to about as many may be ranks, and not grades. */
const RANKED = 8;

/** Tells whether every task holds whole numbers from 1 to about the number of models, most of them once or twice, as ranks do. */
function areRanks({ tasks, models, values, scale }: ScoreMatrix): boolean {
  const [T, M] = [tasks.length, models.length];
  if (scale !== 1 || M < RANKED) return false;
  return tasks.every((_, task) => {
    const met = new Set<number>();
    for (let at = task; at < values.length; at += T) {
      const value = values[at]!;
      if (value < 1 || value > 1.25 * M) return false;
      met.add(value);
    }
    return 2 * met.size >= M;
  });
}

/** How likely it may be that some task is the mean of all others by chance alone. */
const BY_CHANCE = 0.01;

/** Tasks but those called as facts whose value is the mean or the sum of all others in every row, up to their own rounding, and hardly by chance. */
function summaries({ tasks, models, values, scale }: ScoreMatrix): Summary[] {
  const T = tasks.length;
  const M = models.length;
  const scored = tasks.flatMap((name, task) => (isFactName(name) ? [] : [task]));
  if (scored.length < 3 || M < 3) return [];
  const sums = models.map((_, m) => scored.reduce((sum, task) => sum + values[m * T + task]!, 0));
  return scored.flatMap((task): Summary[] => {
    const unit = ownUnit(values, task, T, scale);
    const is = (of: (rest: number) => number) =>
      sums.every((sum, m) => {
        const value = values[m * T + task]!;
        return Math.abs(value - of(sum - value)) <= unit / 2 + 1e-9 * Math.abs(value);
      });
    const what = is((rest) => rest / (scored.length - 1)) ? 'mean' : is((rest) => rest) ? 'sum' : undefined;
    if (what === undefined || T * (unit / reach(values, task, T)) ** M > BY_CHANCE) return [];
    return [{ task, what }];
  });
}

interface Summary {
  readonly task: number;
  readonly what: 'mean' | 'sum';
}

/** How far the values of a task reach. */
function reach(values: Float64Array, task: number, T: number): number {
  let [least, greatest] = [values[task]!, values[task]!];
  for (let at = task; at < values.length; at += T) {
    least = Math.min(least, values[at]!);
    greatest = Math.max(greatest, values[at]!);
  }
  return greatest - least;
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

interface Outsider {
  readonly task: number;
  readonly least: number;
  readonly greatest: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Tasks, but those called as facts, that reach further from the usual range, between the medians of the others' least and greatest values, than
 * `FAR` times that range.
 */
function outsiders({ tasks: names, values }: ScoreMatrix): Outsider[] {
  const T = names.length;
  const tasks = names.flatMap((name, t) => (isFactName(name) ? [] : [t]));
  if (tasks.length < 2) return [];
  const least = new Float64Array(T).fill(Number.POSITIVE_INFINITY);
  const greatest = new Float64Array(T).fill(Number.NEGATIVE_INFINITY);
  for (let at = 0; at < values.length; at += 1) {
    const t = at % T;
    least[t] = Math.min(least[t]!, values[at]!);
    greatest[t] = Math.max(greatest[t]!, values[at]!);
  }
  const lows = Float64Array.from(tasks, (t) => least[t]!).sort();
  const highs = Float64Array.from(tasks, (t) => greatest[t]!).sort();
  return tasks.flatMap((task) => {
    const low = medianWithout(lows, least[task]!);
    const high = medianWithout(highs, greatest[task]!);
    const range = high - low;
    if (range <= 0) return [];
    const far = greatest[task]! > high + FAR * range || least[task]! < low - FAR * range;
    return far ? [{ task, least: least[task]!, greatest: greatest[task]!, low, high }] : [];
  });
}

/** The first place of a value among sorted ones. */
function lowerBound(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The median of sorted values, one of which is left out. */
function medianWithout(sorted: Float64Array, left: number): number {
  const n = sorted.length - 1;
  const place = lowerBound(sorted, left);
  const at = (i: number) => sorted[i < place ? i : i + 1]!;
  return n % 2 === 1 ? at((n - 1) / 2) : (at(n / 2 - 1) + at(n / 2)) / 2;
}
