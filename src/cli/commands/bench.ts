import { availableParallelism, cpus, totalmem } from 'node:os';
import type { Command } from 'commander';
import { BACKENDS } from '../../engine/engine.js';
import { createEngine, type EngineOptions } from '../../engine/index.js';
import { assertThreads } from '../../engine/open.js';
import { FlavourError, fail, shown } from '../../util/error.js';
import { thousands } from '../../util/format.js';
import { VERSION } from '../../util/version.js';
import { oldSpelling } from '../old-spelling.js';
import { countOption } from '../options.js';
import { printJson, printLine, printTable } from '../print.js';
import { progress } from '../progress.js';
import { type BenchSize, type Crossover, findCrossover, measure, type Throughput, type Work } from '../throughput.js';
import { elsewhere } from '../words-elsewhere.js';
import { forceOption, writeFiles } from '../write-output.js';

interface BenchOptions {
  readonly modelCount: number;
  readonly clusterCount: number;
  readonly draws: number;
  /** As many as draws unless given. */
  readonly flips?: number;
  readonly threads?: number;
  readonly repeats: number;
  readonly backend?: readonly NonNullable<EngineOptions['backend']>[];
  readonly force?: boolean;
  readonly json?: boolean;
  readonly out?: string;
}

const WORKS: readonly Work[] = ['bootstrap', 'flips'];
/** The oracle makes this many draws; it is some hundred times slower. */
const REFERENCE_DRAWS = 300;
/** A software adapter is a check, not a device: few draws say enough. */
const SOFTWARE_DRAWS = 3000;
const MODEL_SWEEP = [8, 27, 64, 128, 256];
const DRAW_SHARES = [0.01, 0.1, 1];

/** Adds `bench` to the program. */
export function register(program: Command): void {
  const command = program
    .command('bench')
    .description('Resampling throughput of this machine, backend by backend, and where threads pay.')
    .option('--model-count <n>', 'models of the matrix that is made up', countOption, 27)
    .option('--cluster-count <n>', 'clusters of its tasks', countOption, 534)
    .option('--draws <n>', 'bootstrap draws', countOption, 100_000)
    .option('--flips <n>', 'sign-flip draws (default: as many as --draws)', countOption)
    .option('--threads <n>', 'most threads to try (default: the processors)', countOption)
    .option('--repeats <n>', 'timed runs; the median counts', countOption, 5)
    .option('--backend <names...>', `only these: ${BACKENDS.join(', ')}`)
    .addOption(forceOption())
    .option('--json', 'print the figures, and the machine they are of, as JSON')
    .option('--out <file>', 'write throughput against draws and models as SVG')
    .action(bench);
  const MADE_UP = ['the benchmark times draws over a matrix that it makes up', 'Leave it out.'] as const;
  elsewhere(command, { '--rng <name>': MADE_UP, '--strata <name>': MADE_UP, '--seed <n>': MADE_UP });
  oldSpelling(command, '--plot <file>', 'out');
  oldSpelling(command, '--models <n>', 'model-count', countOption);
  oldSpelling(command, '--clusters <n>', 'cluster-count', countOption);
}

const machine = () => ({
  processor: cpus()[0]?.model.trim() ?? 'unknown',
  processors: availableParallelism(),
  memory_bytes: totalmem(),
  platform: `${process.platform} ${process.arch}`,
  node: process.version,
  flavourbench: VERSION,
});

/** Engines to measure: one thread, then 2, 4, ... up to the processors. */
function lineUp(options: BenchOptions): EngineOptions[] {
  const most = options.threads ?? availableParallelism();
  const counts = [1];
  while (counts.at(-1)! * 2 < most) counts.push(counts.at(-1)! * 2);
  if (most > 1) counts.push(most);
  const all: EngineOptions[] = [
    { backend: 'reference' },
    { backend: 'wasm' },
    ...counts.slice(1).map((threads) => ({ backend: 'pool' as const, threads })),
    { backend: 'webgpu' },
  ];
  return all.filter(({ backend }) => !options.backend || options.backend.includes(backend!));
}

/** Size of the matrix that is made up. */
const sizeOf = ({ modelCount, clusterCount }: BenchOptions): BenchSize => ({
  models: modelCount,
  clusters: clusterCount,
});

/** No inference takes more models; the matrix and its tables stay below a gigabyte. */
const MOST_MODELS = 1024;
const MOST_CELLS = 2 ** 24;

/** Errors: BOUND_EXCEEDED for a matrix that is larger than any inference takes. */
function assertSize({ models, clusters }: BenchSize): void {
  if (models <= MOST_MODELS && models * clusters <= MOST_CELLS) return;
  fail(
    'BOUND_EXCEEDED',
    null,
    `${thousands(models)} models x ${thousands(clusters)} clusters; at most ${thousands(MOST_MODELS)} models and ${thousands(MOST_CELLS)} cells are measured`,
    'Give --model-count and --cluster-count smaller numbers.',
  );
}

