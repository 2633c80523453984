import { constants, isAscii, isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  type Stats,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { FlavourError } from './error.js';

/** Refuses anything that is not a plain file: a missing path, a folder, a symbolic link, a device. */
export function assertInputFile(path: string): Stats {
  let stat: Stats;
  try {
    stat = lstatSync(path);
  } catch (cause) {
    throw new FlavourError('INPUT_NOT_FOUND', `${path} does not exist or cannot be read`, {
      hint: 'Check the path and its permissions.',
      where: { file: path },
      cause,
    });
  }
  if (!stat.isFile()) {
    const kind = stat.isSymbolicLink()
      ? 'a symbolic link'
      : stat.isDirectory()
        ? 'a folder'
        : 'not a file';
    throw new FlavourError('INPUT_NOT_REGULAR', `${path} is ${kind}; a regular file is expected`, {
      hint: 'Give the file itself.',
      where: { file: path },
    });
  }
  return stat;
}

/** Most bytes that are read at once. */
const MOST_BYTES = 2 ** 31 - 1;

function tooLarge(path: string, size: number, most: number): FlavourError {
  return new FlavourError(
    'BOUND_EXCEEDED',
    `${path}: ${size} bytes; at most ${most} are read whole`,
    { hint: 'Split the file, or use a format that is streamed.', where: { file: path } },
  );
}

/** The bytes of a regular file of less than 2 GiB. */
export function readInput(path: string): Buffer {
  const { size } = assertInputFile(path);
  if (size > MOST_BYTES) throw tooLarge(path, size, MOST_BYTES);
  return readFileSync(path);
}

/** A part of an open file, whole. Throws a plain error where the file ends before it. */
export function readPart(handle: number, position: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let filled = 0; filled < length; ) {
    const got = readSync(handle, bytes, filled, length - filled, position + filled);
    if (got === 0) throw new Error(`it ends at byte ${position + filled}`);
    filled += got;
  }
  return bytes;
}

function invalidUtf8(path: string, bytes: Buffer): FlavourError {
  let line = 1;
  for (let at = 0; at < bytes.length; line += 1) {
    const stop = bytes.indexOf(10, at);
    const end = stop < 0 ? bytes.length : stop;
    if (!isUtf8(bytes.subarray(at, end))) break;
    at = end + 1;
  }
  return new FlavourError('TEXT_INVALID_UTF8', `${path}, line ${line}: not valid UTF-8`, {
    hint: 'Re-encode the file as UTF-8.',
    where: { file: path, line },
  });
}

/** UTF-8 text of bytes that came from a file, without a byte order mark. Errors: TEXT_INVALID_UTF8 with the line, BOUND_EXCEEDED. */
export function decodeText(path: string, bytes: Buffer): string {
  const most = constants.MAX_STRING_LENGTH;
  if (bytes.length > most) throw tooLarge(path, bytes.length, most);
  if (isAscii(bytes)) return bytes.toString('latin1');
  if (!isUtf8(bytes)) throw invalidUtf8(path, bytes);
  const marked = bytes.length >= 3 && bytes.readUIntBE(0, 3) === 0xefbbbf;
  return bytes.toString('utf8', marked ? 3 : 0);
}

/** The text of a regular UTF-8 file, without a byte order mark. */
export function readText(path: string): string {
  return decodeText(path, readInput(path));
}

