import { spawnSync } from 'node:child_process';

interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

/** Everything that a table of many models is asked for, in a process of its own, its threads started for it. */
const program = (models: number, tasks: number, flips: number): string => `
  import { createEngine, countMultisets } from '${new URL('../../dist/engine/index.js', import.meta.url).href}';
  import { wideDesign } from '${new URL('simulated.js', import.meta.url).href}';
  const start = performance.now();
  const engine = await createEngine({ backend: 'auto', threads: 2 });
  const design = wideDesign(${models}, ${tasks});
  const alpha = 0.05;
  const rankSets = { alpha, excluded: new Uint8Array((design.ranked * (design.ranked - 1)) / 2) };
  const few = design.clusters < 50;
  const enumerate = countMultisets(design, 'joint') <= 50000;
  const summary = await engine.bootstrap(design, {
    draws: 50000, random: { kind: 'philox', seed: 1n, stream: 0 }, scheme: 'joint', probabilities: [0.025, 0.975],
    bandProbability: 0.95, ranks: 'shared', enumerate, ...(few ? {} : { rankSets }),
  });
  const tests = { maxT: true, stepDown: { alpha }, ...(few ? { rankSets } : {}) };
  const counts = 2 ** design.clusters <= ${flips}
    ? await engine.exactFlips(design, tests)
    : await engine.flips(design, { ...tests, draws: ${flips}, random: { kind: 'philox', seed: 1n, stream: 1 } });
  const milliseconds = performance.now() - start;
  await engine.close();
  const draws = [summary.draws, counts.draws];
  console.log(JSON.stringify({ milliseconds, draws, megabytes: process.resourceUsage().maxRSS / 1024 }));
`;

interface Run {
  readonly milliseconds: number;
  readonly megabytes: number;
  readonly draws: readonly [number, number];
}

function run(models: number, tasks: number, flips: number): Run {
  const args = ['--input-type=module', '-e', program(models, tasks, flips)];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** Models, tasks, flips asked for, runs. */
const TABLES = [
  [1000, 5, 100_000, 5],
  [139, 56, 1_000_000, 5],
  [1024, 534, 100_000, 1],
] as const;

/** Wide tables on two threads: time and peak memory with ranks, band, max-T, step-down and rank sets, no files. */
export function measure(): Row[] {
  return TABLES.flatMap(([models, tasks, flips, runs]) => {
    const all = Array.from({ length: runs }, () => run(models, tasks, flips));
    all.sort((a, b) => a.milliseconds - b.milliseconds);
    const { draws } = all[0]!;
    const table = `${models.toLocaleString('en')} models x ${tasks} tasks`;
    const what = `${draws[0].toLocaleString('en')} bootstraps, ${draws[1].toLocaleString('en')} flips`;
    return [
      { name: `${table}, ${what}`, value: all[runs >> 1]!.milliseconds, unit: 'ms' },
      { name: `${table}: peak memory`, value: Math.max(...all.map(({ megabytes }) => megabytes)), unit: 'MB' },
    ];
  });
}
