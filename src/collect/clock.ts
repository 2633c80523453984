import { setTimeout as delay } from 'node:timers/promises';

/** Time as the runner sees it; the command line supplies the real one, a test its own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Waits; an aborted signal ends the wait early and is no error. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Makes a clock over a reading of the time, milliseconds since 1970. */
export function makeClock(now: () => number): Clock {
  return {
    now,
    async sleep(ms, signal) {
      try {
        await delay(Math.max(0, ms), undefined, signal === undefined ? {} : { signal });
      } catch (error) {
        if ((error as Error).name !== 'AbortError') throw error;
      }
    },
  };
}

/** The clock of a collection that is computed, not asked: it stands still, so that equal plans give equal records. */
export const STANDING_CLOCK: Clock = { now: () => 0, sleep: () => Promise.resolve() };

/** Writes milliseconds since 1970 as ISO 8601 UTC with `Z`. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
