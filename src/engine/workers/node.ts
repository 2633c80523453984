import { Piscina } from 'piscina';
import type { Runner } from '../wasm/runner.js';
import { dispatcher } from './dispatch.js';
import type { WorkerReply, WorkerStart, WorkerTask } from './message.js';

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
      const pool = new Piscina<WorkerTask, WorkerReply>({
        filename: worker.href,
        name: 'run',
        minThreads: threads,
        maxThreads: threads,
        recordTiming: false,
        workerData: { module, memory },
      });
      return {
        serve: (task) => pool.run(task),
        stop() {
          // A reply that is on its way has no task any more; Piscina would raise it as an error that nobody catches.
          pool.on('error', () => {});
          return pool.destroy();
        },
      };
    },
  });
}
