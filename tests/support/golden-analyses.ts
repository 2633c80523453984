import { readFileSync } from 'node:fs';
import type { ScoreMatrix } from '../../src/core/matrix.js';
import { PORTFOLIO_INDEX, PORTFOLIOS } from '../../src/tasks/task.js';
import { shared } from './shared.js';

const jsonl = (path: string) =>
  readFileSync(shared(path), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

export interface GoldenA {
  readonly matrix: ScoreMatrix;
  readonly maps: readonly Uint16Array[];
  readonly actions: Int32Array;
}

/** The synthetic leaderboard: 27 models x 534 tasks with their maps and selections. */
export function goldenA(): GoldenA {
  const tasks = jsonl('golden/a/tasks.jsonl');
  const rows = jsonl('golden/a/responses.jsonl') as {
    model_id: string;
    task_id: string;
    selection: string;
  }[];
  const models = [...new Set(rows.map((row) => row.model_id))];
  const column = new Map(tasks.map((task, t) => [task.task_id as string, t]));
  const maps = tasks.map((task) => Uint16Array.from(PORTFOLIOS, (key) => task.selection_scores_bps[key]));
  const values = new Float64Array(models.length * tasks.length);
  const actions = new Int32Array(values.length);
  for (const { model_id, task_id, selection } of rows) {
    const t = column.get(task_id)!;
    const at = models.indexOf(model_id) * tasks.length + t;
    actions[at] = PORTFOLIO_INDEX.get(selection)!;
    values[at] = maps[t]![actions[at]]!;
  }
  const field = (key: string) => tasks.map((task) => task[key] as string);
  return {
    matrix: {
      models,
      tasks: field('task_id'),
      panels: field('panel'),
      families: field('family'),
      clusters: field('cluster_id'),
      values,
      scale: 100,
      chance: Float64Array.from(tasks, (task) => task.chance_score_bps),
    },
    maps,
    actions,
  };
}

/** The expected values of every analysis. */
export const expectedAnalyses = () => JSON.parse(readFileSync(shared('golden/analyses/expected.json'), 'utf8'));

/** Pairs of row numbers that Holm resolves on the synthetic leaderboard. */
export function goldenResolved(): [number, number][] {
  const { pairwise_comparisons: pairs } = JSON.parse(readFileSync(shared('golden/a/result.json'), 'utf8'));
  return pairs
    .filter((pair: { holm_significant: boolean }) => pair.holm_significant)
    .map((pair: { left_index: number; right_index: number }) => [pair.left_index, pair.right_index]);
}
