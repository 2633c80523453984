import { serialize } from 'node:v8';
import { kernelModule } from '../../engine/wasm/module.js';
import { openThreads } from '../../engine/workers/threads.js';
import { FlavourError } from '../../util/error.js';
import type { PartWork } from './part-work.js';
import type { PartDone, PartScorerStart } from './score-part.js';
import type { PartReply, PartTask } from './worker.js';

const WORKER = new URL('../../../dist/responses/batch/worker.js', import.meta.url);

/** Threads that score parts of one batch. They get ready while the caller reads what the parts are scored with. */
export interface PartThreads {
  /** Threads that score, the calling one among them. */
  readonly threads: number;
  /** Tells the others what they score with. */
  scorer(start: PartScorerStart): {
    /** One for each of the others: it is ready. Errors: those of `partScorer`, WORKER_DIED. */
    readonly ready: readonly Promise<void>[];
    /** Scores a part in the next of them that is free. Errors: those of `partScorer`, WORKER_DIED. */
    score(work: PartWork): Promise<PartDone>;
  };
  close(): Promise<void>;
}

/** Starts threads that score parts beside the calling one. */
export function openPartThreads(threads: number): PartThreads {
  const { run, stop } = openThreads<PartTask, PartReply>({
    script: WORKER,
    threads: threads - 1,
    workerData: { module: kernelModule() },
  });
  async function asked(task: PartTask, transferList: ArrayBuffer[] = []): Promise<PartDone | null> {
    const reply = await run(task, { transferList });
    if ('done' in reply) return reply.done;
    if ('bug' in reply) throw reply.bug;
    const { code, message, ...more } = reply.error;
    throw new FlavourError(code, message, more);
  }
  return {
    threads,
    scorer(given) {
      const bytes = serialize(given);
      const start = new SharedArrayBuffer(bytes.length);
      new Uint8Array(start).set(bytes);
      return {
        ready: Array.from({ length: threads - 1 }, async () => {
          await asked({ work: null, start });
        }),
        async score(work) {
          const moved = work.form === 'lines' || work.form === 'csv' || work.form === 'document';
          const done = await asked({ work, start }, moved ? [work.bytes.buffer as ArrayBuffer] : []);
          return done!;
        },
      };
    },
    close: stop,
  };
}
