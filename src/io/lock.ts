import { closeSync, constants, fstatSync, openSync, readFileSync, rmSync } from 'node:fs';
import { FlavourError } from '../util/error.js';
import { writeAtomic, writeOnce } from './file.js';

/**
 * The protocol of every lock of this program. A lock is a file that says who holds it and is made whole or not at all. Who
 * finds one of a process that is certainly gone takes it over, under a second lock file (`PATH.takeover`), so that of two that
 * found it only one does. `H` is a holder as the text of a lock states it.
 */
export interface LockRules<H> {
  /** What our own lock file holds. */
  readonly text: string;
  /** The holder that a text states. Throws where it is no lock of this program and must stay. */
  read(text: string, path: string): H;
  /** Why a lock must be respected; undefined where its holder is certainly gone. */
  holds(holder: H): string | undefined;
  /** The error for a lock that is respected. */
  refuse(path: string, holder: H, why: string): never;
  /** What a holder of the second lock file does, as `refuse` tells it. */
  readonly takingOver: string;
}

function tryCreate(path: string, text: string): boolean {
  try {
    return writeOnce(path, text);
  } catch (error) {
    if (error instanceof FlavourError && error.code === 'LEDGER_CONFLICT') return false;
    throw error;
  }
}

/** Opens a pipe without waiting for its other end, and no link; systems that lack these have no such files. */
const AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Longest lock file that is looked at, bytes. */
const MOST = 4096;

/** Reads the text of a lock file; undefined where it cannot be read, as when it was just given back. What is no small file has the text "". */
export function lockText(path: string): string | undefined {
  try {
    const handle = openSync(path, AT_ONCE);
    try {
      const stat = fstatSync(handle);
      return stat.isFile() && stat.size <= MOST ? readFileSync(handle, 'utf8') : '';
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : '';
  }
}

/**
 * Takes a lock, for one writer at a time. A lock whose holder is gone is taken over and its holder returned as `previous`.
 * Errors: those of `refuse` for one that is held, those of `read`, of the file system.
 */
export function takeLock<H>(path: string, rules: LockRules<H>): { readonly previous: H | undefined } {
  if (tryCreate(path, rules.text)) return { previous: undefined };
  const found = lockText(path);
  if (found === undefined) return takeLock(path, rules);
  const previous = rules.read(found, path);
  const why = rules.holds(previous);
  if (why !== undefined) rules.refuse(path, previous, why);
  const guard = `${path}.takeover`;
  if (!tryCreate(guard, rules.text)) {
    const guarding = lockText(guard);
    const other = guarding === undefined ? undefined : rules.read(guarding, guard);
    if (other !== undefined && rules.holds(other) !== undefined) rules.refuse(guard, other, rules.takingOver);
    rmSync(guard, { force: true });
    return takeLock(path, rules);
  }
  try {
    const now = lockText(path);
    if (now !== found)
      rules.refuse(path, now === undefined ? previous : rules.read(now, path), 'it has just changed hands');
    writeAtomic(path, rules.text);
  } finally {
    rmSync(guard, { force: true });
  }
  return { previous };
}

/** Gives a lock back if it still states `text`, which is ours. */
export function releaseLock(path: string, text: string): void {
  if (lockText(path) === text) rmSync(path, { force: true });
}
