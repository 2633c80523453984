import { accessSync, constants, readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { Option } from 'commander';
import { openStore } from '../io/write/guard.js';
import { journalFile, openJournal } from '../ledger/journal-writer.js';
import { kernelLock } from '../ledger/kernel-lock.js';
import { layout } from '../ledger/ledger-folder.js';
import { type Holder, type ProcessProbe, releaseLock, takeLock } from '../ledger/ledger-lock.js';
import { assertLedger } from '../ledger/ledger-view.js';
import { LedgerWriter } from '../ledger/ledger-writer.js';
import { printNote } from './print.js';

/**
 * Finds the start time of a process in clock ticks since boot (field 22 of /proc/PID/stat); where there is no /proc, only whether it lives. One
 * that has ended and waits for its parent (state Z or X) is gone.
 */
export const probeProcess: ProcessProbe = (pid) => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return /^[ZXx]/.test(fields[0]!) ? undefined : `tick ${fields[19]}`;
  } catch {
    if (bootId() !== 'unknown') return undefined;
  }
  try {
    process.kill(pid, 0);
    return 'unknown';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? 'unknown' : undefined;
  }
};

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return 'unknown';
  }
}

function processNamespace(): { readonly pid_namespace?: string } {
  try {
    return { pid_namespace: readlinkSync('/proc/self/ns/pid') };
  } catch {
    return {};
  }
}

/** Names this process as a ledger lock does. */
export function currentHolder(): Holder {
  return {
    pid: process.pid,
    started: probeProcess(process.pid) ?? 'unknown',
    host: hostname(),
    boot_id: bootId(),
    ...processNamespace(),
  };
}

/** Makes the option `--take-over` of every command that writes to a ledger. */
export function takeOverOption(): Option {
  return new Option(
    '--take-over',
    'take the lock of a process that cannot be seen from here (another host, container or boot) and that you know is gone',
  );
}

/** Opens a ledger for writing in the name of this process, says what was put right, and closes it after `work`. */
export async function withLedger<T>(
  dir: string,
  { takeOver }: { readonly takeOver?: boolean },
  work: (ledger: LedgerWriter) => Promise<T>,
): Promise<T> {
  const ledger = await LedgerWriter.open({
    dir,
    holder: currentHolder(),
    probe: probeProcess,
    clock: Date.now,
    takeOver,
  });
  try {
    for (const note of ledger.notes) printNote(note);
    return await work(ledger);
  } finally {
    await ledger.close();
  }
}

/** Runs `work` while nobody writes to a ledger that need not be whole. Errors: those of `takeLock`; INPUT_NOT_FOUND where there is no journal. */
export async function withLock<T>(
  dir: string,
  flags: { readonly takeOver?: boolean },
  work: () => T | Promise<T>,
): Promise<T> {
  assertLedger(dir);
  openStore(dir);
  const handle = await openJournal(layout.journal(dir));
  try {
    const kernel = await kernelLock(handle.fd);
    const sight = {
      self: currentHolder(),
      probe: probeProcess,
      kernel,
      journal: journalFile(handle),
      takeOver: flags.takeOver ?? false,
    };
    const { held } = takeLock(dir, sight);
    try {
      return await work();
    } finally {
      releaseLock(dir, held);
    }
  } finally {
    await handle.close();
  }
}

/** Runs `work` while nobody writes to any of these ledgers. One that cannot be written to from here is read as it is. Errors: those of `withLock`. */
export async function withLocks<T>(
  dirs: readonly string[],
  flags: { readonly takeOver?: boolean },
  work: () => T,
): Promise<T> {
  const [dir, ...rest] = dirs.filter((path, i) => dirs.findIndex((other) => resolve(other) === resolve(path)) === i);
  if (dir === undefined) return work();
  const inner = () => withLocks(rest, flags, work);
  return isWritable(dir) ? await withLock(dir, flags, inner) : await inner();
}

function isWritable(dir: string): boolean {
  try {
    for (const path of [dir, layout.journal(dir)]) accessSync(path, constants.W_OK);
    return true;
  } catch (error) {
    return !['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '');
  }
}
