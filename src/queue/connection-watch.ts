import type { Redis } from 'ioredis';
import { failure } from '../util/error.js';

const LOOK_MS = 250;

/** Tells when Redis is away for longer than `lostAfter` milliseconds; returns what ends the watch. `onLost` hears REDIS_LOST. */
export function watchConnection(redis: Redis, lostAfter: number, onLost: (error: unknown) => void): () => void {
  let downSince: number | undefined;
  const onClose = (): void => {
    downSince ??= performance.now();
  };
  const onReady = (): void => {
    downSince = undefined;
  };
  redis.on('close', onClose);
  redis.on('ready', onReady);
  const clock = setInterval(() => {
    if (downSince === undefined || performance.now() - downSince <= lostAfter) return;
    onLost(
      failure(
        'REDIS_LOST',
        null,
        `Redis has not answered for ${Math.round(lostAfter / 1000)} seconds`,
        'When it is there again, call again: it goes on where it stood.',
        { exit: 5 },
      ),
    );
  }, LOOK_MS).unref();
  return () => {
    clearInterval(clock);
    redis.off('close', onClose);
    redis.off('ready', onReady);
  };
}
