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

/** Lists all tasks with the values of two rows of a matrix, in the order of its columns; without those on which one of the two has none. */
export function taskValues(
  { tasks, families, clusters, values, scale }: ScoreMatrix,
  a: number,
  b: number,
  absent: Uint8Array | null = null,
): TaskValues[] {
  const [first, second] = [a * tasks.length, b * tasks.length];
  return tasks.flatMap((task, t) =>
    absent?.[first + t] || absent?.[second + t]
      ? []
      : [
          {
            task: plain(task),
            family: families[t]!,
            cluster: clusters[t]!,
            first: values[first + t]! / scale,
            second: values[second + t]! / scale,
          },
        ],
  );
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

/** Tasks with the same or with near values of two models, as one mark: where these lie on average. */
export interface ValueMark {
  readonly first: number;
  readonly second: number;
  readonly tasks: number;
}

/** Past so many marks those that would lie on one another anyway are put together. */
const MOST_MARKS = 4000;
/** Parts of an axis that one mark stands in, where values are put together. */
const PARTS = 60;

/** Gathers tasks by their two values, most tasks first; `near` says that a mark stands for values that only lie near one another. */
export function valueMarks(rows: readonly TaskValues[]): { readonly marks: ValueMark[]; readonly near: boolean } {
  const exact = gathered(rows, ({ first, second }) => `${first} ${second}`);
  if (exact.length <= MOST_MARKS) return { marks: exact, near: false };
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const { first, second } of rows) {
    least = Math.min(least, first, second);
    most = Math.max(most, first, second);
  }
  const part = (value: number) => Math.floor((PARTS * (value - least)) / (most - least || 1));
  return { marks: gathered(rows, ({ first, second }) => `${part(first)} ${part(second)}`), near: true };
}

function gathered(rows: readonly TaskValues[], key: (row: TaskValues) => string): ValueMark[] {
  const sums = new Map<string, { first: number; second: number; tasks: number }>();
  for (const row of rows) {
    const name = key(row);
    const sum = sums.get(name) ?? { first: 0, second: 0, tasks: 0 };
    sum.first += row.first;
    sum.second += row.second;
    sum.tasks += 1;
    sums.set(name, sum);
  }
  return [...sums.values()]
    .map(({ first, second, tasks }) => ({ first: first / tasks, second: second / tasks, tasks }))
    .sort((x, y) => y.tasks - x.tasks);
}
