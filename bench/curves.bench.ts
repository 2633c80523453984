import { benchDesign, runWork, type Work } from '../src/cli/throughput.js';
import { createEngine, type Engine } from '../src/engine/index.js';

interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

const RUNS = 3;

/** Models, clusters, draws: one of them grows, the others stay. */
const SIZES: readonly (readonly [number, number, number])[] = [
  [8, 534, 10_000],
  [27, 534, 10_000],
  [64, 534, 10_000],
  [256, 534, 4_000],
  [1024, 534, 1_000],
  [27, 100, 10_000],
  [27, 2_000, 4_000],
  [27, 10_000, 4_000],
  [27, 100_000, 2_000],
  [27, 534, 1_000],
  [27, 534, 100_000],
  [27, 534, 1_000_000],
];

async function microsecondsADraw(
  engine: Engine,
  work: Work,
  [models, clusters, draws]: readonly [number, number, number],
): Promise<number> {
  const design = benchDesign({ models, clusters });
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const start = process.cpuUsage();
    await runWork(engine, design, work, draws);
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / draws);
  }
  return times.sort((a, b) => a - b)[RUNS >> 1]!;
}

/** Processor time a draw, one thread, with everything a leaderboard asks: as models, clusters and draws grow. */
export async function measure(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const work of ['bootstrap', 'flips'] as const)
    for (const size of SIZES) {
      const engine = await createEngine({ backend: 'wasm' });
      const [models, clusters, draws] = size.map((n) => n.toLocaleString('en'));
      rows.push({
        name: `${work}: ${models} models, ${clusters} clusters, ${draws} draws`,
        value: await microsecondsADraw(engine, work, size),
        unit: 'us a draw',
      });
      await engine.close();
    }
  return rows;
}
