import { sha256 } from '../io/digest.js';
import { httpDate } from '../util/http-date.js';
import type { Clock } from './clock.js';

/** A counted ceiling with a first-come queue. */
export interface Slots {
  acquire(): Promise<void>;
  release(): void;
  readonly inUse: number;
}

/** Makes `size` slots. */
export function makeSlots(size: number): Slots {
  let free = size;
  const queue: (() => void)[] = [];
  return {
    async acquire() {
      if (free > 0) {
        free -= 1;
        return;
      }
      await new Promise<void>((resolve) => queue.push(resolve));
    },
    release() {
      const next = queue.shift();
      if (next) next();
      else free += 1;
    },
    get inUse() {
      return size - free;
    },
  };
}

/** The least time between two starts on one backend. */
export interface Pace {
  wait(signal: AbortSignal): Promise<void>;
}

/** Makes a pace of one start every `intervalMs` milliseconds; 0 for none. */
export function makePace(options: { readonly intervalMs: number; readonly clock: Clock }): Pace {
  const { intervalMs, clock } = options;
  let next = Number.NEGATIVE_INFINITY;
  return {
    async wait(signal) {
      if (intervalMs === 0) return;
      const now = clock.ticks();
      const mine = Math.max(now, next);
      next = mine + intervalMs;
      if (mine > now) await clock.sleep(mine - now, signal);
    },
  };
}

/** Whether a route may be asked now. Parking one route touches no other. */
export interface Gate {
  /** Resolves when the route is open: true, or false when it was suspended or the run stops. */
  open(signal: AbortSignal): Promise<boolean>;
  /** Closes the route for that many milliseconds from now, unless it is closed longer. */
  parkFor(ms: number): void;
  /** Closes the route for the rest of the session, for the given reason. */
  suspend(reason: string): void;
  readonly parked: boolean;
  readonly suspended: string | null;
}

/** Makes an open gate. */
export function makeGate(clock: Clock): Gate {
  let until = Number.NEGATIVE_INFINITY;
  let reason: string | null = null;
  const closing = new AbortController();
  return {
    async open(signal) {
      while (reason === null && !signal.aborted) {
        const wait = until - clock.ticks();
        if (wait <= 0) return true;
        await clock.sleep(wait, AbortSignal.any([signal, closing.signal]));
      }
      return false;
    },
    parkFor(ms) {
      until = Math.max(until, clock.ticks() + ms);
    },
    suspend(why) {
      reason ??= why;
      closing.abort();
    },
    get parked() {
      return reason === null && until > clock.ticks();
    },
    get suspended() {
      return reason;
    },
  };
}

/** Our own backoff never waits longer than this (collection 1.10). */
const MAX_BACKOFF_SECONDS = 30;

/** Computes a wait of 0 to 0.999 s, fixed by the request: (first 8 hex digits of SHA-256(key) mod 1000) / 1000. */
export function jitterSeconds(key: string): number {
  return (Number.parseInt(sha256(key).slice(0, 8), 16) % 1000) / 1000;
}

/** Computes the seconds before attempt `attempt + 1` of a request that named no waiting time: min(30, 0.4 x 2^attempt + jitter). */
export function backoffSeconds(options: { readonly key: string; readonly attempt: number }): number {
  return Math.min(MAX_BACKOFF_SECONDS, 0.4 * 2 ** options.attempt + jitterSeconds(options.key));
}

/**
 * Reads the seconds asked for by a Retry-After header: a number of seconds or an HTTP date. Null when absent or meaningless.
 * `nowMs` is the clock, milliseconds since 1970.
 */
export function retryAfterSeconds(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  const date = httpDate(text, nowMs);
  return Number.isNaN(date) ? null : Math.max(0, (date - nowMs) / 1000);
}
