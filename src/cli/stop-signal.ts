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

/**
 * Runs work that stops at the first signal (`endOnSignal`): `onStop` is called and the signal that the work was given is
 * raised; what the work throws then ends the command with exit code 5. A second signal ends the process at once.
 */
export async function stoppable<T>(
  work: (signal: AbortSignal) => Promise<T>,
  onStop: () => void = () => {},
): Promise<T> {
  const controller = new AbortController();
  const outer = orderly;
  orderly = () => {
    onStop();
    controller.abort();
  };
  try {
    return await work(controller.signal);
  } finally {
    orderly = outer;
  }
}

/** Lets a signal act that came while the event loop stood still. The first turn may end the round that is under way, unasked. */
export async function takeSignals(): Promise<void> {
  await yieldToEvents();
  await yieldToEvents();
}
