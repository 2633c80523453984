import { canonicalJson } from '../io/canonical.js';
import { type LockRules, lockText, releaseLock as release, takeLock as take } from '../io/lock.js';
import { fail, shown } from '../util/error.js';
import type { KernelLock } from './kernel-lock.js';
import { layout } from './ledger-folder.js';

/** Who writes to a ledger, as its lock file says. Two holders with the same `boot_id` run under one kernel. */
export interface Holder {
  readonly pid: number;
  /** When the process started, as the system tells it; distinguishes a reused pid. */
  readonly started: string;
  readonly host: string;
  /** `unknown` where the system does not tell. */
  readonly boot_id: string;
  /** The set of processes that `pid` is a number in: a container has its own. Absent where the system has none, and in version 0.1.0. */
  readonly pid_namespace?: string;
  /** It also holds the kernel's lock of the journal. Absent in version 0.1.0. */
  readonly kernel_lock?: boolean;
  /** The file of that journal (`journalFile`): the kernel's lock of another file, as a copy has it, says nothing of this one. */
  readonly journal?: string;
}

/** When that process started, in the form of `Holder.started`; undefined if there is no such process, or only its remains. */
export type ProcessProbe = (pid: number) => string | undefined;

const textOf = (holder: Holder): string => `${canonicalJson(holder)}\n`;

function parsedHolder(text: string): Holder | undefined {
  try {
    const value = JSON.parse(text) as Holder;
    const texts = [value.host, value.started, value.boot_id];
    return Number.isInteger(value.pid) && texts.every((text) => typeof text === 'string') ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The holder that a lock file states. Errors: LEDGER_LOCKED for a file that is no lock, which is not ours to remove. */
function readHolder(text: string, path: string): Holder {
  return (
    parsedHolder(text) ??
    fail(
      'LEDGER_LOCKED',
      { file: path },
      `is not a lock of this program: ${shown(text)}`,
      'If nothing writes to this ledger, delete the file.',
    )
  );
}

/** Names a holder in an error. */
function holderWords({ pid, started, host, boot_id, pid_namespace }: Holder): string {
  const inside = pid_namespace === undefined ? '' : `, processes ${pid_namespace}`;
  return `process ${pid}, started ${started}, host ${host}, boot ${boot_id}${inside}`;
}

/** What decides whether a lock is respected. */
interface LockSight {
  readonly self: Holder;
  readonly probe: ProcessProbe;
  /** What the kernel said when it was asked for the lock of the journal. */
  readonly kernel: KernelLock;
  /** The file of that journal, as `journalFile` names it. */
  readonly journal: string;
  /** The user says that whoever cannot be seen is gone. */
  readonly takeOver: boolean;
}

/**
 * Why a lock must be respected; undefined when its process is certainly gone. A holder that cannot be seen is alive: one of another boot,
 * and one whose process number means another process here, unless the kernel gave us the very lock that it held. Two mounts of one folder, and
 * a folder that was copied with its lock, have journals of their own, so that the kernel gives both locks.
 */
function holds(holder: Holder, { self, probe, kernel, journal, takeOver }: LockSight): string | undefined {
  const sameBoot = holder.boot_id === self.boot_id;
  const sameHost = holder.host === self.host;
  const sameKernel = sameBoot && (sameHost || self.boot_id !== 'unknown');
  if (kernel === 'held' && holder.kernel_lock && sameKernel && holder.journal === journal) return undefined;
  const sameProcesses = sameBoot && sameHost && holder.pid_namespace === self.pid_namespace;
  if (sameProcesses && probe(holder.pid) === holder.started) return 'it is running';
  if (takeOver || (kernel === 'held' && sameProcesses && holder.pid_namespace !== undefined)) return undefined;
  if (!sameHost && !sameKernel) return 'another host, which this one cannot see into';
  if (!sameBoot) return 'another boot of this host, or another machine of its name';
  return kernel === 'none'
    ? 'the file system keeps no lock that would show whether it still runs'
    : holder.kernel_lock
      ? 'its journal is another file: this folder is a copy, or another mount, of the one that it locked'
      : 'it cannot be seen from here: another container, or version 0.1.0';
}

const OTHERWISE = 'Wait for it or stop it. If you know that it is gone, add --take-over, or delete the lock file.';

/**
 * Takes the one writer's lock of a ledger: the file that names the holder, once the kernel was asked for the lock of the journal
 * (`kernelLock`). A lock whose process is certainly gone is taken over and returned as `previous`, one that cannot be seen only where
 * `takeOver` says so. Errors: LEDGER_LOCKED for any other lock says who holds it.
 */
export function takeLock(
  dir: string,
  sight: LockSight,
): { readonly previous: Holder | undefined; readonly held: Holder } {
  const { kernel, journal } = sight;
  const held = { ...sight.self, kernel_lock: kernel === 'held', journal };
  const path = layout.lock(dir);
  if (kernel === 'busy') {
    const other = parsedHolder(lockText(path) ?? '');
    const who = other ? holderWords(other) : 'a process that the lock file does not name';
    fail('LEDGER_LOCKED', { file: path }, `is held by ${who}: it is running`, 'Wait for it or stop it.');
  }
  const rules: LockRules<Holder> = {
    text: textOf(held),
    read: readHolder,
    holds: (holder) => holds(holder, sight),
    takingOver: 'it is taking the ledger over',
    refuse: (file, holder, why) =>
      fail('LEDGER_LOCKED', { file }, `is held by ${holderWords(holder)}: ${why}`, OTHERWISE),
  };
  return { ...take(path, rules), held };
}

/** Who has the lock in place of `held`; undefined while it is ours. */
export function lockLost(dir: string, held: Holder): string | undefined {
  const found = lockText(layout.lock(dir));
  if (found === textOf(held)) return undefined;
  const other = parsedHolder(found ?? '');
  return other
    ? `it is now held by ${holderWords(other)}`
    : `it ${found === undefined ? 'is gone' : 'was written over'}`;
}

/** Gives the lock back if it is still ours. */
export function releaseLock(dir: string, held: Holder): void {
  release(layout.lock(dir), textOf(held));
}
