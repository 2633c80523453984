import type { Bench } from 'tinybench';
import { createEngine, type FlipRequest } from '../src/engine/index.js';
import { answeredDesign, simulatedDesign } from './simulated.js';

const request: FlipRequest = {
  draws: 100_000,
  random: { kind: 'philox', seed: 20260820n, stream: 1 },
};

/** Sign flips of 28 rows over 534 clusters, every pair compared. */
export async function register(bench: Bench): Promise<() => Promise<unknown>> {
  const design = simulatedDesign();
  const wide = { ...design, partTotals: design.partTotals.map((total) => total * 2 ** 20) };
  const answered = answeredDesign(139, 56);
  const wasm = await createEngine({ backend: 'wasm' });
  const reference = await createEngine({ backend: 'reference' });
  bench
    .add('100,000 flips, all pairs, wasm', async () => {
      await wasm.flips(design, request);
    })
    .add('100,000 flips, all pairs and max-T, wasm', async () => {
      await wasm.flips(design, { ...request, maxT: true });
    })
    .add('100,000 flips past 32 bits, all pairs and max-T, wasm', async () => {
      await wasm.flips(wide, { ...request, maxT: true });
    })
    .add('100,000 flips of 139 models x 56 tasks of 0 and 1, all pairs and max-T, wasm', async () => {
      await wasm.flips(answered, { ...request, maxT: true });
    })
    .add('100,000 flips, replayed NumPy stream, wasm', async () => {
      const random = { kind: 'numpy', seed: 20260821n, batch: 1000 } as const;
      await wasm.flips(design, { ...request, random });
    })
    .add('500 flips, all pairs and max-T, reference', async () => {
      await reference.flips(design, { ...request, draws: 500, maxT: true });
    });
  return () => Promise.all([wasm.close(), reference.close()]);
}
