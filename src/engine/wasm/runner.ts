import { checkSignal, yieldToEvents } from '../signals.js';
import { type DrawJob, type DrawResult, runDrawJob } from './draw-job.js';
import { type FlipJob, type FlipResult, runFlipJob } from './flip-job.js';
import type { Kernels } from './kernels.js';
import { type BandJob, type MomentJob, runBandJob, runMomentJob } from './moment-job.js';
import { type OrderJob, runOrderJob } from './order-job.js';
import { type ReachResult, runSweepJob, type SweepJob } from './reaching-job.js';
import { runTileJob, type TileJob } from './squares-job.js';
import { runStudentisedJob, type StudentisedJob, type StudentisedResult } from './studentised-job.js';
import { runTinyFlips } from './tiny-job.js';

/** How jobs are run. */
export interface RunHow {
  readonly signal?: AbortSignal | undefined;
  take?(result: JobResult): void;
}

/** Runs jobs on kernel memory: in this thread, or in others that share the memory. */
export interface Runner {
  /** Jobs that run at once; each of them has scratch of its own. */
  readonly lanes: number;
  /** Runs all jobs, in any order; lane k uses scratch[k]. Each result is handed over as it comes, and not kept. */
  run(jobs: readonly Job[], scratch: readonly number[], how?: RunHow): Promise<void>;
  /** What happened since the last call that a reader should know. */
  takeWarnings(): string[];
  close(): Promise<void>;
}

/** Opens a runner in this thread: one job after another, the event loop between them. Errors: ABORTED once the signal is raised. */
export function inlineRunner(kernels: Kernels, memory: WebAssembly.Memory): Runner {
  return {
    lanes: 1,
    async run(jobs, scratch, { signal, take } = {}) {
      for (const job of jobs) {
        checkSignal(signal);
        const result = runJob(kernels, memory, job, scratch[0]!);
        take?.(result);
        await yieldToEvents();
      }
      checkSignal(signal);
    },
    takeWarnings: () => [],
    async close() {},
  };
}

/**
 * What a job takes for each value of its result: cleared, copied, added, and above all memory of its own, whose pages a system may take twenty
 * microseconds to give.
 */
export const NANOSECONDS_A_RESULT = 16;

/**
 * Splits n units of `cost` nanoseconds into ranges: a few for each lane, none longer than about 30 ms, or than 20 times what a job
 * costs besides its units.
 */
export function ranges(
  n: number,
  cost: number,
  lanes: number,
  besides = 0,
): { readonly first: number; readonly count: number }[] {
  const slice = Math.max(1, Math.floor(Math.max(30e6, 20 * besides) / cost));
  const size = lanes > 1 ? Math.min(slice, Math.ceil(n / (4 * lanes))) : slice;
  const pieces = Math.ceil(n / size);
  return Array.from({ length: pieces }, (_, k) => {
    const first = Math.floor((k * n) / pieces);
    return { first, count: Math.floor(((k + 1) * n) / pieces) - first };
  });
}

/** A piece of work on kernel memory. A job that is run again from its start gives the same result. */
export type Job = DrawJob | FlipJob | MomentJob | BandJob | OrderJob | StudentisedJob | SweepJob | TileJob;

export type JobResult = DrawResult | FlipResult | ReachResult | StudentisedResult | undefined;

/** Runs one job; `scratch` is the address of memory that no other running job uses. */
export function runJob(kernels: Kernels, memory: WebAssembly.Memory, job: Job, scratch: number): JobResult {
  switch (job.kind) {
    case 'draws':
      return runDrawJob(kernels, memory, job, scratch);
    case 'flips':
      return (job.tables.tiny ? runTinyFlips : runFlipJob)(kernels, memory, job, scratch);
    case 'moments':
      return runMomentJob(kernels, memory, job, scratch) as undefined;
    case 'band':
      return runBandJob(kernels, memory, job, scratch) as undefined;
    case 'order':
      return runOrderJob(kernels, memory, job, scratch) as undefined;
    case 'studentised':
      return runStudentisedJob(kernels, memory, job, scratch);
    case 'row-maxima':
    case 'reaching':
      return runSweepJob(kernels, memory, job, scratch);
    default:
      return runTileJob(kernels, memory, job);
  }
}
