import type { Clock } from './clock.js';

/** A counted ceiling with a first-come queue. */
export interface Slots {
  acquire(): Promise<void>;
  release(): void;
  readonly inUse: number;
}

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

export function makePace(options: { readonly intervalMs: number; readonly clock: Clock }): Pace {
  const { intervalMs, clock } = options;
  let next = 0;
  return {
    async wait(signal) {
      if (intervalMs === 0) return;
      const now = clock.now();
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
  /** Closes the route until a time, milliseconds since 1970. */
  parkUntil(timeMs: number): void;
  /** Closes the route for the rest of the session, for the given reason. */
  suspend(reason: string): void;
  readonly parked: boolean;
  readonly suspended: string | null;
}

export function makeGate(clock: Clock): Gate {
  let until = 0;
  let reason: string | null = null;
  const closing = new AbortController();
  return {
    async open(signal) {
      while (reason === null && !signal.aborted) {
        const wait = until - clock.now();
        if (wait <= 0) return true;
        await clock.sleep(wait, AbortSignal.any([signal, closing.signal]));
      }
      return false;
    },
    parkUntil(timeMs) {
      until = Math.max(until, timeMs);
    },
    suspend(why) {
      reason ??= why;
      closing.abort();
    },
    get parked() {
      return reason === null && until > clock.now();
    },
    get suspended() {
      return reason;
    },
  };
}
