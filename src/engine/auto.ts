import { FlavourError } from '../util/error.js';
import type { ClusterDesign } from './design.js';
import type { BackendName, BootstrapRequest, Engine, FlipRequest, StudentisedRequest } from './engine.js';
import { MAX_ENUMERATED_CLUSTERS } from './request.js';
import type { DeviceEngine } from './webgpu/engine.js';

/** Starting threads and compiling for them, measured: about this long for each of them, less than twice for many. */
const THREAD_START_MS = 45;
/** A graphics device is looked for from here on; opening it costs about as long as this saves. */
const DEVICE_MS = 20_000;

/** What `auto` chooses from. */
export interface AutoParts {
  /** Processors that threads can run on. */
  readonly processors: number;
  /** Threads of a pool; the processors unless given. */
  readonly threads?: number;
  /** An engine of two threads that was started before. */
  readonly early?: Engine | undefined;
  openWasm(): Promise<Engine>;
  openPool(threads: number): Promise<Engine>;
  /** A device on a hardware adapter, or the reason why there is none. */
  openDevice(): Promise<Engine | string>;
}

/** Replayed signs split at batches, by jumping ahead; replayed counts follow from one another. */
type Replay = 'none' | 'in batches' | 'in sequence';

const countReplay = ({ random }: BootstrapRequest): Replay => (random.kind === 'numpy' ? 'in sequence' : 'none');
const signReplay = ({ random }: FlipRequest): Replay => (random.kind === 'numpy' ? 'in batches' : 'none');

interface Choice {
  readonly engine: Engine;
  readonly reason: string;
}

/**
 * Opens an engine that chooses a backend by the size of the work: one thread while starting others would cost more than they save, a pool past
 * that, a hardware adapter for very long runs. `backend`, `threads` and `reason` speak of the largest one used so far.
 */
export function createAutoEngine(parts: AutoParts): Engine {
  const threads = Math.max(1, parts.threads ?? parts.processors);
  let wasm: Promise<Engine> | undefined;
  let pool: Promise<Engine> | undefined;
  let device: Promise<Engine | string> | undefined;
  let chosen: { backend: BackendName; threads: number; reason: string } = {
    backend: 'wasm',
    threads: 1,
    reason: 'auto: nothing was run',
  };
  let heaviest = -1;

  const choose = async (milliseconds: number, replay: Replay): Promise<Choice> => {
    const about = `about ${milliseconds < 10 ? milliseconds.toFixed(1) : milliseconds.toFixed(0)} ms on one thread`;
    const shared = replay === 'in sequence' ? milliseconds : milliseconds / threads;
    let note = '';
    if (replay === 'none' && shared > DEVICE_MS) {
      device ??= parts.openDevice();
      const opened = await device;
      if (typeof opened !== 'string') return { engine: opened, reason: `auto: ${about}, a hardware adapter is there` };
      note = `; ${opened}`;
    }
    const start = pool ? 2 : THREAD_START_MS * 2;
    if (parts.early && (threads <= 2 || milliseconds / 2 - shared <= start))
      return { engine: parts.early, reason: `auto: ${about}, a second thread was started before${note}` };
    if (threads > 1 && milliseconds - shared > start) {
      pool ??= parts.openPool(threads);
      return { engine: await pool, reason: `auto: ${about}, ${threads} threads are faster${note}` };
    }
    wasm ??= parts.openWasm();
    const why =
      threads === 1
        ? 'one processor'
        : replay === 'in sequence'
          ? 'a replayed stream runs in sequence'
          : 'less than threads would save after their start';
    return { engine: await wasm, reason: `auto: ${about}, ${why}${note}` };
  };

  const run = async <T>(milliseconds: number, replay: Replay, work: (engine: Engine) => Promise<T>): Promise<T> => {
    const { engine, reason } = await choose(milliseconds, replay);
    if (milliseconds > heaviest) {
      heaviest = milliseconds;
      chosen = { backend: engine.backend, threads: engine.threads, reason };
    }
    return work(engine);
  };

  return {
    get backend() {
      return chosen.backend;
    },
    get threads() {
      return chosen.threads;
    },
    get reason() {
      return chosen.reason;
    },
    bootstrap: (design, request) =>
      run(bootstrapMilliseconds(design, request), countReplay(request), (engine) => engine.bootstrap(design, request)),
    bootstrapValues: (design, request) =>
      run(bootstrapMilliseconds(design, request), countReplay(request), (engine) =>
        engine.bootstrapValues(design, request),
      ),
    studentised: (design, request) =>
      run(studentisedMilliseconds(design, request), 'none', (engine) => engine.studentised(design, request)),
    flips: (design, request) =>
      run(flipMilliseconds(design, request), signReplay(request), (engine) => engine.flips(design, request)),
    exactFlips(design, request) {
      const random = { kind: 'philox', seed: 0n, stream: 0 } as const;
      const draws = 2 ** Math.min(MAX_ENUMERATED_CLUSTERS, design.clusters);
      return run(flipMilliseconds(design, { ...request, draws, random }), 'none', (engine) =>
        engine.exactFlips(design, request),
      );
    },
    async close() {
      const opened = await Promise.all([wasm, pool, device, parts.early]);
      for (const engine of opened) if (engine !== undefined && typeof engine !== 'string') await engine.close();
    },
  };
}

