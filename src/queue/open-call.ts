import { fail } from '../util/error.js';
import { attend } from './attendance.js';
import { callState, liveWorkers, type WorkerState } from './board.js';
import { openBreakOff } from './break-off.js';
import type { CallOptions, QueueCall } from './call.js';
import { watchConnection } from './connection-watch.js';
import { givenParts, type PartQueue } from './given-parts.js';
import { packed } from './packet.js';
import { misfit } from './program.js';
import { memoryFull, redisTime } from './redis.js';
import { CALLS, callKey, PREFIX, queueName } from './redis-keys.js';
import { withRoom } from './redis-room.js';

/** Milliseconds between two looks at parts under way, least and most: a look at long ones takes processors from whoever does them. */
const LOOK_MS = { least: 50, most: 500 };
/** Of the time since a part ended, so much passes until the next look. */
const LOOK_SHARE = 1 / 40;
const TELL_MS = 1000;
/** Milliseconds for which the end of a call waits for Redis. */
const CLOSE_MS = 5000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms).unref());

/** Opens a call, or takes over one that was stopped. Errors: CALL_BUSY; REDIS_FULL. */
export async function openCall(options: CallOptions): Promise<QueueCall> {
  const { packages, redis, blobs, program, id, kind, name, caller, opening, keep, lostAfter } = options;
  const share = blobs.share;
  const queue: PartQueue = new packages.bullmq.Queue(queueName(program, share), {
    connection: redis,
    prefix: PREFIX,
  });
  queue.on('error', () => {});
  const off = openBreakOff((error) => given.reject(error));
  const { until } = off;
  const room = withRoom({ lostAfter, until, lastEnd: () => given.lastEnd });
  const given = givenParts({
    ...{ blobs, program, id, keep, queue, room, until, assertNotCancelled },
    broken: () => off.error,
  });
  let workers: readonly WorkerState[] = [];
  let parts = 0;
  let closed = false;

  const unwatch = watchConnection(redis, lostAfter, off.end);
  const place = await room(() => attend(redis, id, caller));
  const head = { name, program, share, caller, begun: await redisTime(redis) };
  await room(async () => {
    const blob = await blobs.put(id, packed(opening));
    given.keepBlob(blob);
    await redis.hset(callKey(id), {
      head: JSON.stringify(head),
      kind,
      opening: JSON.stringify(blob),
      state: 'running',
      ...{ parts: 0, done: 0, failed: '[]' },
    });
    await redis.sadd(CALLS, id);
  });

  async function assertNotCancelled(): Promise<void> {
    if ((await redis.hget(callKey(id), 'state')) === 'cancelled')
      fail('CALL_CANCELLED', null, `call ${id} was cancelled`, 'Call again to have it done after all.', { exit: 5 });
  }

  const counts = () => ({ parts, done: given.done, failed: JSON.stringify(given.failed) });

  async function tell(): Promise<void> {
    await place.renew();
    await assertNotCancelled();
    const all = await liveWorkers(redis);
    workers = all.filter((worker) => misfit({ program, share }, worker) === undefined);
    const others = all.filter((worker) => !workers.includes(worker));
    options.onState?.({ done: given.done, parts, workers, others });
    await redis.hset(callKey(id), counts());
  }

  async function watch(): Promise<void> {
    let lastTold = Number.NEGATIVE_INFINITY;
    while (!closed && off.error === undefined) {
      try {
        await until(given.look());
        if (performance.now() - lastTold > TELL_MS) {
          lastTold = performance.now();
          await until(tell());
        }
      } catch (error) {
        // A Redis whose memory is full is asked again; what needs memory waits for it elsewhere.
        if (!memoryFull(error)) off.end(error);
      }
      const long = Math.min(LOOK_MS.most, LOOK_SHARE * (performance.now() - given.lastEnd));
      await pause(Math.max(LOOK_MS.least, given.waiting, long));
    }
  }
  const watching = watch();

  async function tidy(how: 'done' | 'stopped' | 'failed'): Promise<void> {
    await watching;
    const over = how === 'done' || (await callState(redis, id))?.state === 'cancelled';
    await given.forget(over);
    if (over) {
      await blobs.dropAll(id);
      await redis.unlink(callKey(id));
      await redis.srem(CALLS, id);
    } else await redis.hset(callKey(id), { state: how, ...counts() });
    await place.leave();
  }

  return {
    did: given.did,
    run: given.run,
    stop: off.end,
    expect(count) {
      parts = count;
    },
    hands: () => workers.reduce((sum, worker) => sum + worker.hands, 0),
    async putFile(path) {
      const blob = await room(() => blobs.putFile(id, path));
      given.keepBlob(blob);
      return blob;
    },
    async close(how) {
      closed = true;
      unwatch();
      if (redis.status === 'ready') await Promise.race([tidy(how).catch(() => {}), pause(CLOSE_MS)]);
      await Promise.race([queue.close().catch(() => {}), pause(1000)]);
    },
  };
}
