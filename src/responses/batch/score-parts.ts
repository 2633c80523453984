import { kernelModule } from '../../engine/wasm/module.js';
import { openThreads } from '../../engine/workers/threads.js';
import { FlavourError } from '../../util/error.js';
import type { PartWork } from './part-work.js';
import { type PartDone, type PartScorerStart, partScorer } from './score-part.js';
import type { PartReply } from './worker.js';

const WORKER = new URL('../../../dist/responses/batch/worker.js', import.meta.url);

/** What scores a part somewhere. */
interface PartPool {
  score(work: PartWork): Promise<PartDone>;
  close(): Promise<void>;
}

function threadPool(start: PartScorerStart, threads: number): PartPool {
  const { run, stop } = openThreads<PartWork, PartReply>({
    script: WORKER,
    threads,
    workerData: { module: kernelModule(), start },
  });
  return {
    async score(work) {
      const moved = work.form === 'lines' || work.form === 'csv' || work.form === 'document';
      const transferList = moved ? [work.bytes.buffer as ArrayBuffer] : [];
      const reply = await run(work, { transferList });
      if ('done' in reply) return reply.done;
      if ('bug' in reply) throw reply.bug;
      const { code, message, ...more } = reply.error;
      throw new FlavourError(code, message, more);
    },
    close: stop,
  };
}

/**
 * Scores parts, over threads where there are several, and yields them in their order. A few parts are under way or wait for an earlier one at
 * any time, so memory is bounded. Of several errors the one of the first part is raised. Errors: those of `partScorer`, WORKER_DIED.
 */
export async function* scoreParts(
  parts: AsyncIterable<PartWork>,
  start: PartScorerStart,
  threads: number,
): AsyncGenerator<PartDone, void, undefined> {
  if (threads === 1) {
    const score = partScorer(start);
    for await (const part of parts) {
      yield await score(part);
    }
    return;
  }
  const pool = threadPool(start, threads);
  const waiting: Promise<PartDone>[] = [];
  let busy = 0;
  let freed = (): void => {};
  const score = async (part: PartWork): Promise<PartDone> => {
    busy += 1;
    try {
      return await pool.score(part);
    } finally {
      busy -= 1;
      freed();
    }
  };
  try {
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
  } finally {
    await pool.close();
  }
}
