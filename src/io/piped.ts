import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, type Stats, statSync } from 'node:fs';
import { isatty } from 'node:tty';
import { fail } from '../util/error.js';

/** Most bytes that are read at once. */
const MOST_BYTES = 2 ** 31 - 1;
const CHUNK = 1 << 20;

const A_FILE = 'A pipe is held whole; write it to a file first, or give fewer rows at once.';

/** Waits for a pipe that has nothing yet, milliseconds. */
const PAUSE = 5;

/** How often something that writes a named pipe is looked for, milliseconds, and how many times: 30 seconds. */
const LOOK = 50;
const LOOKS = 600;

/** The name under which standard input is asked for. */
export const STANDARD_INPUT = '-';

/** What a pipe is read inside of: nothing else happens until it ends, perhaps for ever. */
let around = <T>(read: () => T): T => read();

/** Sets what every reading of a pipe runs inside of, for a program that must still be ended by a signal meanwhile. */
export function readPipesInside(hook: typeof around): void {
  around = hook;
}

/** Reads of a pipe what is asked for, so that a signal still ends the program meanwhile. */
export const readInside = <T>(read: () => T): T => around(read);

/** What was read of pipes, by path: none can be read a second time. */
const kept = new Map<string, Buffer>();
/** Why others could not be read: whoever asks again is told so at once. */
const unread = new Map<string, unknown>();

/** Tells what comes to its end but once, a pipe or a device. */
export const isPipe = (stat: Stats): boolean => stat.isFIFO() || stat.isCharacterDevice();

/** Tells whether what is read like a pipe comes to an end: of the devices a terminal and the empty one do, and no other is known to. */
export function willEnd(stat: Stats): boolean {
  if (!stat.isCharacterDevice()) return true;
  const own = isatty(0) ? [fstatSync(0)] : [];
  const known = ['/dev/null', '/dev/tty'].flatMap((path) => statSync(path, { throwIfNoEntry: false }) ?? []);
  return [...own, ...known].some(({ rdev }) => rdev === stat.rdev);
}

/** Reads a pipe, a device or standard input (`-`) to its end, once; the same bytes are given to whoever asks again. Errors: BOUND_EXCEEDED past 2 GiB; those of `readFirst`. */
export function readPiped(path: string, looks = LOOKS): Buffer {
  const known = kept.get(path);
  if (known !== undefined) return known;
  const failed = unread.get(path);
  if (failed !== undefined) throw failed;
  try {
    const bytes = around(() => drained(path, looks));
    kept.set(path, bytes);
    return bytes;
  } catch (error) {
    unread.set(path, error);
    throw error;
  }
}

/** Opens a pipe or a device without waiting for what writes it; systems that cannot have no such files. Errors: INPUT_NOT_FOUND. */
export function openPipe(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENXIO') throw cause;
    return fail(
      'INPUT_NOT_FOUND',
      { file: path },
      'is a device that is not there: this process has no terminal',
      'Give a file, or `-` for standard input.',
      { cause },
    );
  }
}

/** Tells a pipe with a name, which anybody may open at any time, from that of a process (`<(command)`), which was open before. */
function isNamed(path: string): boolean {
  try {
    return statSync(realpathSync.native(path)).isFIFO();
  } catch {
    return false;
  }
}

function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/**
 * Reads the first bytes of what `openPipe` opened, as `readSome` does; a named pipe that nothing writes is waited for 30 seconds (reading 1.1). Errors:
 * INPUT_NOT_FOUND.
 */
export function readFirst(path: string, handle: number, part: Buffer, looks = LOOKS): number {
  if (!isNamed(path)) return readSome(handle, part);
  for (let look = 0; look < looks; look += 1) {
    try {
      const got = readSync(handle, part);
      if (got > 0) return got;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      return readSome(handle, part);
    }
    sleep(LOOK);
  }
  return fail(
    'INPUT_NOT_FOUND',
    { file: path },
    `is a named pipe that nothing has written to for ${(looks * LOOK) / 1000} seconds`,
    'Start what writes it first, or give `<(command)`, `-` or a file.',
  );
}

function drained(path: string, looks: number): Buffer {
  const handle = path === STANDARD_INPUT ? 0 : openPipe(path);
  const parts: Buffer[] = [];
  let total = 0;
  let room = Buffer.alloc(0);
  try {
    for (;;) {
      if (room.length === 0) {
        room = Buffer.allocUnsafe(CHUNK);
        parts.push(room);
      }
      const got = total === 0 && handle !== 0 ? readFirst(path, handle, room, looks) : readSome(handle, room);
      if (got === 0) break;
      total += got;
      if (total > MOST_BYTES) fail('BOUND_EXCEEDED', { file: path }, `more than ${MOST_BYTES} bytes`, A_FILE);
      room = room.subarray(got);
    }
  } finally {
    if (handle !== 0) closeSync(handle);
  }
  return Buffer.concat(parts, total);
}

/** Reads what is there, at least one byte; 0 at the end. */
export function readSome(handle: number, part: Buffer): number {
  for (;;) {
    try {
      return readSync(handle, part);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EOF') return 0;
      if (code !== 'EAGAIN') throw error;
      sleep(PAUSE);
    }
  }
}
