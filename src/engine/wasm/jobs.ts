import { type DrawJob, type DrawResult, runDrawJob } from './draw-job.js';
import { type FlipJob, type FlipResult, runFlipJob } from './flip-job.js';
import type { Kernels } from './kernels.js';
import { type BandJob, type MomentJob, runBandJob, runMomentJob } from './moment-job.js';
import { type OrderJob, runOrderJob } from './order-job.js';

/** A piece of work on kernel memory. A job that is run again from its start gives the same result. */
export type Job = DrawJob | FlipJob | MomentJob | BandJob | OrderJob;

export type JobResult = DrawResult | FlipResult | undefined;

/** Runs one job; `scratch` is the address of memory that no other running job uses. */
export function runJob(kernels: Kernels, memory: WebAssembly.Memory, job: Job, scratch: number): JobResult {
  switch (job.kind) {
    case 'draws':
      return runDrawJob(kernels, memory, job, scratch);
    case 'flips':
      return runFlipJob(kernels, memory, job, scratch);
    case 'moments':
      return runMomentJob(kernels, memory, job) as undefined;
    case 'band':
      return runBandJob(kernels, memory, job) as undefined;
    case 'order':
      return runOrderJob(kernels, memory, job, scratch) as undefined;
  }
}
