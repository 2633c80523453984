import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { type FlavourError, failure } from '../../util/error.js';

/** Which threads are opened. */
interface ThreadsOptions {
  /** Module that exports `run`, which gives back errors as replies: what it throws ends a task as the end of its thread does. */
  readonly script: URL;
  readonly threads: number;
  /** What every thread is started with. */
  readonly workerData: unknown;
  readonly resourceLimits?: { readonly maxOldGenerationSizeMb: number };
}

/** Threads of Node that serve tasks. */
export interface Threads<Task, Reply> {
  /**
   * Gives a task to the next free thread. An aborted signal ends the thread that is at it. Errors: WORKER_DIED where the thread ends over it, or
   * where no thread is left; the abort.
   */
  run(task: Task, options?: { readonly signal?: AbortSignal; readonly transferList?: ArrayBuffer[] }): Promise<Reply>;
  /** Ends all threads, at once and for good. */
  stop(): Promise<void>;
}

/** Longer than any process lives: a timer that only says that there is something to wait for. */
const NEVER = 2 ** 31 - 1;

/**
 * Opens threads. One that ends is replaced, but none once a new one cannot even load its script; then whatever waits would wait for ever, or the
 * process would end as if it were done, for threads keep no process alive. So what waits is refused once the last of them is gone, and the next
 * task starts them anew.
 */
export function openThreads<Task, Reply>({ script, threads, ...more }: ThreadsOptions): Threads<Task, Reply> {
  const waiting = new Set<(error: FlavourError) => void>();
  let last: unknown;
  let hold: NodeJS.Timeout | undefined;
  let stopped = false;

  const died = (cause: unknown): FlavourError => {
    const reason = cause instanceof Error ? cause.message : String(cause ?? 'no reason is known');
    return failure(
      'WORKER_DIED',
      { file: fileURLToPath(script) },
      `a thread of it ended: ${reason}`,
      'Call with fewer threads or less at once; where a file is missing or broken, install the program again.',
      { cause },
    );
  };
  const open = (): Piscina<Task, Reply> => {
    const pool = new Piscina<Task, Reply>({
      filename: script.href,
      name: 'run',
      minThreads: threads,
      maxThreads: threads,
      recordTiming: false,
      ...more,
    });
    // What ends a thread without a task, and replies to tasks that nobody waits for any more.
    pool.on('error', (error) => {
      last = error;
    });
    pool.on('workerDestroy', () =>
      setImmediate(() => {
        if (pool !== current || pool.threads.length > 0) return;
        current = undefined;
        for (const refuse of waiting) refuse(died(last));
        void pool.destroy();
      }),
    );
    return pool;
  };
  let current: Piscina<Task, Reply> | undefined = open();

  return {
    async run(task, { signal, transferList = [] } = {}) {
      if (stopped) throw died('they were stopped');
      current ??= open();
      hold ??= setInterval(() => {}, NEVER);
      const done = current.run(task, { signal, transferList }).catch((error: unknown) => {
        if (signal?.aborted) throw error;
        last = error;
        throw died(error);
      });
      let refuse: (error: FlavourError) => void = () => {};
      const refused = new Promise<never>((_, reject) => {
        refuse = reject;
      });
      waiting.add(refuse);
      try {
        return await Promise.race([done, refused]);
      } finally {
        waiting.delete(refuse);
        if (waiting.size === 0) {
          clearInterval(hold);
          hold = undefined;
        }
      }
    },
    async stop() {
      const pool = current;
      current = undefined;
      stopped = true;
      await pool?.destroy();
    },
  };
}
