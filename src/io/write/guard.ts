import { closeSync, existsSync, openSync, readSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fail } from '../../util/error.js';

/** What files are to this run, by real path; undefined while `guardFiles` was not called. */
let guarded: Map<string, string> | undefined;

/** Folders that were opened to be written, as a ledger or a release is, by the only code that may. */
const opened = new Set<string>();

/** Makes sure that from here on a file that was read or written is never written over, and nothing is written into a folder that was read. For a program that runs one command and ends. */
export function guardFiles(): void {
  guarded = new Map();
}

/** Tells the guard what a file or folder is to this run: `an input`, `another output`. */
export function guardFile(path: string, what: string): void {
  guarded?.set(realpathSync.native(path), what);
}

/** What a file is to this run; undefined where it is nothing to it. */
export const guardedAs = (path: string): string | undefined => guarded?.get(realpathSync.native(path));

/** The real path of something that need not exist. */
function placeOf(path: string): string {
  const whole = resolve(path);
  try {
    return realpathSync.native(whole);
  } catch {
    const above = dirname(whole);
    return above === whole ? whole : join(placeOf(above), basename(whole));
  }
}

function* foldersAround(path: string): Generator<string, void, undefined> {
  for (let at = path; ; at = dirname(at)) {
    yield at;
    if (dirname(at) === at) return;
  }
}

/** The first bytes of a file as text; empty where there is none. */
function beginning(path: string): string {
  try {
    const handle = openSync(path, 'r');
    try {
      const head = Buffer.alloc(512);
      return head.toString('latin1', 0, readSync(handle, head));
    } finally {
      closeSync(handle);
    }
  } catch {
    return '';
  }
}

/** What a folder is into which one program alone writes, by what lies in it. */
function storeAt(folder: string): string | undefined {
  const has = (name: string) => existsSync(join(folder, name));
  if (has('MANIFEST.json') && has('release.json')) return 'a release';
  const journal = 'attempts.jsonl';
  const isLedger = has(journal) && (has('records') || beginning(join(folder, journal)).includes('"ledger_created"'));
  return isLedger ? 'a ledger' : undefined;
}

/** Errors: USAGE where one of the folders from `innermost` on up must stay as it is. */
function assertFree(path: string, innermost: string): void {
  const itself = placeOf(path);
  for (const folder of foldersAround(innermost)) {
    const isRead = folder !== itself && guarded?.get(folder) === 'an input';
    const what = storeAt(folder) ?? (isRead ? 'an input of this call' : undefined);
    if (what === undefined) continue;
    fail(
      'USAGE',
      { file: path },
      folder === itself
        ? `is ${what}, which stays as it is`
        : `lies inside ${folder}, which is ${what} and stays as it is`,
      'Give a place outside of it.',
    );
  }
}

/**
 * Refuses to write a file or folder that is, or lies in, a ledger, a release or a folder that this run reads: the first two would be damaged by it, and the next
 * run would read it with the last. Every file of this program is written through this. Errors: USAGE.
 */
export function assertOutside(path: string): void {
  for (const folder of foldersAround(resolve(path))) if (opened.has(folder)) return;
  assertFree(path, placeOf(path));
}

/** Refuses to make or replace a ledger or a release where it would lie in another. Errors: USAGE. */
export function assertNotNested(folder: string): void {
  assertFree(folder, dirname(placeOf(folder)));
}

/** Says that what follows writes a ledger or a release at this folder. Errors: those of `assertNotNested`. */
export function openStore(folder: string): void {
  assertNotNested(folder);
  opened.add(resolve(folder));
}
