import { yieldToEvents } from '../engine/signals.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What the next signal does instead of ending the process: it stops the work at hand in an orderly way. */
let orderly: (() => void) | undefined;

/** Calls `end` at a signal, unless `stoppable` work is under way that had none before. Returns what takes that back. */
export function endOnSignal(end: (signal: string) => void): () => void {
  const listener = (signal: string): void => {
    const stop = orderly;
    orderly = undefined;
    if (stop) stop();
    else end(signal);
  };
  for (const name of SIGNALS) process.on(name, listener);
  return () => {
    for (const name of SIGNALS) process.off(name, listener);
  };
}

/** How a process ends at a signal that is listened to; none where nothing listens. */
let ending: ((signal: string) => void) | undefined;
let held = 0;
let unlisten: (() => void) | undefined;

function listen(wanted: boolean): void {
  unlisten?.();
  unlisten = wanted && ending ? endOnSignal(ending) : undefined;
}

/**
 * Says how the process ends at a signal while something must be done first (`holdSignals`). At all other times nothing listens, so that the
 * system ends the process at once, even in the middle of a computation that lets no listener be called.
 */
export function endHeldSignals(end: (signal: string) => void): void {
  ending = end;
  listen(held > 0);
}

/** Has signals listened to until what it returns is called: work stops in an orderly way, or files must be removed. */
export function holdSignals(): () => void {
  held += 1;
  if (held === 1) listen(true);
  return () => {
    held -= 1;
    if (held === 0) listen(false);
  };
}

/** Does something during which no listener could be called, such as waiting for a pipe: a signal ends the process as it ends any. */
export function unheld<T>(work: () => T): T {
  listen(false);
  try {
    return work();
  } finally {
    listen(held > 0);
  }
}

/** Has the first signal call `stop`, instead of ending the process, until what it returns is called. A second signal ends the process at once. */
export function stopOnSignal(stop: () => void): () => void {
  const outer = orderly;
  orderly = stop;
  const release = holdSignals();
  return () => {
    release();
    orderly = outer;
  };
}

/**
 * Runs work that stops at the first signal: `onStop` is called and the signal that the work was given is
 * raised; what the work throws then ends the command with exit code 5. A second signal ends the process at once.
 */
export async function stoppable<T>(
  work: (signal: AbortSignal) => Promise<T>,
  onStop: () => void = () => {},
): Promise<T> {
  const controller = new AbortController();
  const release = stopOnSignal(() => {
    onStop();
    controller.abort();
  });
  try {
    return await work(controller.signal);
  } finally {
    release();
  }
}

/** Lets a signal act that came while the event loop stood still. The first turn may end the round that is under way, unasked. */
export async function takeSignals(): Promise<void> {
  await yieldToEvents();
  await yieldToEvents();
}
