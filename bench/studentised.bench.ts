import type { Bench } from 'tinybench';
import { createEngine, type StudentisedRequest } from '../src/engine/index.js';
import { simulatedDesign } from './simulated.js';

const random = { kind: 'philox', seed: 20260820n, stream: 0 } as const;
const request: StudentisedRequest = { draws: 50_000, random, scheme: 'joint', tail: 0.025 };

/** t of 27 rows over 534 clusters: values over errors of their own, and two quantiles of each row. */
export async function register(bench: Bench): Promise<() => Promise<unknown>> {
  const design = simulatedDesign();
  const wasm = await createEngine({ backend: 'wasm' });
  const reference = await createEngine({ backend: 'reference' });
  bench
    .add('50,000 studentised draws, wasm', async () => {
      await wasm.studentised(design, request);
    })
    .add('500 studentised draws, reference', async () => {
      await reference.studentised(design, { ...request, draws: 500 });
    });
  return () => Promise.all([wasm.close(), reference.close()]);
}