/** Fewer draws where a backend is slow by nature. */
function drawsFor(engine: EngineOptions, software: boolean, draws: number): number {
  if (engine.backend === 'reference') return Math.min(draws, REFERENCE_DRAWS);
  return software ? Math.min(draws, SOFTWARE_DRAWS) : draws;
}

async function measureAll(
  options: BenchOptions,
  size: BenchSize,
  { draws, flips }: { readonly draws: number; readonly flips: number },
  engines: readonly EngineOptions[],
  notes: Set<string>,
): Promise<Throughput[]> {
  const rows: Throughput[] = [];
  const bar = progress('bench', 'measurements');
  for (const [at, chosen] of engines.entries()) {
    try {
      const engine = await createEngine(chosen);
      const software = 'software' in engine && engine.software === true;
      if (software) notes.add(`webgpu: ${engine.reason}; a software adapter, which auto never picks`);
      try {
        for (const [w, work] of WORKS.entries()) {
          bar.update(at * WORKS.length + w, engines.length * WORKS.length);
          const n = drawsFor(chosen, software, work === 'flips' ? flips : draws);
          rows.push(await measure(engine, size, work, n, options.repeats));
        }
      } finally {
        await engine.close();
      }
    } catch (error) {
      if (!(error instanceof FlavourError) || error.code !== 'BACKEND_UNAVAILABLE') throw error;
      notes.add(`${chosen.backend}: ${error.message}. ${error.hint}`);
    }
  }
  bar.stop();
  return rows;
}

async function sweep(options: BenchOptions, notes: Set<string>) {
  const fast = lineUp(options).filter(({ backend }) => backend === 'wasm' || backend === 'pool');
  const few = { ...options, repeats: Math.min(3, options.repeats) };
  const byDraws: Throughput[] = [];
  const part = (share: number) => {
    const n = Math.max(1, Math.round(options.draws * share));
    return { draws: n, flips: n };
  };
  for (const share of DRAW_SHARES) byDraws.push(...(await measureAll(few, sizeOf(options), part(share), fast, notes)));
  const byModels: Throughput[] = [];
  for (const models of MODEL_SWEEP) {
    const size = { models, clusters: options.clusterCount };
    byModels.push(...(await measureAll(few, size, part(0.1), fast, notes)));
  }
  return { byDraws, byModels };
}

function printReport(rows: readonly Throughput[], crossover: Crossover | null, notes: ReadonlySet<string>): void {
  printTable(
    ['work', 'backend', 'threads', 'draws', 'ms', 'draws/s'],
    rows.map((row) => [
      row.work,
      row.backend,
      row.threads,
      thousands(row.draws),
      row.milliseconds.toFixed(1),
      thousands(row.draws_per_second),
    ]),
  );
  if (crossover)
    printLine(
      crossover.draws === null
        ? `\n${crossover.threads} threads, their start included, were not faster at any size tried.`
        : `\n${crossover.threads} threads, their start included, pay from about ${thousands(crossover.draws)} draws of each kind.`,
    );
  for (const note of notes) printLine(note);
}

async function bench(options: BenchOptions): Promise<void> {
  const wrong = options.backend?.find((name) => !BACKENDS.some((known) => known === name));
  if (wrong !== undefined)
    fail('USAGE', null, `backend ${shown(wrong)} is not known`, `One of ${BACKENDS.join(', ')}.`);
  const size = sizeOf(options);
  assertSize(size);
  assertThreads(options.threads);
  const { draws, flips = draws } = options;
  const notes = new Set<string>();
  const rows = await measureAll(options, size, { draws, flips }, lineUp(options), notes);
  const threads = options.threads ?? availableParallelism();
  const wanted = !options.backend || options.backend.includes('pool');
  const crossover = threads > 1 && wanted ? await findCrossover(size, threads) : null;
  const swept = options.out === undefined ? null : await sweep(options, notes);
  if (swept) {
    const { drawThroughput } = await import('../throughput-figure.js');
    const { withFont } = await import('../../draw/encode/font.js');
    const { processor, processors, node } = machine();
    const on = `${processor}, ${processors} processors, Node ${node}; ${size.clusters} clusters.`;
    const svg = drawThroughput({ ...swept, machine: on }, { theme: 'light', size: 'screen' });
    await writeFiles([{ path: options.out!, data: await withFont(svg) }], { replace: options.force === true });
  }
  if (!options.json) {
    printReport(rows, crossover, notes);
    return;
  }
  printJson({
    schema: 'flavourbench-bench/1',
    machine: machine(),
    throughput: rows,
    crossover,
    ...(swept ? { by_draws: swept.byDraws, by_models: swept.byModels } : {}),
    notes: [...notes],
  });
}
