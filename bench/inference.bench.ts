import { createEngine, type Engine } from '../src/engine/index.js';
import { runInference } from '../src/inference/infer.js';
import { FROZEN_CHOICES, type InferencePlan } from '../src/inference/plan.js';
import { simulatedMatrix } from './simulated.js';

interface Row {
  readonly name: string;
  readonly value: number;
  readonly best?: number;
  readonly unit: string;
}

const RUNS = 9;

const matrix = simulatedMatrix();

/** Wall and processor time of one inference, medians of nine after a warm-up; processor time counts all threads. */
async function time(name: string, work: () => Promise<unknown>): Promise<Row[]> {
  const wall: number[] = [];
  const processor: number[] = [];
  for (let run = 0; run <= RUNS; run++) {
    const before = process.cpuUsage();
    const start = performance.now();
    await work();
    const passed = performance.now() - start;
    const { user, system } = process.cpuUsage(before);
    if (run === 0) continue;
    wall.push(passed);
    processor.push((user + system) / 1000);
  }
  const row = (label: string, times: number[]): Row => {
    times.sort((a, b) => a - b);
    return { name: label, value: times[RUNS >> 1]!, best: times[0]!, unit: 'ms' };
  };
  return [row(name, wall), row(`${name}: processor time`, processor)];
}

const infer = (engine: Engine, plan: Partial<InferencePlan> = {}) => runInference({ matrix, engine, plan });

/** The whole inference of a leaderboard: 27 x 534, 50,000 + 100,000 draws, 351 pairs; reading and writing files not counted. */
export async function measure(): Promise<Row[]> {
  const wasm = await createEngine({ backend: 'wasm' });
  const pool = await createEngine({ backend: 'pool', threads: 2 });
  const replay = { rng: 'numpy', strata: 'family' } as const;
  const rows = [
    ...(await time('full inference, philox, one thread', () => infer(wasm))),
    ...(await time('full inference, philox, 2 threads', () => infer(pool))),
    ...(await time('full inference, choices of version 1, 2 threads', () => infer(pool, FROZEN_CHOICES))),
    ...(await time('full inference, philox, threads started for it', async () => {
      const engine = await createEngine({ backend: 'pool', threads: 2 });
      await infer(engine).finally(() => engine.close());
    })),
    ...(await time('full inference, numpy replay, one thread', () => infer(wasm, replay))),
    ...(await time('full inference, numpy replay, 2 threads', () => infer(pool, replay))),
  ];
  await Promise.all([wasm.close(), pool.close()]);
  return rows;
}
