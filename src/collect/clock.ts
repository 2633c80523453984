import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** Time as the runner sees it; the command line supplies the real one, a test its own. */
export interface Clock {
  /** Milliseconds since 1970, which somebody may set back or forward at any moment: for what is written down. */
  now(): number;
  /** Milliseconds since some moment, which only go forward: for what is waited for. */
  ticks(): number;
  /** Waits that many milliseconds, however many; an aborted signal ends the wait early and is no error. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A timer of the system overflows past this, and then does not wait at all. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Makes a clock over two readings of the time: `Date.now` and `performance.now`. */
export function makeClock({ now, ticks }: Pick<Clock, 'now' | 'ticks'>): Clock {
  return {
    now,
    ticks,
    async sleep(ms, signal) {
      const end = ticks() + ms;
      // A hundred waits for one stop are no leak.
      if (signal) setMaxListeners(0, signal);
      try {
        for (let left = ms; left > 0; left = end - ticks())
          await delay(Math.min(left, LONGEST_TIMER_MS), undefined, signal === undefined ? {} : { signal });
      } catch (error) {
        if ((error as Error).name !== 'AbortError') throw error;
      }
    },
  };
}

/** The clock of a collection that is computed, not asked: it stands still, so that equal plans give equal records. */
export const STANDING_CLOCK: Clock = { now: () => 0, ticks: () => 0, sleep: () => Promise.resolve() };

/** Writes milliseconds since 1970 as ISO 8601 UTC with `Z`. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
