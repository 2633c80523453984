import type { ScoreMatrix } from '../core/matrix.js';
import { plain } from '../util/text.js';

/** A task with the values that two models have on it, points. */
export interface TaskValues {
  readonly task: string;
  readonly family: string;
  readonly cluster: string;
  readonly first: number;
  readonly second: number;
}

/** Lists all tasks with the values of two rows of a matrix, in the order of its columns. */
export function taskValues(
  { tasks, families, clusters, values, scale }: ScoreMatrix,
  a: number,
  b: number,
): TaskValues[] {
  return tasks.map((task, t) => ({
    task: plain(task),
    family: families[t]!,
    cluster: clusters[t]!,
    first: values[a * tasks.length + t]! / scale,
    second: values[b * tasks.length + t]! / scale,
  }));
}

/** The tasks that separate two models most, and how many more do. */
export interface SeparatingTasks {
  readonly tasks: readonly TaskValues[];
  /** Others that separate them as much as the last one listed. */
  readonly alike: number;
  /** Others that separate them less. */
  readonly less: number;
}

/** Finds the tasks on which the first is most above the second, at most so many; equal differences in the order of the tasks. */
export function separatingTasks(rows: readonly TaskValues[], most: number): SeparatingTasks {
  const apart = ({ first, second }: TaskValues) => first - second;
  const above = rows.filter((row) => apart(row) > 0).sort((x, y) => apart(y) - apart(x));
  const tasks = above.slice(0, most);
  const others = above.slice(most);
  const alike = others.filter((row) => apart(row) === apart(tasks.at(-1)!)).length;
  return { tasks, alike, less: others.length - alike };
}

/** Tasks that have the same two values, as one mark. */
export interface ValueMark {
  readonly first: number;
  readonly second: number;
  readonly tasks: number;
}

/** Gathers tasks by their two values, most tasks first. */
export function valueMarks(rows: readonly TaskValues[]): ValueMark[] {
  const marks = new Map<string, { first: number; second: number; tasks: number }>();
  for (const { first, second } of rows) {
    const key = `${first} ${second}`;
    const mark = marks.get(key) ?? { first, second, tasks: 0 };
    mark.tasks += 1;
    marks.set(key, mark);
  }
  return [...marks.values()].sort((x, y) => y.tasks - x.tasks);
}
