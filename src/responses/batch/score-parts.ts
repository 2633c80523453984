import { yieldToEvents } from '../../engine/signals.js';
import type { PartThreads } from './part-threads.js';
import type { PartWork } from './part-work.js';
import { type PartDone, type PartScorerStart, partScorer } from './score-part.js';

/**
 * Scores parts, in this thread and in those of `pool`, and yields them in their order. A few parts are under way or wait for an earlier one at
 * any time, so memory is bounded. Of several errors the one of the first part is raised. Errors: those of `partScorer`, WORKER_DIED.
 */
export async function* scoreParts(
  parts: AsyncIterable<PartWork>,
  start: PartScorerStart,
  pool: PartThreads | null,
): AsyncGenerator<PartDone, void, undefined> {
  const own = partScorer(start);
  if (pool === null) {
    for await (const part of parts) {
      yield await own(part);
    }
    return;
  }
  const others = pool.scorer(start);
  const waiting: Promise<PartDone>[] = [];
  /** Threads beside this one that are ready and have no part, and whether this one has none. */
  let free = 0;
  let idle = true;
  let failed = false;
  let changed = (): void => {};
  const fails = (): void => {
    failed = true;
    changed();
  };
  for (const ready of others.ready)
    ready.then(() => {
      free += 1;
      changed();
    }, fails);
  const score = async (part: PartWork): Promise<PartDone> => {
    const here = free === 0;
    if (here) idle = false;
    else free -= 1;
    try {
      if (!here) return await others.score(part);
      // A part that was done before is passed over without a pause, in which this thread would hear of no other.
      await yieldToEvents();
      return await own(part);
    } finally {
      if (here) idle = true;
      else free += 1;
      changed();
    }
  };
  for await (const part of parts) {
    // A part waits for the lines of earlier ones to be counted, so none is begun before those: nothing here waits in a queue, and nothing is begun once one failed.
    while (free === 0 && !idle && !failed)
      await new Promise<void>((resolve) => {
        changed = resolve;
      });
    if (failed) break;
    const done = score(part);
    done.catch(fails);
    waiting.push(done);
    if (waiting.length > 2 * pool.threads) yield await waiting.shift()!;
  }
  while (waiting.length > 0) {
    yield await waiting.shift()!;
  }
  // Also where this thread was done before the others were ready: whether one cannot start is no matter of time.
  await Promise.all(others.ready);
}
