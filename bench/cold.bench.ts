import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simulatedMatrix } from './simulated.js';

const RUNS = 5;

/** `flavourbench infer` from a cold shell over a CSV of 27 x 534 scores: Node's start, reading and writing files included. */
export function measure(): { name: string; value: number; unit: string }[] {
  const folder = mkdtempSync(join(tmpdir(), 'flavourbench-cold-'));
  const { models, tasks, panels, families, clusters, values, chance } = simulatedMatrix();
  const rows = models.flatMap((model, m) =>
    tasks.map((task, t) => [model, task, panels[t], families[t], clusters[t], values[m * tasks.length + t]].join(',')),
  );
  const scores = join(folder, 'scores.csv');
  const chances = join(folder, 'chance.csv');
  writeFileSync(scores, `model,task,panel,family,cluster,value\n${rows.join('\n')}\n`);
  writeFileSync(chances, `task,value\n${tasks.map((task, t) => `${task},${chance![t]}`).join('\n')}\n`);
  const out = join(folder, 'out');
  const args = ['dist/cli/main.js', 'infer', '--scores', scores, '--chance', chances, '--out', out];
  const times: number[] = [];
  for (let run = 0; run <= RUNS; run++) {
    rmSync(out, { recursive: true, force: true });
    const start = performance.now();
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    if (run > 0) times.push(performance.now() - start);
  }
  rmSync(folder, { recursive: true });
  times.sort((a, b) => a - b);
  return [
    {
      name: 'flavourbench infer from a cold shell, files written',
      value: times[RUNS >> 1]!,
      unit: 'ms',
    },
  ];
}
