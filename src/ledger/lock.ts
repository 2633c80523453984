import { readFileSync, unlinkSync } from 'node:fs';
import { canonicalJson } from '../io/canonical.js';
import { writeAtomic, writeOnce } from '../io/file.js';
import { FlavourError, fail, shown } from '../util/error.js';
import { layout } from './layout.js';

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

function describe(holder: Holder): string {
  return `process ${holder.pid}, started ${holder.started}, host ${holder.host}, boot ${holder.boot_id}`;
}

function readHolder(path: string): Holder | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
  try {
    const value = JSON.parse(text) as Holder;
    if (Number.isInteger(value.pid) && typeof value.host === 'string') return value;
  } catch {
    // falls through: a lock that cannot be read is not ours to remove
  }
  fail(
    'LEDGER_LOCKED',
    { file: path },
    `is not a lock of this program: ${shown(text)}`,
    'If nothing writes to this ledger, delete the file.',
  );
}

function refuse(path: string, holder: Holder, why: string): never {
  fail(
    'LEDGER_LOCKED',
    { file: path },
    `is held by ${describe(holder)}: ${why}`,
    'Wait for it or stop it. If that machine has restarted since, delete the lock file.',
  );
}

function tryCreate(path: string, self: Holder): boolean {
  try {
    return writeOnce(path, `${canonicalJson(self)}\n`);
  } catch (error) {
    if (error instanceof FlavourError && error.code === 'LEDGER_CONFLICT') return false;
    throw error;
  }
}

/**
 * Takes the one writer's lock of a ledger. A lock whose process is gone, on the same host and the same boot, is taken over and
 * returned as `previous`; any other lock is an error that says who holds it. A second lock file guards the take-over itself.
 */
export function takeLock(dir: string, self: Holder, probe: ProcessProbe): { previous: Holder | undefined } {
  const path = layout.lock(dir);
  if (tryCreate(path, self)) return { previous: undefined };
  const holder = readHolder(path);
  if (holder === undefined) return takeLock(dir, self, probe);
  const why = holds(holder, self, probe);
  if (why !== undefined) refuse(path, holder, why);
  const guard = `${path}.takeover`;
  if (!tryCreate(guard, self)) {
    const other = readHolder(guard);
    if (other && holds(other, self, probe) !== undefined) refuse(guard, other, 'it is taking the ledger over');
    unlinkSync(guard);
    return takeLock(dir, self, probe);
  }
  try {
    const now = readHolder(path);
    if (now === undefined || canonicalJson(now) !== canonicalJson(holder))
      refuse(path, now ?? holder, 'it has just changed hands');
    writeAtomic(path, `${canonicalJson(self)}\n`);
  } finally {
    unlinkSync(guard);
  }
  return { previous: holder };
}

/** Why a lock must be respected; undefined when its process is certainly gone. */
function holds(holder: Holder, self: Holder, probe: ProcessProbe): string | undefined {
  if (holder.host !== self.host) return 'another host, which this one cannot see into';
  if (holder.boot_id !== self.boot_id) return 'another boot of this host or another container';
  const started = probe(holder.pid);
  return started === undefined || started !== holder.started ? undefined : 'it is running';
}

/** Gives the lock back if it is still ours. */
export function releaseLock(dir: string, self: Holder): void {
  const path = layout.lock(dir);
  const holder = readHolder(path);
  if (holder !== undefined && canonicalJson(holder) === canonicalJson(self)) unlinkSync(path);
}
