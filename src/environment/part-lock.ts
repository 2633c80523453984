import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fail } from '../util/error.js';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Process that holds a lock file, or null when its text is none. */
function holder(lock: string): number | null {
  try {
    const text = readFileSync(lock, 'utf8');
    return /^\d{1,10}$/.test(text) ? Number(text) : null;
  } catch {
    return null;
  }
}

/**
 * Runs while no other process writes the same partial file: two writers would mix their bytes after one of them had checked the
 * digest. A lock left by a process that is gone is taken over. Error ASSET_BUSY.
 */
export async function withPartLock<T>(part: string, run: () => Promise<T>): Promise<T> {
  const lock = `${part}.lock`;
  for (let attempt = 0; ; attempt += 1) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const pid = holder(lock);
      if (attempt > 0 || (pid !== null && isAlive(pid))) {
        fail(
          'ASSET_BUSY',
          { file: lock },
          `${part} is being written by process ${pid ?? 'unknown'}`,
          `Wait for it; if no fetch is running, remove ${lock}.`,
        );
      }
      rmSync(lock, { force: true });
    }
  }
  try {
    return await run();
  } finally {
    rmSync(lock, { force: true });
  }
}
