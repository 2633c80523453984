import type { Bench } from 'tinybench';
import { createEngine } from '../src/engine/index.js';
import { simulatedDesign } from './simulated.js';

const DRAWS = 50_000;

const request = {
  draws: DRAWS,
  random: { kind: 'philox', seed: 20260820n, stream: 0 },
  scheme: 'joint',
  probabilities: [0.025, 0.975],
} as const;

/** Bootstraps without ranks, with ordinal and with shared ones: by pairs of 27 rows, by sorting of 139. */
export async function register(bench: Bench): Promise<() => Promise<unknown>> {
  const wasm = await createEngine({ backend: 'wasm' });
  for (const [models, draws] of [
    [27, DRAWS],
    [139, 10_000],
  ] as const) {
    const design = simulatedDesign(models);
    const name = `${draws.toLocaleString('en')} bootstraps of ${models} models`;
    bench
      .add(`${name}, no ranks`, async () => {
        await wasm.bootstrap(design, { ...request, draws });
      })
      .add(`${name}, ordinal ranks`, async () => {
        await wasm.bootstrap(design, { ...request, draws, ranks: 'ordinal' });
      })
      .add(`${name}, shared ranks`, async () => {
        await wasm.bootstrap(design, { ...request, draws, ranks: 'shared' });
      });
  }
  return () => wasm.close();
}
