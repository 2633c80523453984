import {
  type BootstrapRequest,
  type ClusterDesign,
  createEngine,
  type Engine,
  type EngineOptions,
  type FlipRequest,
  philoxDraw,
} from '../engine/index.js';

export type Work = 'bootstrap' | 'flips';

export interface BenchSize {
  readonly models: number;
  readonly clusters: number;
}

/** One measured run: the median of `repeats` calls after a warm-up call. */
export interface Throughput extends BenchSize {
  readonly work: Work;
  readonly backend: string;
  readonly threads: number;
  readonly draws: number;
  readonly repeats: number;
  readonly milliseconds: number;
  readonly draws_per_second: number;
}

const STRATA = 6;
const SEED = 20260820n;

/** Makes a design of simulated scores: six strata, one task a cluster, a chance row after the models. */
export function benchDesign({ models, clusters }: BenchSize): ClusterDesign {
  const words = philoxDraw({ seed: SEED, stream: 0xbe7c, draw: 0 });
  const strata = Math.min(STRATA, clusters);
  const rows = models + 1;
  return {
    rows,
    ranked: models,
    clusters,
    strata,
    scale: 100,
    partCluster: Int32Array.from({ length: clusters }, (_, p) => p),
    partStratum: Int32Array.from({ length: clusters }, (_, p) => Math.floor((p * strata) / clusters)),
    partTasks: new Int32Array(clusters).fill(1),
    partTotals: Float64Array.from(words.indices(10_001, clusters * rows)),
  };
}

const bootstrapRequest = (draws: number): BootstrapRequest => ({
  draws,
  random: { kind: 'philox', seed: SEED, stream: 0 },
  scheme: 'joint',
  probabilities: [0.025, 0.975],
  bandProbability: 0.95,
  ranks: 'ordinal',
  pairs: true,
});

const flipRequest = (draws: number): FlipRequest => ({
  draws,
  random: { kind: 'philox', seed: SEED, stream: 1 },
  maxT: true,
});

/** Runs everything that a leaderboard asks of one kind of draw. */
export async function runWork(engine: Engine, design: ClusterDesign, work: Work, draws: number): Promise<void> {
  if (work === 'bootstrap') await engine.bootstrap(design, bootstrapRequest(draws));
  else await engine.flips(design, flipRequest(draws));
}

/** Takes the median of a list that is not empty. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

/** Measures how many milliseconds some work takes. */
export async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Measures one kind of draw on an open engine. */
export async function measure(
  engine: Engine,
  size: BenchSize,
  work: Work,
  draws: number,
  repeats: number,
): Promise<Throughput> {
  const design = benchDesign(size);
  await runWork(engine, design, work, draws);
  const times: number[] = [];
  for (let run = 0; run < repeats; run++) times.push(await milliseconds(() => runWork(engine, design, work, draws)));
  const time = median(times);
  return {
    work,
    backend: engine.backend,
    threads: engine.threads,
    ...size,
    draws,
    repeats,
    milliseconds: Number(time.toFixed(3)),
    draws_per_second: Math.round((draws / time) * 1000),
  };
}

export interface Crossover {
  /** Draws of each kind from which the pool, its start included, is faster; null where it never was. */
  readonly draws: number | null;
  readonly threads: number;
  readonly tried: readonly {
    readonly draws: number;
    readonly wasm: number;
    readonly pool: number;
  }[];
}

/** Finds where starting threads begins to pay: a bootstrap and flips of as many draws, engines opened afresh. */
export async function findCrossover(size: BenchSize, threads: number): Promise<Crossover> {
  const design = benchDesign(size);
  const once = (options: EngineOptions, draws: number) =>
    milliseconds(async () => {
      const engine = await createEngine(options);
      await runWork(engine, design, 'bootstrap', draws);
      await runWork(engine, design, 'flips', draws);
      await engine.close();
    });
  const tried: { draws: number; wasm: number; pool: number }[] = [];
  await once({ backend: 'wasm' }, 100);
  for (const draws of [1_000, 10_000, 30_000, 100_000, 300_000]) {
    const wasm: number[] = [];
    const pool: number[] = [];
    for (let run = 0; run < 3; run++) {
      wasm.push(await once({ backend: 'wasm' }, draws));
      pool.push(await once({ backend: 'pool', threads }, draws));
    }
    const row = {
      draws,
      wasm: Number(median(wasm).toFixed(1)),
      pool: Number(median(pool).toFixed(1)),
    };
    tried.push(row);
    if (row.pool < row.wasm) return { draws, threads, tried };
  }
  return { draws: null, threads, tried };
}
