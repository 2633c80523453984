import { spawnSync } from 'node:child_process';

interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

/** Peak memory and time of one call in a process of its own. */
function run(call: string): { megabytes: number; milliseconds: number } {
  const code = `
    import { createEngine } from '${new URL('../../dist/engine/index.js', import.meta.url).href}';
    import { simulatedDesign } from '${new URL('simulated.js', import.meta.url).href}';
    const engine = await createEngine({ backend: 'wasm' });
    const design = simulatedDesign();
    const start = performance.now();
    ${call}
    const milliseconds = performance.now() - start;
    await engine.close();
    console.log(JSON.stringify({ milliseconds, megabytes: process.resourceUsage().maxRSS / 1024 }));
  `;
  const args = ['--input-type=module', '-e', code];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

const flips = (draws: number): string => `
  const random = { kind: 'philox', seed: 1n, stream: 1 };
  await engine.flips(design, { draws: ${draws}, random, maxT: true });`;

const bootstrap = (draws: number): string => `
  const random = { kind: 'philox', seed: 1n, stream: 0 };
  const probabilities = [0.025, 0.975];
  const bands = { ranks: 'ordinal', pairs: true, bandProbability: 0.95 };
  await engine.bootstrap(design, { draws: ${draws}, random, scheme: 'joint', probabilities, ...bands });`;

/** Peak memory at 100,000 and 1,000,000 draws of 28 rows over 534 clusters, all pairs, on one thread. */
export function measure(): Row[] {
  const rows: Row[] = [];
  for (const draws of [100_000, 1_000_000])
    for (const [what, call] of [
      ['flips', flips],
      ['bootstraps', bootstrap],
    ] as const) {
      const { megabytes, milliseconds } = run(call(draws));
      const name = `${draws.toLocaleString('en')} ${what}`;
      rows.push({ name: `peak memory of ${name}`, value: megabytes, unit: 'MB' });
      rows.push({ name: `time of ${name}`, value: milliseconds, unit: 'ms' });
    }
  return rows;
}
