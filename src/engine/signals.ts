import { fail } from '../util/error.js';

/** Gives the event loop a turn, so that timers and abort signals can act between pieces of work. */
export function yieldToEvents(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else {
      // Timers of a page wait four milliseconds once they follow one another; messages do not.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(null);
    }
  });
}

/** Stops a run whose signal is raised. Errors: ABORTED (exit 5). */
export function checkSignal(signal: AbortSignal | undefined): void {
  if (signal?.aborted)
    fail('ABORTED', null, 'the run was stopped before it finished', 'Nothing was written; start it again.', {
      exit: 5,
    });
}
