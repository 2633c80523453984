import type { Bench } from 'tinybench';
import { createEngine } from '../src/engine/index.js';
import { runInference } from '../src/inference/infer.js';
import { simulatedMatrix } from './simulated.js';

/** The whole inference of a leaderboard: 27 x 534, 50,000 + 100,000 draws, 351 pairs; reading and writing files not counted. */
export async function register(bench: Bench): Promise<() => Promise<unknown>> {
  const matrix = simulatedMatrix();
  const wasm = await createEngine({ backend: 'wasm' });
  const pool = await createEngine({ backend: 'pool', threads: 2 });
  const plan = { rng: 'numpy', strata: 'family' } as const;
  bench
    .add('full inference, philox, one thread', async () => {
      await runInference({ matrix, engine: wasm });
    })
    .add('full inference, philox, 2 threads', async () => {
      await runInference({ matrix, engine: pool });
    })
    .add('full inference, philox, threads started for it', async () => {
      const engine = await createEngine({ backend: 'pool', threads: 2 });
      await runInference({ matrix, engine });
      await engine.close();
    })
    .add('full inference, numpy replay, one thread', async () => {
      await runInference({ matrix, engine: wasm, plan });
    })
    .add('full inference, numpy replay, 2 threads', async () => {
      await runInference({ matrix, engine: pool, plan });
    });
  return () => Promise.all([wasm.close(), pool.close()]);
}
