/** What the kernel says of the lock of an open file: ours now, another's, or that it keeps none there. */
export type KernelLock = 'held' | 'busy' | 'none';

/**
 * The byte that is locked. It lies past the end of any file that we write, for on some systems nobody can read a locked byte.
 */
const PLACE = 2 ** 40;

/**
 * Asks the kernel for the one lock of an open file, and does not wait for it. The lock is seen by every process of the running system,
 * whatever container it is in, and ends with the open file: at the latest when its process ends, however it ends. `none` where the file
 * system keeps no locks, or where the package that asks for them has no build for this system.
 */
export async function kernelLock(handle: number): Promise<KernelLock> {
  try {
    const { default: extensions } = await import('fs-native-extensions');
    return extensions.tryLock(handle, PLACE, 1) ? 'held' : 'busy';
  } catch {
    return 'none';
  }
}
