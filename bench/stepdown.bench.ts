import type { Bench } from 'tinybench';
import { type BootstrapRequest, createEngine, type FlipRequest, pairCount } from '../src/engine/index.js';
import { simulatedDesign } from './simulated.js';

const random = { kind: 'philox', seed: 20260820n, stream: 1 } as const;
const bootstrap: BootstrapRequest = { draws: 50_000, random, scheme: 'joint', probabilities: [0.025, 0.975] };
const flips: FlipRequest = { draws: 100_000, random, maxT: true };

/** Rank sets and step-down max-T of 27 rows over 534 clusters, beside the same draws without them. */
export async function register(bench: Bench): Promise<() => Promise<unknown>> {
  const design = simulatedDesign();
  const rankSets = { alpha: 0.05, excluded: new Uint8Array(pairCount(design.ranked)) };
  const stepDown = { alpha: 0.05 };
  const wasm = await createEngine({ backend: 'wasm' });
  const reference = await createEngine({ backend: 'reference' });
  bench
    .add('50,000 draws, no rank sets, wasm', async () => {
      await wasm.bootstrap(design, bootstrap);
    })
    .add('50,000 draws with rank sets, wasm', async () => {
      await wasm.bootstrap(design, { ...bootstrap, rankSets });
    })
    .add('100,000 flips, single-step max-T, wasm', async () => {
      await wasm.flips(design, flips);
    })
    .add('100,000 flips, step-down max-T, wasm', async () => {
      await wasm.flips(design, { ...flips, stepDown });
    })
    .add('100,000 flips, rank sets, wasm', async () => {
      await wasm.flips(design, { ...flips, rankSets });
    })
    .add('100,000 flips of the centred test, wasm', async () => {
      await wasm.flips(design, { ...flips, test: 'centred' });
    })
    .add('300 draws with rank sets, reference', async () => {
      await reference.bootstrap(design, { ...bootstrap, draws: 300, rankSets });
    });
  return () => Promise.all([wasm.close(), reference.close()]);
}
