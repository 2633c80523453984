import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { assertOutside } from './guard.js';

const flushed = promisify(fsync);

/** What this process has made under a temporary name and has not put in place yet. */
const unfinished = new Set<string>();

/** Takes hold of signals while something is unfinished; gives back what lets go. */
let holding = (): (() => void) => () => {};
let letGo: (() => void) | undefined;

/** Sets what is called before the first temporary file, for a program that signals may end only after `removeTemporaries`. */
export function holdWhileUnfinished(hold: () => () => void): void {
  holding = hold;
}

/** Makes something temporary; `path` is where what was made lies. */
function begun<T>(make: () => T, path: (made: T) => string): T {
  letGo ??= holding();
  try {
    const made = make();
    unfinished.add(path(made));
    return made;
  } finally {
    if (unfinished.size === 0) ended();
  }
}

/** Forgets a path, which is in place or gone. */
function ended(path?: string): void {
  if (path !== undefined) unfinished.delete(path);
  if (unfinished.size > 0) return;
  letGo?.();
  letGo = undefined;
}

/** Removes every temporary file and folder of this process; for its end, whatever ends it. */
export function removeTemporaries(): void {
  for (const path of unfinished) dropTemporary(path);
}

/** Removes a temporary file or folder; fine when it was renamed. */
export function dropTemporary(path: string): void {
  rmSync(path, { recursive: true, force: true });
  ended(path);
}

/** Makes an empty folder whose name begins with `prefix`. */
export function temporaryFolder(prefix: string): string {
  return begun(
    () => mkdtempSync(prefix),
    (path) => path,
  );
}

/** Writes every byte: a nearly full disk takes a part of them without an error, which only the next write meets. */
export function writeWhole(handle: number, data: Uint8Array): void {
  for (let at = 0; at < data.length; ) at += writeSync(handle, data, at);
}

/**
 * Makes a folder and those above it. `mkdirSync` alone never returns where the kernel allows none, as below /proc, and says of a file system that is
 * read-only that nothing is there.
 */
export function makeFolder(path: string): void {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there?.isDirectory()) return;
  if (!there && dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** A file under a temporary name, in the folder of the file it will be. */
export interface Temporary {
  readonly path: string;
  write(data: string | Uint8Array): void;
  /** Puts the bytes on the disk while other work goes on; before `finish`. */
  flush(): Promise<void>;
  /** Ends the writing, once; with `sync` the bytes are on the disk then. */
  finish(sync: boolean): void;
  /** Puts the finished file in place, over what stands there. */
  rename(): void;
  /** Removes it unless it was renamed. */
  drop(): void;
}

/** Opens a temporary file that will be `target`. What the file system refuses is an error that names the target. Errors: those of `assertOutside`. */
export function openTemporary(target: string, mode: number): Temporary {
  const named = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw Object.assign(error as NodeJS.ErrnoException, { dest: target });
    }
  };
  assertOutside(target);
  makeFolder(dirname(target));
  const path = join(dirname(target), `.${randomBytes(9).toString('hex')}.tmp`);
  let handle: number | undefined = begun(
    () => named(() => openSync(path, 'wx', mode)),
    () => path,
  );
  const close = (): void => {
    if (handle !== undefined) closeSync(handle);
    handle = undefined;
  };
  return {
    path,
    write: (data) => named(() => writeWhole(handle!, typeof data === 'string' ? Buffer.from(data, 'utf8') : data)),
    flush: () =>
      flushed(handle!).catch((error) => {
        throw Object.assign(error as NodeJS.ErrnoException, { dest: target });
      }),
    finish: (sync) =>
      named(() => {
        if (sync && handle !== undefined) fsyncSync(handle);
        close();
      }),
    rename: () =>
      named(() => {
        renameSync(path, target);
        ended(path);
      }),
    drop() {
      close();
      if (unfinished.has(path)) dropTemporary(path);
    },
  };
}
