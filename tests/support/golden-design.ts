import { readFileSync } from 'node:fs';
import type { ClusterDesign } from '../../src/engine/index.js';
import { shared } from './shared.js';

interface GoldenTask {
  task_id: string;
  panel: string;
  family: string;
  cluster_id: string;
  chance_score_bps: number;
}

const FAMILIES = ['substitution', 'pairing', 'constraint'];

/** The design of a golden folder ('a' or 'c'), with the chance row last unless `chance` is false. */
export function goldenDesign(folder: 'a' | 'c', strata: 'family' | 'panel-family', chance = true): ClusterDesign {
  const tasks = readFileSync(shared(`golden/${folder}/tasks.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as GoldenTask);
  const [header, ...lines] = readFileSync(shared(`golden/${folder}/scores_bps.csv`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  const columns = new Map(header!.map((name, at) => [name, at]));
  const column = (task: GoldenTask) => columns.get(task.task_id)!;
  const table = lines.map((cells) => tasks.map((task) => Number(cells[column(task)])));
  if (chance) table.push(tasks.map((task) => task.chance_score_bps));
  const labels =
    strata === 'family'
      ? FAMILIES
      : ['panel_1', 'panel_2'].flatMap((panel) => FAMILIES.map((family) => `${panel}/${family}`));
  return designOf({
    table,
    stratum: tasks.map((task) => labels.indexOf(strata === 'family' ? task.family : `${task.panel}/${task.family}`)),
    cluster: tasks.map((task) => task.cluster_id),
    ranked: lines.length,
  });
}

/** Totals by part from a rows x tasks table of integers. */
export function designOf(options: {
  table: readonly (readonly number[])[];
  stratum: readonly number[];
  cluster: readonly (string | number)[];
  ranked: number;
}): ClusterDesign {
  const { table, stratum, cluster, ranked } = options;
  const ids = [...new Set(cluster)];
  const parts = new Map<string, { stratum: number; cluster: number; tasks: number[] }>();
  stratum.forEach((s, t) => {
    const c = ids.indexOf(cluster[t]!);
    const key = `${s} ${c}`;
    const part = parts.get(key) ?? { stratum: s, cluster: c, tasks: [] };
    part.tasks.push(t);
    parts.set(key, part);
  });
  const ordered = [...parts.values()].sort((a, b) => a.stratum - b.stratum || a.cluster - b.cluster);
  return {
    rows: table.length,
    ranked,
    clusters: ids.length,
    strata: Math.max(...stratum) + 1,
    scale: 100,
    partCluster: Int32Array.from(ordered, (part) => part.cluster),
    partStratum: Int32Array.from(ordered, (part) => part.stratum),
    partTasks: Int32Array.from(ordered, (part) => part.tasks.length),
    partTotals: Float64Array.from(
      ordered.flatMap((part) => table.map((row) => part.tasks.reduce((sum, t) => sum + row[t]!, 0))),
    ),
  };
}
