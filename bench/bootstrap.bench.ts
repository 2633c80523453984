import type { Bench } from 'tinybench';
import { type BootstrapRequest, createEngine } from '../src/engine/index.js';
import { simulatedDesign } from './simulated.js';

const request: BootstrapRequest = {
  draws: 50_000,
  random: { kind: 'philox', seed: 20260820n, stream: 0 },
  scheme: 'joint',
  probabilities: [0.025, 0.975],
};

/** 50,000 cluster bootstraps of 28 rows over 534 clusters, step by step. */
export async function register(bench: Bench): Promise<() => Promise<unknown>> {
  const design = simulatedDesign();
  const wasm = await createEngine({ backend: 'wasm' });
  const reference = await createEngine({ backend: 'reference' });
  bench
    .add('50,000 bootstraps: values, errors, row intervals, wasm', async () => {
      await wasm.bootstrap(design, request);
    })
    .add('the same, stratified scheme, wasm', async () => {
      await wasm.bootstrap(design, { ...request, scheme: 'stratified' });
    })
    .add('the same with ranks and band, wasm', async () => {
      await wasm.bootstrap(design, { ...request, ranks: 'ordinal', bandProbability: 0.95 });
    })
    .add('the same with 378 pair intervals, wasm', async () => {
      await wasm.bootstrap(design, { ...request, pairs: true });
    })
    .add('the same, replayed NumPy stream, wasm', async () => {
      const random = { kind: 'numpy', seed: 20260820n, batch: 250 } as const;
      await wasm.bootstrap(design, { ...request, random });
    })
    .add('500 bootstraps, reference', async () => {
      await reference.bootstrap(design, { ...request, draws: 500 });
    });
  return () => Promise.all([wasm.close(), reference.close()]);
}
