import { latin1Text } from '#platform';
import { utf8Slice } from '../../io/utf8.js';
import { fail, shown } from '../../util/error.js';

/** A file in a tar archive. */
export interface TarMember {
  readonly name: string;
  /** A part of the archive. */
  readonly bytes: Uint8Array;
}

const BLOCK = 512;

/** Throws the error of an archive, at a byte. */
type Wrong = (at: number, what: string) => never;

/** Tells whether bytes begin as a tar archive does: the mark of ustar, which GNU and POSIX share. */
export function isTar(bytes: Uint8Array): boolean {
  return bytes.length >= BLOCK && latin1Text(bytes, 257, 262) === 'ustar';
}

/**
 * Lists the regular files of a tar archive (POSIX ustar and pax, GNU). Links and devices are passed over; long names are taken from pax headers and
 * from GNU's. Every header is held against its checksum. Names are data: no caller may take one for a path. Errors: TAR_INVALID with the byte.
 */
export function tarMembers(bytes: Uint8Array, file: string, hint: string): TarMember[] {
  const wrong: Wrong = (at, what) => {
    const place = { file, path: `at byte ${at}` };
    return fail('TAR_INVALID', place, what, hint);
  };
  const text = (from: number, to: number): string => {
    const zero = bytes.subarray(from, to).indexOf(0);
    return utf8Slice(bytes, from, zero < 0 ? to : from + zero) ?? wrong(from, 'a name that is not valid UTF-8');
  };
  const found = new Map<string, Uint8Array>();
  let long: string | undefined;
  for (let at = 0; at + BLOCK <= bytes.length; ) {
    if (bytes.subarray(at, at + BLOCK).every((byte) => byte === 0)) return listed(found);
    assertChecksum(bytes, at, wrong);
    const size = octal(bytes, at + 124, at + 136) ?? wrong(at, 'a size that is no number');
    const from = at + BLOCK;
    const to = from + size;
    if (to > bytes.length) wrong(at, `a file of ${size} bytes runs past the end`);
    const kind = String.fromCharCode(bytes[at + 156]!);
    const prefix = latin1Text(bytes, at + 257, at + 263) === 'ustar\0' ? text(at + 345, at + 500) : '';
    const short = text(at, at + 100);
    const name = long ?? (prefix === '' ? short : `${prefix}/${short}`);
    long = undefined;
    if (kind === 'L') long = text(from, to);
    else if (kind === 'x')
      long = paxPath(utf8Slice(bytes, from, to) ?? wrong(from, 'a header that is not valid UTF-8'));
    else if (kind === '0' || kind === '\0' || kind === '7') {
      const own = name.replace(/^\.\//, '');
      if (found.has(own)) wrong(at, `a second file ${shown(own)}`);
      found.set(own, bytes.subarray(from, to));
    }
    at = from + Math.ceil(size / BLOCK) * BLOCK;
  }
  return wrong(bytes.length, 'the archive ends without its end: it was cut off');
}

const listed = (found: ReadonlyMap<string, Uint8Array>): TarMember[] =>
  [...found].map(([name, bytes]) => ({ name, bytes }));

/** An octal number of a header, or one of GNU in base 256; undefined for what is none. */
function octal(bytes: Uint8Array, from: number, to: number): number | undefined {
  if (bytes[from] === 0x80) {
    let value = 0;
    for (let at = from + 1; at < to; at += 1) value = value * 256 + bytes[at]!;
    return Number.isSafeInteger(value) ? value : undefined;
  }
  const digits = /^ *([0-7]{1,12})[ \0]*$/.exec(latin1Text(bytes, from, to))?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 8);
}

/** The sum of all bytes of a header, its own field counted as blanks. */
function assertChecksum(bytes: Uint8Array, at: number, wrong: Wrong): void {
  let sum = 8 * 0x20;
  for (let i = 0; i < BLOCK; i += 1) if (i < 148 || i >= 156) sum += bytes[at + i]!;
  if (octal(bytes, at + 148, at + 156) !== sum) wrong(at, 'a header that differs from its checksum');
}

/** The path of a pax header: records `LENGTH key=value\n`. */
function paxPath(text: string): string | undefined {
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(text)?.[1];
}
