import { setTimeout } from 'node:timers/promises';
import { fail } from '../util/error.js';
import { memoryFull } from './redis.js';

const PAUSE_MS = 250;

/** Does something that needs memory of Redis. */
export type WithRoom = <T>(work: () => Promise<T>) => Promise<T>;

export interface RoomOptions {
  /** Milliseconds without memory, while no part ends, after which waiting is given up. */
  readonly lostAfter: number;
  /** When a part ended last, by `performance.now`: ends give memory back. */
  lastEnd(): number;
  until<T>(work: Promise<T>): Promise<T>;
}

/** Makes what waits while Redis has no memory. Errors of what it makes: REDIS_FULL; what ended the call; those of the work. */
export function withRoom({ lostAfter, lastEnd, until }: RoomOptions): WithRoom {
  return async (work) => {
    for (const begun = performance.now(); ; await setTimeout(PAUSE_MS, undefined, { ref: false })) {
      try {
        return await until(work());
      } catch (error) {
        if (!memoryFull(error)) throw error;
        if (performance.now() - Math.max(begun, lastEnd()) > lostAfter)
          fail(
            'REDIS_FULL',
            null,
            'Redis has no memory left (maxmemory), and no part ends that would give some back',
            'Raise its maxmemory, or give a folder that all machines see with --store; then call again: it goes on where it stood.',
            { exit: 5 },
          );
      }
    }
  };
}
