import type { Runner } from '../wasm/runner.js';
import { dispatcher } from './dispatch.js';
import type { WorkerReply, WorkerStart, WorkerTask } from './message.js';

/** What the Web Workers of a page are started with. */
export interface WebWorkersOptions extends WorkerStart {
  readonly threads: number;
  /** Starts a worker whose script is web-worker.ts. */
  spawn(): Worker;
}

/** One browser worker, and the task it is at. */
interface OpenWorker {
  readonly worker: Worker;
  settle: { resolve(reply: WorkerReply): void; reject(error: Error): void } | undefined;
}

/** Opens a runner over Web Workers: one compiled module, one shared memory. The page must be cross-origin isolated. */
export function webRunner({ threads, spawn, module, memory }: WebWorkersOptions): Runner {
  return dispatcher({
    threads,
    start() {
      const free: OpenWorker[] = [];
      const all = new Set<OpenWorker>();
      const open = (): OpenWorker => {
        const opened: OpenWorker = { worker: spawn(), settle: undefined };
        opened.worker.onmessage = ({ data }: MessageEvent<WorkerReply>) => {
          const { settle } = opened;
          opened.settle = undefined;
          free.push(opened);
          settle?.resolve(data);
        };
        opened.worker.onerror = ({ message }) => {
          opened.worker.terminate();
          all.delete(opened);
          opened.settle?.reject(new Error(message));
        };
        opened.worker.postMessage({ module, memory });
        all.add(opened);
        return opened;
      };
      return {
        serve(task: WorkerTask) {
          const opened = free.pop() ?? open();
          return new Promise<WorkerReply>((resolve, reject) => {
            opened.settle = { resolve, reject };
            opened.worker.postMessage(task);
          });
        },
        async stop() {
          for (const { worker } of all) worker.terminate();
          all.clear();
        },
      };
    },
  });
}
