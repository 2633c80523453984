import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Holder, ProcessProbe } from '../ledger/ledger-lock.js';
import { LedgerWriter } from '../ledger/ledger-writer.js';
import { printNote } from './print.js';

/** Finds the start time of a process in clock ticks since boot (field 22 of /proc/PID/stat); where there is no /proc, only whether it lives. */
export const probeProcess: ProcessProbe = (pid) => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return `tick ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
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

/** Names this process as a ledger lock does. */
export function currentHolder(): Holder {
  return {
    pid: process.pid,
    started: probeProcess(process.pid) ?? 'unknown',
    host: hostname(),
    boot_id: bootId(),
  };
}

/** Opens a ledger for writing in the name of this process, says what was put right, and closes it after `work`. */
export async function withLedger<T>(dir: string, work: (ledger: LedgerWriter) => Promise<T>): Promise<T> {
  const ledger = await LedgerWriter.open({
    dir,
    holder: currentHolder(),
    probe: probeProcess,
    clock: Date.now,
  });
  try {
    for (const note of ledger.notes) printNote(note);
    return await work(ledger);
  } finally {
    await ledger.close();
  }
}
