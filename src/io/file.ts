import { linkSync, lstatSync, readFileSync, readSync, type Stats, statSync } from 'node:fs';
import { fail } from '../util/error.js';
import { isPipe, readPiped, STANDARD_INPUT, willEnd } from './piped.js';
import { decodeText, READ_WHOLE } from './utf8.js';
import { guardedAs, guardFile } from './write/guard.js';
import { openTemporary, type Temporary } from './write/temporary.js';

function kindOf(stat: Stats): string {
  if (stat.isSymbolicLink()) return 'a symbolic link';
  if (stat.isDirectory()) return 'a folder';
  if (stat.isFIFO()) return 'a named pipe';
  if (stat.isSocket()) return 'a socket';
  return 'a device';
}

function notFound(path: string, cause: unknown): never {
  const link = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  fail(
    'INPUT_NOT_FOUND',
    { file: path },
    link ? 'is a link to a file that is not there' : 'does not exist or cannot be read',
    link ? 'Mend the link; in the cache of a hub, fetch the file again.' : 'Check the path and its permissions.',
    { cause },
  );
}

/**
 * Gives the path of a file in a store (ledger, release, download): there a link, a folder or a device is never taken for a file. Errors:
 * INPUT_NOT_FOUND, INPUT_NOT_REGULAR.
 */
export function storedFile(path: string): string {
  let stat: Stats;
  try {
    stat = lstatSync(path);
  } catch (cause) {
    notFound(path, cause);
  }
  if (!stat.isFile())
    fail(
      'INPUT_NOT_REGULAR',
      { file: path },
      `is ${kindOf(stat)}; a store holds regular files only`,
      'Put the file itself there.',
    );
  return path;
}

/**
 * Finds an input through links (reading 1.1); null stands for standard input (`-`), a pipe or a terminal, which `readPiped` reads once. Errors:
 * INPUT_NOT_FOUND; INPUT_NOT_REGULAR for a folder, a socket, or a device that may never end, such as `/dev/zero`.
 */
export function inputStat(path: string): Stats | null {
  if (path === STANDARD_INPUT) return null;
  let stat: Stats;
  try {
    stat = statSync(path);
  } catch (cause) {
    notFound(path, cause);
  }
  if (isPipe(stat) && willEnd(stat)) return null;
  if (!stat.isFile())
    fail('INPUT_NOT_REGULAR', { file: path }, `is ${kindOf(stat)}; a file is expected`, 'Give a file, or a pipe.');
  guardFile(path, 'an input');
  return stat;
}

/** What stands at a path; nothing where its folder is none, which making the folder will tell. */
function statAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/**
 * Tells whether a file stands where one is to be written. Errors: OUTPUT_NOT_REGULAR for anything else that stands there: a link, a
 * folder, a pipe, a device; OUTPUT_EXISTS for an input or another output of the same run (`guardFiles`).
 */
export function assertOutputFile(path: string): boolean {
  const stat = statAt(path);
  if (stat === undefined) return false;
  if (!stat.isFile()) {
    fail(
      'OUTPUT_NOT_REGULAR',
      { file: path },
      `is ${kindOf(stat)}; only a regular file is replaced`,
      'Give the name of a file.',
    );
  }
  const what = guardedAs(path);
  if (what !== undefined) {
    fail(
      'OUTPUT_EXISTS',
      { file: path },
      `is ${what} of this call`,
      'Give every output a file of its own; --force does not change that.',
    );
  }
  return true;
}

/** Most bytes that are read at once. */
const MOST_BYTES = 2 ** 31 - 1;

/** Reads the bytes of an input of less than 2 GiB, through links; a pipe or standard input (`-`) to its end. Errors: those of `inputStat`; BOUND_EXCEEDED. */
export function readInput(path: string): Buffer {
  const stat = inputStat(path);
  if (stat === null) return readPiped(path);
  const { size } = stat;
  if (size > MOST_BYTES)
    fail('BOUND_EXCEEDED', { file: path }, `${size} bytes; at most ${MOST_BYTES} are read whole`, READ_WHOLE);
  return readFileSync(path);
}

