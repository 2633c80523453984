import { readFileSync } from 'node:fs';
import type { ScoreMatrix } from '../../src/core/matrix.js';
import { shared } from './shared.js';

interface GoldenTask {
  task_id: string;
  panel: string;
  family: string;
  cluster_id: string;
  chance_score_bps: number;
}

const read = (path: string) => readFileSync(shared(path), 'utf8').trim().split('\n');

/** The score matrix of a golden folder, read without any of the project's readers. */
export function goldenMatrix(folder: 'a' | 'c'): ScoreMatrix {
  const tasks = read(`golden/${folder}/tasks.jsonl`).map((line) => JSON.parse(line) as GoldenTask);
  const [header, ...rows] = read(`golden/${folder}/scores_bps.csv`).map((line) => line.split(','));
  const column = tasks.map((task) => header!.indexOf(task.task_id));
  return {
    models: rows.map((row) => row[0]!),
    tasks: tasks.map((task) => task.task_id),
    panels: tasks.map((task) => task.panel),
    families: tasks.map((task) => task.family),
    clusters: tasks.map((task) => task.cluster_id),
    values: Float64Array.from(rows.flatMap((row) => column.map((k) => Number(row[k])))),
    scale: 100,
    chance: Float64Array.from(tasks, (task) => task.chance_score_bps),
  };
}