/** Makes a folder and those above it. `mkdirSync` alone never returns where the kernel allows none, as below /proc. */
function makeFolder(path: string): void {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there?.isDirectory()) return;
  if (!there && dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

const flushed = promisify(fsync);

function writeWhole(handle: number, data: string | Uint8Array): void {
  const bytes = typeof data === 'string' ? Buffer.from(data, 'utf8') : data;
  let written = 0;
  while (written < bytes.length) written += writeSync(handle, bytes, written);
}

/** A file beside the one it is to become; not open in any process. */
function temporaryBeside(path: string): string {
  makeFolder(dirname(path));
  return join(dirname(path), `.${randomBytes(9).toString('hex')}.tmp`);
}

function writeTemporary(
  path: string,
  data: string | Uint8Array,
  mode: number,
  sync = true,
): string {
  const temporary = temporaryBeside(path);
  const handle = openSync(temporary, 'wx', mode);
  try {
    writeWhole(handle, data);
    if (sync) fsyncSync(handle);
  } catch (cause) {
    unlinkSync(temporary);
    throw cause;
  } finally {
    closeSync(handle);
  }
  return temporary;
}

/** A file that is written bit by bit and appears whole, or not at all. */
export interface AtomicStream {
  write(text: string): void;
  /** Syncs what was written and puts it in place. */
  close(): void;
  /** Removes what was written; nothing after `close`. */
  abandon(): void;
}

/** Opens a replaceable file for writing in pieces: temporary file, fsync and rename at the end. */
export function openAtomicStream(path: string): AtomicStream {
  const temporary = temporaryBeside(path);
  const handle = openSync(temporary, 'wx', 0o644);
  let open = true;
  return {
    write(text) {
      writeSync(handle, text);
    },
    close() {
      fsyncSync(handle);
      closeSync(handle);
      open = false;
      renameSync(temporary, path);
    },
    abandon() {
      if (!open) return;
      open = false;
      closeSync(handle);
      unlinkSync(temporary);
    },
  };
}

/** Writes a replaceable file: temporary file, fsync, rename. A reader sees the old bytes or the new ones, never a mix. */
export function writeAtomic(path: string, data: string | Uint8Array, mode = 0o644): void {
  const temporary = writeTemporary(path, data, mode);
  try {
    renameSync(temporary, path);
  } catch (cause) {
    unlinkSync(temporary);
    throw cause;
  }
}

/**
 * Writes a file whose name promises its content: temporary file, fsync, hard link. An existing file with the same bytes is
 * success; with other bytes it is a conflict and nothing changes (collection 0.2). Returns whether it was new. Without `sync` the
 * file may be lost with the power: for what can be made again.
 */
export function writeOnce(
  path: string,
  data: string | Uint8Array,
  mode = 0o644,
  sync = true,
): boolean {
  return placeOnce(writeTemporary(path, data, mode, sync), path, data);
}

/** Gives a temporary file the name it was made for, unless the same bytes have it already, and removes its own. */
function placeOnce(temporary: string, path: string, data: string | Uint8Array): boolean {
  try {
    linkSync(temporary, path);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    if (!readInput(path).equals(Buffer.from(data as Uint8Array))) {
      throw new FlavourError('LEDGER_CONFLICT', `${path} exists with other content`, {
        hint: 'A content-addressed file never changes; move the old one away if it is wrong.',
        where: { file: path },
        exit: 4,
      });
    }
    return false;
  } finally {
    unlinkSync(temporary);
  }
}

/** A file that is on the disk under a temporary name. */
export interface StagedFile {
  /** Puts it in its place, as `writeOnce` does. Returns whether it was new. */
  place(): boolean;
  /** Removes it; nothing after `place`. */
  abandon(): void;
}

/**
 * The first half of `writeOnce` for many files: when the promise resolves, the bytes of all are on the disk under temporary names. The
 * flushes run side by side, so that the file system joins them. Where one fails, none is left.
 */
export async function stageAll(
  files: readonly { readonly path: string; readonly data: string | Uint8Array }[],
  { mode = 0o644, sync = true }: { readonly mode?: number; readonly sync?: boolean } = {},
): Promise<StagedFile[]> {
  const made: { readonly temporary: string; readonly handle: number }[] = [];
  let failure: { readonly cause: unknown } | undefined;
  try {
    for (const { path, data } of files) {
      const temporary = temporaryBeside(path);
      const handle = openSync(temporary, 'wx', mode);
      made.push({ temporary, handle });
      writeWhole(handle, data);
    }
    const flushes = sync ? made.map(({ handle }) => flushed(handle)) : [];
    const refused = (await Promise.allSettled(flushes)).find(({ status }) => status === 'rejected');
    if (refused) throw (refused as PromiseRejectedResult).reason;
  } catch (cause) {
    failure = { cause };
  }
  for (const { temporary, handle } of made) {
    closeSync(handle);
    if (failure) unlinkSync(temporary);
  }
  if (failure) throw failure.cause;
  return files.map(({ path, data }, i) => {
    const { temporary } = made[i] as { readonly temporary: string };
    let waits = true;
    return {
      place() {
        waits = false;
        return placeOnce(temporary, path, data);
      },
      abandon() {
        if (waits) unlinkSync(temporary);
        waits = false;
      },
    };
  });
}
