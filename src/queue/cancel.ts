import type { Redis } from 'ioredis';
import { fail, shown } from '../util/error.js';
import type { Blobs } from './blobs.js';
import { callState } from './board.js';
import type { PartJob } from './part-job.js';
import type { QueuePackages } from './redis.js';
import { CALLS, callKey, PREFIX, queueName } from './redis-keys.js';

interface CancelOptions {
  readonly packages: QueuePackages;
  readonly redis: Redis;
  readonly blobs: Blobs;
}

/** Cancels a call: its waiting parts go, workers break off what they do of it, and whoever called it is told. Returns how many parts went. Errors: CALL_UNKNOWN. */
export async function cancelCall({ packages, redis, blobs }: CancelOptions, id: string): Promise<number> {
  const state = await callState(redis, id);
  if (state === undefined)
    fail('CALL_UNKNOWN', null, `there is no call ${shown(id)}`, 'See `flavourbench jobs` for those that there are.');
  await redis.hset(callKey(id), { state: 'cancelled' });
  const queue = new packages.bullmq.Queue<PartJob>(queueName(state.program, state.share), {
    connection: redis,
    prefix: PREFIX,
  });
  let removed = 0;
  try {
    for (const job of await queue.getJobs(['wait', 'delayed', 'prioritized', 'completed', 'failed'])) {
      if (job?.data.call !== id) continue;
      const waits = job.finishedOn === undefined;
      const gone = await job.remove().then(
        () => true,
        () => false,
      );
      const kept = [job.data.input, (job.returnvalue as { result?: typeof job.data.input } | null)?.result];
      await blobs.drop(
        id,
        kept.filter((blob) => blob !== null && blob !== undefined),
      );
      if (waits && gone) removed += 1;
    }
    await blobs.dropAll(id);
    // A caller that is there must hear of it; without one nothing is left to end.
    if (!state.attended) {
      await redis.unlink(callKey(id));
      await redis.srem(CALLS, id);
    }
    return removed;
  } finally {
    await queue.close();
  }
}