/** Opens a device and keeps it if it runs on a hardware adapter; else says why there is none. */
export async function hardwareOnly(open: () => Promise<DeviceEngine>): Promise<Engine | string> {
  let engine: DeviceEngine;
  try {
    engine = await open();
  } catch (error) {
    if (error instanceof FlavourError) return error.message;
    throw error;
  }
  if (!engine.software) return engine;
  await engine.close();
  return 'the only WebGPU adapter is a software one';
}

/**
 * Milliseconds that a bootstrap takes on one thread, fitted to measurements (bench/README.md, "What costs what"). Such
 * estimates choose a backend and never a number.
 */
export function bootstrapMilliseconds(design: ClusterDesign, request: BootstrapRequest): number {
  const { rows, ranked, clusters, partCluster, strata } = design;
  const { draws, random, ranks, pairs, rankSets, enumerate } = request;
  if (enumerate) return 1;
  const words = clusters * (random.kind === 'numpy' ? 15 : 1.7);
  const sums = partCluster.length * (rows + 1) * 0.02;
  const ratios = rows * (strata * 0.8 + 8);
  const ranking = ranks ? ranked * Math.min(ranked, 60) * 0.3 : 0;
  const differences = pairs ? rows * rows * 0.5 : 0;
  const sets = rankSets ? ranked * ranked * 0.9 : 0;
  return (draws * (words + sums + ratios + ranking + differences + sets)) / 1e6;
}

/** Milliseconds that studentised draws take on one thread, fitted likewise. */
export function studentisedMilliseconds(design: ClusterDesign, request: StudentisedRequest): number {
  const { rows, clusters, partCluster } = design;
  if (request.enumerate) return 1;
  const parts = partCluster.length * (3 + Math.ceil(rows / 8) * 5);
  return (request.draws * (clusters * 1.7 + parts + rows * 15)) / 1e6;
}

/** Milliseconds that sign flips take on one thread, fitted likewise. */
export function flipMilliseconds(design: ClusterDesign, request: FlipRequest): number {
  const { rows, ranked, clusters } = design;
  const additions = clusters * rows * 0.012;
  const { maxT, stepDown, rankSets } = request;
  const families = (maxT ? 0.09 : 0) + (stepDown ? 0.4 : 0) + (rankSets ? 0.9 : 0);
  const comparisons = rows * rows * 0.07 + ranked * ranked * families;
  return (request.draws * (60 + additions + comparisons)) / 1e6;
}
