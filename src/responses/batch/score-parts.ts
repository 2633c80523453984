import { serialize } from 'node:v8';
import { kernelModule } from '../../engine/wasm/module.js';
import { openThreads } from '../../engine/workers/threads.js';
import { FlavourError } from '../../util/error.js';
import type { PartWork } from './part-work.js';
import { type PartDone, type PartScorerStart, partScorer } from './score-part.js';
import type { PartReply, PartTask } from './worker.js';

const WORKER = new URL('../../../dist/responses/batch/worker.js', import.meta.url);

/** Threads that score parts of one batch. They get ready while the caller reads what the parts are scored with. */
export interface PartThreads {
  readonly threads: number;
  /** Gives what scores a part in the next free one. Errors: those of `partScorer`, WORKER_DIED. */
  scorer(start: PartScorerStart): (work: PartWork) => Promise<PartDone>;
  close(): Promise<void>;
}

/** Starts threads that score parts. */
export function openPartThreads(threads: number): PartThreads {
  const { run, stop } = openThreads<PartTask, PartReply>({
    script: WORKER,
    threads,
    workerData: { module: kernelModule() },
  });
  return {
    threads,
    scorer(start) {
      const bytes = serialize(start);
      const shared = new SharedArrayBuffer(bytes.length);
      new Uint8Array(shared).set(bytes);
      return async (work) => {
        const moved = work.form === 'lines' || work.form === 'csv' || work.form === 'document';
        const transferList = moved ? [work.bytes.buffer as ArrayBuffer] : [];
        const reply = await run({ work, start: shared }, { transferList });
        if ('done' in reply) return reply.done;
        if ('bug' in reply) throw reply.bug;
        const { code, message, ...more } = reply.error;
        throw new FlavourError(code, message, more);
      };
    },
    close: stop,
  };
}

/**
 * Scores parts, over threads where there are any, and yields them in their order. A few parts are under way or wait for an earlier one at
 * any time, so memory is bounded. Of several errors the one of the first part is raised. Errors: those of `partScorer`, WORKER_DIED.
 */
export async function* scoreParts(
  parts: AsyncIterable<PartWork>,
  start: PartScorerStart,
  pool: PartThreads | null,
): AsyncGenerator<PartDone, void, undefined> {
  if (pool === null) {
    const score = partScorer(start);
    for await (const part of parts) {
      yield await score(part);
    }
    return;
  }
  const scoreNext = pool.scorer(start);
  const { threads } = pool;
  const waiting: Promise<PartDone>[] = [];
  let busy = 0;
  let freed = (): void => {};
  const score = async (part: PartWork): Promise<PartDone> => {
    busy += 1;
    try {
      return await scoreNext(part);
    } finally {
      busy -= 1;
      freed();
    }
  };
  for await (const part of parts) {
    // A thread may wait for the lines of an earlier part to be counted, so no part is begun before an earlier one: the pool keeps no order.
    while (busy === threads)
      await new Promise<void>((resolve) => {
        freed = resolve;
      });
    const done = score(part);
    done.catch(() => {});
    waiting.push(done);
    if (waiting.length > 2 * threads) yield await waiting.shift()!;
  }
  while (waiting.length > 0) {
    yield await waiting.shift()!;
  }
}
