import { Worker } from 'node:worker_threads';
import { checkSignal, yieldToEvents } from '../signals.js';
import type { Arena } from '../wasm/arena.js';
import { type Job, type RunHow, type Runner, runJob } from '../wasm/runner.js';
import { resultOf, type WorkerReply, type WorkerStart, type WorkerTask } from './message.js';

/** What the thread says: first that it is ready, then a reply to each task, in order. */
export type CompanionReply = 'ready' | WorkerReply;

/** A job that the thread has, and its place among the jobs of a run. */
interface Handed {
  readonly number: number;
  reply: WorkerReply | undefined;
}

/** Jobs that the thread has at once: while the answer to one waits for this thread to finish its own, the other is worked at. */
const AHEAD = 2;

const SCRIPT = new URL('../../../dist/engine/workers/companion-worker.js', import.meta.url);

/**
 * Starts a thread over kernel memory and opens a runner of two lanes: the calling thread and that one. It returns at once, so that the thread
 * gets ready while the caller does something else. Jobs never wait for it: the calling thread works at them until the other says that it is
 * ready, and takes back what one that died had.
 *
 * Errors: ABORTED, and those of the jobs; after one the thread has ended and the runner goes on without it.
 */
export function companionRunner({ kernels, memory }: Arena, module: WebAssembly.Module, script: URL = SCRIPT): Runner {
  const worker = new Worker(script, { workerData: { module, memory } satisfies WorkerStart });
  let state: 'starting' | 'ready' | 'gone' = 'starting';
  let handed: Handed[] = [];
  let warnings: string[] = [];
  let changed: () => void = () => {};

  worker.on('message', (reply: CompanionReply) => {
    if (reply === 'ready') state = 'ready';
    else {
      const job = handed.find((one) => one.reply === undefined);
      if (job) job.reply = reply;
    }
    changed();
  });
  const gone = (reason: string): void => {
    if (state === 'gone') return;
    if (handed.length > 0) warnings.push(`a worker died (${reason}); its range was run again`);
    state = 'gone';
    changed();
  };
  worker.on('error', (error) => gone(error instanceof Error ? error.message : String(error)));
  worker.on('exit', (code) => gone(`exit code ${code}`));
  // A thread that nobody waits for keeps no process alive; whoever listens to it later makes it count again.
  worker.unref();

  const stop = async (): Promise<void> => {
    state = 'gone';
    handed = [];
    await worker.terminate();
  };

  const run = async (
    jobs: readonly Job[],
    [own, other]: readonly number[],
    { signal, take }: RunHow,
  ): Promise<void> => {
    let next = 0;
    const again: number[] = [];
    const hand = (): void => {
      // Near the end one job at most: the second would be waited for while this thread has none.
      const most = jobs.length - next > AHEAD ? AHEAD : 1;
      while (state === 'ready' && handed.length < most && next < jobs.length) {
        handed.push({ number: next, reply: undefined });
        worker.postMessage({ job: jobs[next++]!, scratch: other! } satisfies WorkerTask);
      }
    };
    const collect = (): void => {
      while (handed[0]?.reply) {
        const result = resultOf(handed.shift()!.reply!);
        take?.(result);
      }
      if (state === 'gone') again.push(...handed.splice(0).map(({ number }) => number));
    };
    const work = (number: number): void => {
      const result = runJob(kernels, memory, jobs[number]!, own!);
      take?.(result);
    };
    // It may have got ready while the caller was busy, which this thread hears of when it looks.
    if (state === 'starting') await yieldToEvents();
    for (;;) {
      checkSignal(signal);
      collect();
      hand();
      const number = again.shift() ?? (next < jobs.length ? next++ : undefined);
      if (number !== undefined) {
        work(number);
        await yieldToEvents();
      } else if (handed.length > 0) {
        await new Promise<void>((resolve) => {
          changed = resolve;
          if (handed[0]!.reply || state === 'gone' || signal?.aborted) resolve();
        });
      } else return;
    }
  };

  return {
    lanes: 2,
    async run(jobs, scratch, how = {}) {
      const onAbort = (): void => changed();
      how.signal?.addEventListener('abort', onAbort);
      worker.ref();
      try {
        await run(jobs, scratch, how);
      } catch (error) {
        // What the thread still works at would be written over memory that others are given.
        await stop();
        throw error;
      } finally {
        worker.unref();
        how.signal?.removeEventListener('abort', onAbort);
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
