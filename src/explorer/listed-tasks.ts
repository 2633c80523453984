import { LABELS, PORTFOLIOS, type Task } from '../tasks/task.js';
import type { Opened } from './sources/opened.js';

/** A task as the list of them shows it. */
export interface ListedTask {
  readonly id: string;
  readonly family: string;
  readonly panel: string;
  readonly cluster: string;
  /** Column of the matrix; -1 where there is none. */
  readonly column: number;
  /** Mean of the points of all models; null where they are not at hand. */
  readonly mean: number | null;
  /** What was asked and what every choice is worth; null where only scores are known. */
  readonly task: Task | null;
}

/** Lists the tasks behind a ranking, in their order: those that are scored, or those beside a document that states the ranking alone. */
export function listedTasks({ matrix, missing, release }: Opened): ListedTask[] {
  if (matrix === null)
    return (release?.tasks ?? []).map((task) => {
      const { id, family, panel, cluster } = task;
      return { id, family, panel, cluster, column: -1, mean: null, task };
    });
  const known = new Map((release?.tasks ?? []).map((task) => [task.id, task]));
  const { tasks, families, panels, clusters, models, values, scale } = matrix;
  return tasks.map((id, column) => {
    let sum = 0;
    for (let m = 0; m < models.length; m += 1) sum += values[m * tasks.length + column]!;
    return {
      ...{ id, column, family: families[column]!, panel: panels[column]!, cluster: clusters[column]! },
      // Cells that are missing hold the least that they could be, which is no score.
      mean: missing === 'bounds' ? null : sum / models.length / scale,
      task: known.get(id) ?? null,
    };
  });
}

/** One of the 56 choices of a task. */
export interface Portfolio {
  /** Three labels. */
  readonly key: string;
  /** Names of the items, in the order of the labels; empty where a task names none. */
  readonly items: readonly string[];
  /** Points. */
  readonly score: number;
  /** 1 is best; equal scores share it. */
  readonly place: number;
}

/** Names the items that labels stand for. */
export function itemsOf({ choices }: Task, key: string): string[] {
  return [...key].flatMap((label) => choices[LABELS.indexOf(label)]?.replaceAll('_', ' ') ?? []);
}

/** Ranks all 56 choices of a task, best first; equal ones in the order of their labels. */
export function portfolios(task: Task): Portfolio[] {
  const order = PORTFOLIOS.map((key, action) => ({ key, score: task.scores[action]! })).sort(
    (a, b) => b.score - a.score || (a.key < b.key ? -1 : 1),
  );
  return order.map(({ key, score }) => ({
    key,
    items: itemsOf(task, key),
    score: score / 100,
    place: 1 + order.filter((other) => other.score > score).length,
  }));
}
