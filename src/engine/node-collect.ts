import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A process that holds less has room enough for what comes. */
const LARGE = 512 * 2 ** 20;

/**
 * Frees the memory of engines that were closed where a process holds much of it: the collector of garbage does not see how large kernel memory is,
 * so that it stays, hundreds of megabytes for a wide table, while files and figures are made.
 */
export async function collectMemory(): Promise<void> {
  if (process.memoryUsage.rss() < LARGE) return;
  // Threads that have ended let go of the memory in the next turn of the loop.
  await setImmediate();
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
