import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { fail } from '../util/error.js';
import type { Host } from './board.js';
import { callerKey } from './redis-keys.js';

/** Milliseconds for which a caller is believed to live. */
const ATTENDED_MS = 10_000;

/** The place of the one process that makes a call. */
export interface Attendance {
  /** Says that the process still lives. Errors: CALL_BUSY where another one took its place. */
  renew(): Promise<void>;
  leave(): Promise<void>;
}

/** Tells whether a process of this machine has ended. */
function hasEnded({ host, pid }: Partial<Host>, here: string): boolean {
  if (host !== here || pid === undefined) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/** Takes the place of the caller. Errors: CALL_BUSY while another process calls the same. */
export async function attend(redis: Redis, id: string, caller: Host): Promise<Attendance> {
  const text = JSON.stringify({ token: randomUUID(), ...caller });
  const place: Attendance = {
    async renew() {
      const held = await redis.get(callerKey(id));
      if (held !== null && held !== text)
        fail('CALL_BUSY', null, 'another process makes the same call and took this one over', 'Wait for it.', {
          exit: 5,
        });
      await redis.set(callerKey(id), text, 'PX', ATTENDED_MS);
    },
    async leave() {
      if ((await redis.get(callerKey(id))) === text) await redis.del(callerKey(id));
    },
  };
  // One that was killed is believed to live for a while.
  for (let waited = 0; waited <= ATTENDED_MS + 2000; waited += 500) {
    if ((await redis.set(callerKey(id), text, 'PX', ATTENDED_MS, 'NX')) === 'OK') return place;
    const before = JSON.parse((await redis.get(callerKey(id))) ?? '{}') as Partial<Host>;
    if (hasEnded(before, caller.host)) {
      await redis.del(callerKey(id));
      continue;
    }
    const renewed = (await redis.pttl(callerKey(id))) > ATTENDED_MS - 1500;
    if (waited > 3000 && renewed)
      fail(
        'CALL_BUSY',
        null,
        `the same call is under way: process ${before.pid} on ${before.host} calls it`,
        'Wait for it, or end it with `flavourbench jobs --cancel`.',
      );
    await pause(500);
  }
  fail('CALL_BUSY', null, 'the same call is under way in another process', 'Wait for it and call again.');
}
