import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createEngine, pairCount, pairIndex } from '../src/engine/index.js';
import { simulatedDesign } from './simulated.js';

const DRAWS = 50_000;
const FLIPS = 100_000;
const SEED = 20260820n;
const RUNS = 5;

interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

interface Yardstick {
  readonly bootstrap: number;
  readonly ranks: number;
  readonly pair_intervals: number;
  readonly flips: number;
  readonly total: number;
  readonly exceedances: number;
  readonly first_ranks: number;
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

/** The design as the yardstick reads it; its parts are clusters in order. */
function writeDesign(file: string): void {
  const { rows, clusters, strata, partStratum, partTotals } = simulatedDesign();
  writeFileSync(file, Buffer.from(Int32Array.from([rows, clusters, strata, ...partStratum, ...partTotals]).buffer));
}

/**
 * WASM on one thread beside native code on one thread, in turn, over the same draws, in processor time; their answers must
 * agree.
 */
export async function measure(): Promise<Row[]> {
  const program = buildYardstick();
  if (!program) return [];
  const file = 'build/native/design.bin';
  writeDesign(file);
  const design = simulatedDesign();
  const engine = await createEngine({ backend: 'wasm' });
  const native: Yardstick[] = [];
  const wasm: number[] = [];
  for (let run = 0; run <= RUNS; run++) {
    const args = [file, String(DRAWS), String(FLIPS), String(SEED)];
    const yardstick = JSON.parse(spawnSync(program, args, { encoding: 'utf8' }).stdout) as Yardstick;
    const start = process.cpuUsage();
    const summary = await engine.bootstrap(design, {
      draws: DRAWS,
      random: { kind: 'philox', seed: SEED, stream: 0 },
      scheme: 'joint',
      probabilities: [0.025, 0.975],
      ranks: 'ordinal',
      pairs: true,
    });
    const flips = await engine.flips(design, {
      draws: FLIPS,
      random: { kind: 'philox', seed: SEED, stream: 1 },
      maxT: true,
    });
    const { user, system } = process.cpuUsage(start);
    const time = (user + system) / 1000;
    let exceedances = 0;
    for (let i = 0; i < design.rows; i++)
      for (let j = i + 1; j < design.rows; j++) exceedances += flips.pairs[pairIndex(i, j, design.rows)]!;
    let firsts = 0;
    for (let i = 0; i < design.ranked; i++) firsts += (i + 1) * summary.rankCounts![i * design.ranked]!;
    if (exceedances !== yardstick.exceedances || firsts !== yardstick.first_ranks)
      throw new Error(`native and WASM disagree: ${exceedances} and ${yardstick.exceedances}`);
    if (run === 0) continue;
    native.push(yardstick);
    wasm.push(time);
  }
  await engine.close();
  const stage = (name: keyof Yardstick): Row => ({
    name: `native ${name.replace('_', ' ')}`,
    value: median(native.map((yardstick) => yardstick[name])),
    unit: 'ms',
  });
  const total = stage('total');
  const ours = median(wasm);
  return [
    stage('bootstrap'),
    stage('ranks'),
    { ...stage('pair_intervals'), name: `native, ${pairCount(design.rows)} pair intervals` },
    stage('flips'),
    { ...total, name: 'native, all of it' },
    { name: 'wasm, the same', value: ours, unit: 'ms' },
    { name: 'wasm over native, same work', value: ours / total.value, unit: 'x' },
  ];
}