/** Reads a part of an open file, whole. Throws a plain error where the file ends before it. */
export function readPart(handle: number, position: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let filled = 0; filled < length; ) {
    const got = readSync(handle, bytes, filled, length - filled, position + filled);
    if (got === 0) throw new Error(`it ends at byte ${position + filled}`);
    filled += got;
  }
  return bytes;
}

/**
 * Reads the text of the regular file that stands where an output is to be written, to find out whether it may give way; undefined where there is
 * none. It becomes no input by that, which could not be written over. Errors: TEXT_INVALID_UTF8.
 */
export function readStanding(path: string): string | undefined {
  return statAt(path)?.isFile() ? decodeText(path, readFileSync(path)) : undefined;
}

/** Reads the text of a UTF-8 input, without a byte order mark. Errors: those of `readInput`; TEXT_INVALID_UTF8. */
export function readText(path: string): string {
  return decodeText(path, readInput(path));
}

/**
 * Writes a replaceable file: temporary file, fsync, rename. A reader sees the old bytes or the new ones, never a mix. Errors:
 * those of `assertOutputFile`, of the file system.
 */
export function writeAtomic(path: string, data: string | Uint8Array, mode = 0o644): void {
  assertOutputFile(path);
  const temporary = openTemporary(path, mode);
  try {
    temporary.write(data);
    temporary.finish(true);
    temporary.rename();
    guardFile(path, 'another output');
  } finally {
    temporary.drop();
  }
}

/**
 * Writes a file whose name promises its content: temporary file, fsync, hard link. An existing file with the same bytes is
 * success; with other bytes it is a conflict and nothing changes (collection 0.2). Returns whether it was new. Without `sync` the
 * file may be lost with the power: for what can be made again.
 */
export function writeOnce(path: string, data: string | Uint8Array, mode = 0o644, sync = true): boolean {
  const temporary = openTemporary(path, mode);
  try {
    temporary.write(data);
    temporary.finish(sync);
    return placeOnce(temporary, path, data);
  } finally {
    temporary.drop();
  }
}

/** Gives a finished temporary file the name it was made for, unless the same bytes have it already. */
function placeOnce(temporary: Temporary, path: string, data: string | Uint8Array): boolean {
  try {
    linkSync(temporary.path, path);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    storedFile(path);
    if (readFileSync(path).equals(Buffer.from(data as Uint8Array))) return false;
    fail(
      'LEDGER_CONFLICT',
      { file: path },
      'exists with other content',
      'A content-addressed file never changes; move the old one away if it is wrong.',
      { exit: 4 },
    );
  }
}

/** A file that is on the disk under a temporary name. */
interface StagedFile {
  /** Puts it in its place, as `writeOnce` does. Returns whether it was new. */
  place(): boolean;
  /** Removes it; nothing after `place`. */
  abandon(): void;
}

/**
 * Does the first half of `writeOnce` for many files: when the promise resolves, the bytes of all are on the disk under temporary names. The
 * flushes run side by side, so that the file system joins them. Where one fails, none is left.
 */
export async function stageAll(
  files: readonly { readonly path: string; readonly data: string | Uint8Array }[],
  { mode = 0o644, sync = true }: { readonly mode?: number; readonly sync?: boolean } = {},
): Promise<StagedFile[]> {
  const made: Temporary[] = [];
  try {
    for (const { path, data } of files) {
      const temporary = openTemporary(path, mode);
      made.push(temporary);
      temporary.write(data);
    }
    const flushes = await Promise.allSettled(sync ? made.map((temporary) => temporary.flush()) : []);
    const refused = flushes.find(({ status }) => status === 'rejected');
    if (refused) throw (refused as PromiseRejectedResult).reason;
    for (const temporary of made) temporary.finish(false);
  } catch (cause) {
    for (const temporary of made) temporary.drop();
    throw cause;
  }
  return files.map(({ path, data }, i) => {
    const temporary = made[i]!;
    return {
      place() {
        try {
          return placeOnce(temporary, path, data);
        } finally {
          temporary.drop();
        }
      },
      abandon: () => temporary.drop(),
    };
  });
}
