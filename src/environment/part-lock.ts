import { releaseLock, takeLock } from '../io/lock.js';
import { fail } from '../util/error.js';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Runs while no other process writes the same partial file: two writers would mix their bytes after one of them had checked the
 * digest. A lock left by a process that is gone, or one without a process number, is taken over. Errors: ASSET_BUSY.
 */
export async function withPartLock<T>(part: string, run: () => Promise<T>): Promise<T> {
  const lock = `${part}.lock`;
  const text = String(process.pid);
  takeLock<number | null>(lock, {
    text,
    read: (found) => (/^\d{1,10}$/.test(found) ? Number(found) : null),
    holds: (pid) => (pid !== null && isAlive(pid) ? 'it is running' : undefined),
    takingOver: 'it is taking the file over',
    refuse: (file, pid) =>
      fail(
        'ASSET_BUSY',
        { file },
        `${part} is being written by process ${pid ?? 'unknown'}`,
        `Wait for it; if no fetch is running, remove ${file}.`,
      ),
  });
  try {
    return await run();
  } finally {
    releaseLock(lock, text);
  }
}
