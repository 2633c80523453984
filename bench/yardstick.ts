import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type ClusterDesign, type Engine, pairCount } from '../src/engine/index.js';

const SEED = 20260820n;
const RUNS = 5;

/** What bench/native/yardstick.cpp prints: processor milliseconds of each stage, and sums over the answers. */
interface Yardstick {
  readonly bootstrap: number;
  readonly ranks: number;
  readonly pair_intervals: number;
  readonly flips: number;
  readonly total: number;
  readonly exceedances: number;
  readonly first_ranks: number;
}

type Stage = Exclude<keyof Yardstick, 'exceedances' | 'first_ranks'>;

/** The same job on both sides. */
export interface Job {
  readonly design: ClusterDesign;
  readonly draws: number;
  readonly flips: number;
  /** Intervals of all differences too. */
  readonly pairs: boolean;
}

/** Medians of both sides in processor milliseconds, one thread each. */
export interface Beside {
  readonly native: Readonly<Record<Stage, number>>;
  readonly wasm: number;
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!;

/** Builds bench/native where a compiler is found; null elsewhere. */
function buildYardstick(): string | null {
  mkdirSync('build/native', { recursive: true });
  const program = 'build/native/yardstick';
  for (const compiler of ['g++', 'clang++']) {
    const flags = ['-O3', '-march=native', '-std=c++17', '-o', program, 'bench/native/yardstick.cpp'];
    if (spawnSync(compiler, flags, { stdio: 'inherit' }).status === 0) return program;
  }
  return null;
}

/** Writes a design where native code reads it; returns the call of a job. */
function nativeCall({ design, draws, flips, pairs }: Job): string[] {
  const { rows, clusters, strata, partStratum, partTotals } = design;
  const file = 'build/native/design.bin';
  writeFileSync(file, Buffer.from(Int32Array.from([rows, clusters, strata, ...partStratum, ...partTotals]).buffer));
  return [file, String(draws), String(flips), String(SEED), ...(pairs ? ['pairs'] : [])];
}

const runNative = (program: string, call: readonly string[]): Yardstick =>
  JSON.parse(spawnSync(program, call, { encoding: 'utf8' }).stdout) as Yardstick;

/** Median processor milliseconds of native code for a job; null where no compiler is found. */
export function nativeTime(job: Job): number | null {
  const program = buildYardstick();
  if (!program) return null;
  const call = nativeCall(job);
  return median(Array.from({ length: RUNS }, () => runNative(program, call).total));
}

/** Runs a job with the kernels; returns the sums that both sides must agree on. */
async function runKernels(engine: Engine, { design, draws, flips, pairs }: Job) {
  const { ranked } = design;
  const summary = await engine.bootstrap(design, {
    draws,
    random: { kind: 'philox', seed: SEED, stream: 0 },
    scheme: 'joint',
    probabilities: pairs ? [0.025, 0.975] : [],
    ranks: 'shared',
    pairs,
  });
  const random = { kind: 'philox', seed: SEED, stream: 1 } as const;
  const counts = await engine.flips(design, { draws: flips, random, maxT: true });
  const firsts = (m: number): number => summary.bestRankCounts![m * ranked]! + summary.worstRankCounts![m * ranked]!;
  return {
    exceedances: counts.pairs.reduce((sum, count) => sum + count, 0),
    first_ranks: Array.from({ length: ranked }, (_, m) => (m + 1) * firsts(m)).reduce((a, b) => a + b, 0),
  };
}

/**
 * Runs a job with WASM on one thread beside native code on one thread, in turn, over the same draws, in processor time; their answers
 * must agree. The design has one part a cluster, in order, as many tasks in each stratum, and no total past 15 bits. Null where
 * no compiler is found.
 */
export async function besideNative(engine: Engine, job: Job): Promise<Beside | null> {
  const program = buildYardstick();
  if (!program) return null;
  const call = nativeCall(job);
  const native: Yardstick[] = [];
  const wasm: number[] = [];
  for (let run = 0; run <= RUNS; run++) {
    const yardstick = runNative(program, call);
    const start = process.cpuUsage();
    const sums = await runKernels(engine, job);
    const { user, system } = process.cpuUsage(start);
    if (sums.exceedances !== yardstick.exceedances || sums.first_ranks !== yardstick.first_ranks)
      throw new Error(
        `native and WASM disagree: ${JSON.stringify([sums, yardstick])}, ${pairCount(job.design.rows)} pairs`,
      );
    if (run === 0) continue;
    native.push(yardstick);
    wasm.push((user + system) / 1000);
  }
  const of = (stage: Stage): number => median(native.map((yardstick) => yardstick[stage]));
  return {
    native: {
      bootstrap: of('bootstrap'),
      ranks: of('ranks'),
      pair_intervals: of('pair_intervals'),
      flips: of('flips'),
      total: of('total'),
    },
    wasm: median(wasm),
  };
}
