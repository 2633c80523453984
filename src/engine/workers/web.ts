import type { Runner } from '../wasm/runner.js';
import { dispatcher } from './dispatch.js';
import type { WorkerReply, WorkerStart, WorkerTask } from './message.js';

export interface WebWorkersOptions extends WorkerStart {
  readonly threads: number;
  /** Starts a worker whose script is web-worker.ts. */
  spawn(): Worker;
}

/** One browser worker, and the task it is at. */
interface Seat {
  readonly worker: Worker;
  settle: { resolve(reply: WorkerReply): void; reject(error: Error): void } | undefined;
}

/** Web Workers over one compiled module and one shared memory; the page must be cross-origin isolated. */
export function webRunner({ threads, spawn, module, memory }: WebWorkersOptions): Runner {
  return dispatcher({
    threads,
    start() {
      const free: Seat[] = [];
      const all = new Set<Seat>();
      const open = (): Seat => {
        const seat: Seat = { worker: spawn(), settle: undefined };
        seat.worker.onmessage = ({ data }: MessageEvent<WorkerReply>) => {
          const { settle } = seat;
          seat.settle = undefined;
          free.push(seat);
          settle?.resolve(data);
        };
        seat.worker.onerror = ({ message }) => {
          seat.worker.terminate();
          all.delete(seat);
          seat.settle?.reject(new Error(message));
        };
        seat.worker.postMessage({ module, memory });
        all.add(seat);
        return seat;
      };
      return {
        serve(task: WorkerTask) {
          const seat = free.pop() ?? open();
          return new Promise<WorkerReply>((resolve, reject) => {
            seat.settle = { resolve, reject };
            seat.worker.postMessage(task);
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
