import { engineAround } from './around.js';
import type { Engine, OnProgress } from './engine.js';
import type { Job, Runner } from './wasm/runner.js';

/** Gives an engine that tells of every call how far it is. It changes no number. */
export function followEngine(engine: Engine, onProgress: OnProgress): Engine {
  return engineAround(engine, {
    bootstrap: (design, request) => engine.bootstrap(design, { ...request, onProgress }),
    bootstrapValues: (design, request) => engine.bootstrapValues(design, { ...request, onProgress }),
    studentised: (design, request) => engine.studentised(design, { ...request, onProgress }),
    flips: (design, request) => engine.flips(design, { ...request, onProgress }),
    exactFlips: (design, request) => engine.exactFlips(design, { ...request, onProgress }),
  });
}

/** What the jobs of a kind make; those that are not listed form statistics of draws that were made before. */
const MADE: Readonly<Partial<Record<Job['kind'], string>>> = {
  draws: 'bootstrap draws',
  studentised: 'studentised draws',
  flips: 'sign flips',
};

/** Gives a runner that tells how far its runs are; jobs of one run take about the same time. */
export function followRunner(runner: Runner, onProgress: OnProgress | undefined): Runner {
  if (onProgress === undefined) return runner;
  return {
    ...runner,
    run(jobs, scratch, how = {}) {
      const [first] = jobs;
      const stage = (first && MADE[first.kind]) ?? 'statistics of draws';
      const units = jobs.reduce((sum, job) => sum + ('count' in job && MADE[job.kind] ? job.count : 1), 0);
      let ended = 0;
      return runner.run(jobs, scratch, {
        ...how,
        take(result) {
          how.take?.(result);
          ended += 1;
          onProgress(stage, Math.round((units * ended) / jobs.length), units);
        },
      });
    },
  };
}
