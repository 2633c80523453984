import type { Runner } from '../wasm/runner.js';
import { dispatcher } from './dispatch.js';
import type { WorkerReply, WorkerStart, WorkerTask } from './message.js';
import { openThreads } from './threads.js';

/** What the worker threads of Node are started with. */
export interface WorkersOptions extends WorkerStart {
  readonly threads: number;
  /** Module that exports `run`; the project's own unless given. */
  readonly worker?: URL;
}

const WORKER = new URL('../../../dist/engine/workers/node-worker.js', import.meta.url);

/** Opens a runner over worker threads of Node: one compiled module, one shared memory. */
export function threadRunner({ threads, worker = WORKER, module, memory }: WorkersOptions): Runner {
  return dispatcher({
    threads,
    start() {
      const { run, stop } = openThreads<WorkerTask, WorkerReply>({
        script: worker,
        threads,
        workerData: { module, memory },
      });
      return { serve: (task) => run(task), stop };
    },
  });
}
