import { fail } from '../../util/error.js';
import { checkSignal } from '../signals.js';
import type { JobResult, Runner } from '../wasm/runner.js';
import { resultOf, type WorkerReply, type WorkerTask } from './message.js';

/** Threads that serve tasks. A rejected promise says that the worker died. */
export interface Workers {
  serve(task: WorkerTask): Promise<WorkerReply>;
  /** Stops every thread, at once. */
  stop(): Promise<void>;
}

/** Which threads a dispatcher has. */
export interface DispatchOptions {
  readonly threads: number;
  /** Starts the threads; called again after a stop. */
  start(): Workers;
}

/**
 * Opens a runner over threads: a lane for each, which takes the next job when it is free. A job whose worker dies is run once
 * more; after a second death the run fails. A raised signal stops all threads.
 *
 * Errors: WORKER_DIED, ABORTED, and those of the jobs.
 */
export function dispatcher({ threads, start }: DispatchOptions): Runner {
  let workers: Workers | undefined;
  let warnings: string[] = [];

  const stop = async (): Promise<void> => {
    const stopping = workers;
    workers = undefined;
    await stopping?.stop();
  };

  const serve = async (task: WorkerTask, number: number): Promise<JobResult> => {
    for (let attempt = 1; ; attempt++) {
      let reply: WorkerReply;
      try {
        reply = await workers!.serve(task);
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause);
        if (!workers || attempt === 2)
          fail(
            'WORKER_DIED',
            null,
            `a worker died twice over job ${number}: ${reason}`,
            'Try --backend wasm, which uses no workers.',
            { cause },
          );
        warnings.push(`a worker died (${reason}); its range was run again`);
        continue;
      }
      return resultOf(reply);
    }
  };

  return {
    lanes: threads,
    async run(jobs, scratch, { signal, take } = {}) {
      checkSignal(signal);
      workers ??= start();
      let next = 0;
      let failed = false;
      const lane = async (at: number): Promise<void> => {
        while (next < jobs.length && !failed) {
          const number = next++;
          const result = await serve({ job: jobs[number]!, scratch: at }, number);
          take?.(result);
        }
      };
      let onAbort = (): void => {};
      const aborted = new Promise<never>((_, reject) => {
        onAbort = () => reject(signal?.reason);
        signal?.addEventListener('abort', onAbort);
      });
      const lanes = Promise.all(scratch.slice(0, threads).map(lane));
      try {
        await (signal ? Promise.race([lanes, aborted]) : lanes);
      } catch (error) {
        failed = true;
        lanes.catch(() => undefined);
        await stop();
        checkSignal(signal);
        throw error;
      } finally {
        signal?.removeEventListener('abort', onAbort);
      }
    },
    takeWarnings() {
      const taken = warnings;
      warnings = [];
      return taken;
    },
    close: stop,
  };
}
