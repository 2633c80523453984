import { openThreads } from '../../engine/workers/threads.js';
import { FlavourError, fail } from '../../util/error.js';
import type { ServiceFiles } from '../service.js';

/** What an operation that works for long is asked, as its request came: JSON, or the bytes of a table with options in JSON. */
export interface LongRequest {
  readonly op: string;
  readonly bytes: Uint8Array;
  readonly table?: { readonly options?: string; readonly name?: string };
}

/** JSON of the answer, or the error: errors lose their class between threads. */
export type LongReply =
  | { readonly json: string }
  | { readonly error: { code: string; message: string; hint?: string } };

/** Does operations that work for long beside the requests that do not. */
export interface LongWork {
  /** JSON of the answer. Errors: SERVER_BUSY, TIME_LIMIT; those of the operation. */
  run(request: LongRequest): Promise<string>;
  /** Ends all threads, at once. */
  close(): Promise<void>;
}

interface LongWorkOptions {
  readonly files: ServiceFiles;
  readonly threads: number;
  /** Seconds that one request may take, its wait included. */
  readonly seconds: number;
  /** Requests that wait at most. */
  readonly waiting: number;
}

const WORKER = new URL('../../../dist/server/http/long-worker.js', import.meta.url);

/** Megabytes of objects that a thread may hold; tables and draws lie outside them, in bounds of their own. */
const MOST_MEGABYTES = 2048;

/** Opens threads for long work; past the time limit a thread is ended, and another takes its place. */
export function openLongWork({ files, threads, seconds, waiting }: LongWorkOptions): LongWork {
  const pool = openThreads<LongRequest, LongReply>({
    script: WORKER,
    threads,
    workerData: files,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
  });
  let open = 0;
  return {
    async run(request) {
      if (open >= threads + waiting)
        fail('SERVER_BUSY', null, `${waiting} requests wait already`, 'Send it again in a moment.');
      const limit = AbortSignal.timeout(seconds * 1000);
      open += 1;
      const reply = await pool
        .run(request, { signal: limit })
        .catch((cause: Error) => {
          if (limit.aborted)
            fail('TIME_LIMIT', null, `more than ${seconds} seconds`, 'Ask for fewer draws, or use the command line.', {
              cause,
            });
          // A client is told no path of this machine, which the reason of a script that cannot be loaded holds.
          const full = (cause.cause as NodeJS.ErrnoException | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
          const what = `the thread of this request ${full ? 'ran out of memory' : 'ended'}`;
          return fail('WORKER_DIED', null, what, 'Send a smaller table, or use the command line.', { cause });
        })
        .finally(() => {
          open -= 1;
        });
      if ('json' in reply) return reply.json;
      const { code, message, hint } = reply.error;
      if (code === 'BUG') throw new Error(message);
      throw new FlavourError(code, message, { hint });
    },
    close: pool.stop,
  };
}
