import { RANKED_FAMILIES, type Task } from './task.js';

/** Diagnostics of a family's score maps: the paper's Table 2. */
interface MapStatistics {
  readonly family: string;
  readonly tasks: number;
  /** Mean exact chance, points. */
  readonly chance: number;
  /** Median gap between the best and the second best portfolio, points. */
  readonly topGap: number;
  /** Median number of distinct scores in a map. */
  readonly distinct: number;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half]!;
  return sorted.length % 2 === 1 ? upper : (sorted[half - 1]! + upper) / 2;
}

/** Describes the score maps by family: the ranked families first, others in order of appearance. */
export function mapStatistics(tasks: readonly Task[]): readonly MapStatistics[] {
  const families = new Set<string>([
    ...RANKED_FAMILIES.filter((family) => tasks.some((task) => task.family === family)),
    ...tasks.map((task) => task.family),
  ]);
  return [...families].map((family) => {
    const members = tasks.filter((task) => task.family === family);
    const total = members.reduce((sum, task) => sum + task.chance, 0);
    return {
      family,
      tasks: members.length,
      chance: total / (100 * members.length),
      topGap: median(members.map((task) => task.margin)) / 100,
      distinct: median(members.map((task) => new Set(task.scores).size)),
    };
  });
}
