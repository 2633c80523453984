import { canonicalJson } from '../io/canonical.js';
import { type LockRules, releaseLock as release, takeLock as take } from '../io/lock.js';
import { fail, shown } from '../util/error.js';
import { layout } from './ledger-folder.js';

/** Who writes to a ledger. Two holders with the same `host` and `boot_id` can see each other's processes. */
export interface Holder {
  readonly pid: number;
  /** When the process started, as the system tells it; distinguishes a reused pid. */
  readonly started: string;
  readonly host: string;
  readonly boot_id: string;
}

/** When that process started, in the form of `Holder.started`; undefined if there is no such process. */
export type ProcessProbe = (pid: number) => string | undefined;

const textOf = (holder: Holder): string => `${canonicalJson(holder)}\n`;

/** The holder that a lock file states. Errors: LEDGER_LOCKED for a file that is no lock, which is not ours to remove. */
function readHolder(text: string, path: string): Holder {
  try {
    const value = JSON.parse(text) as Holder;
    if (Number.isInteger(value.pid) && typeof value.host === 'string') return value;
  } catch {
    // No JSON is no lock either.
  }
  fail(
    'LEDGER_LOCKED',
    { file: path },
    `is not a lock of this program: ${shown(text)}`,
    'If nothing writes to this ledger, delete the file.',
  );
}

/** Why a lock must be respected; undefined when its process is certainly gone. */
function holds(holder: Holder, self: Holder, probe: ProcessProbe): string | undefined {
  if (holder.host !== self.host) return 'another host, which this one cannot see into';
  if (holder.boot_id !== self.boot_id) return 'another boot of this host or another container';
  const started = probe(holder.pid);
  return started === undefined || started !== holder.started ? undefined : 'it is running';
}

/**
 * Takes the one writer's lock of a ledger. A lock whose process is gone, on the same host and the same boot, is taken over and
 * returned as `previous`. Errors: LEDGER_LOCKED for any other lock says who holds it.
 */
export function takeLock(dir: string, self: Holder, probe: ProcessProbe): { readonly previous: Holder | undefined } {
  const rules: LockRules<Holder> = {
    text: textOf(self),
    read: readHolder,
    holds: (holder) => holds(holder, self, probe),
    takingOver: 'it is taking the ledger over',
    refuse: (path, { pid, started, host, boot_id }, why) =>
      fail(
        'LEDGER_LOCKED',
        { file: path },
        `is held by process ${pid}, started ${started}, host ${host}, boot ${boot_id}: ${why}`,
        'Wait for it or stop it. If that machine has restarted since, delete the lock file.',
      ),
  };
  return take(layout.lock(dir), rules);
}

/** Gives the lock back if it is still ours. */
export function releaseLock(dir: string, self: Holder): void {
  release(layout.lock(dir), textOf(self));
}
