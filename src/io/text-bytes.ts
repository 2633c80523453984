import { isUtf8, MOST_CHARACTERS } from '#platform';
import { fail } from '../util/error.js';
import { decodeText, isMarked, READ_WHOLE } from './utf8.js';

/** Bytes that are looked at where no mark says what a text is written in. */
const SAMPLE = 256;

/** UTF-16 text of a table has a zero in every other byte, or nearly. */
function utf16Order(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes.length < 4 || bytes.length % 2 === 1) return undefined;
  const zeros = [0, 0];
  const length = Math.min(SAMPLE, bytes.length);
  for (let at = 0; at < length; at += 1) if (bytes[at] === 0) zeros[at % 2]! += 1;
  const most = length / 2;
  if (zeros[1]! > 0.7 * most && zeros[0] === 0) return 'utf-16le';
  if (zeros[0]! > 0.7 * most && zeros[1] === 0) return 'utf-16be';
  return undefined;
}

/** A text as UTF-8 bytes without a byte order mark, and what it was written in where that is something else. */
interface TextBytes {
  readonly bytes: Uint8Array;
  readonly encoding?: 'UTF-16';
}

/**
 * Gives a text in UTF-8 or UTF-16, with a byte order mark or without, as UTF-8 bytes (reading 1.2). Errors: TEXT_INVALID_UTF8 with the line;
 * BOUND_EXCEEDED for UTF-16 that is longer than a text can be.
 */
export function textBytes(bytes: Uint8Array, file: string): TextBytes {
  const order = utf16Order(bytes);
  if (order && bytes.length > MOST_CHARACTERS)
    fail(
      'BOUND_EXCEEDED',
      { file },
      `${bytes.length} bytes of UTF-16; at most ${MOST_CHARACTERS} are read whole`,
      READ_WHOLE,
    );
  if (order) return { bytes: new TextEncoder().encode(new TextDecoder(order).decode(bytes)), encoding: 'UTF-16' };
  if (!isUtf8(bytes)) decodeText(file, bytes);
  return { bytes: isMarked(bytes) ? bytes.subarray(3) : bytes };
}

/** So many bytes one after another that are zero stand in no text, whatever names hold. */
const ZEROS_RUN = 8;
const BEGINNING = 4096;

/**
 * Refuses bytes that are UTF-8 and yet no text (reading 1.2): a run of zeros, as a copy that was cut off leaves it, or a beginning of which more than
 * a third are control characters. Errors: FORMAT_UNKNOWN with the line.
 */
export function assertText(bytes: Uint8Array, file: string): void {
  const begin = bytes.subarray(0, BEGINNING);
  const controls = begin.reduce((count, byte) => count + Number(isControl(byte)), 0);
  const at = 3 * controls > begin.length ? begin.findIndex(isControl) : zerosIn(bytes);
  if (at < 0) return;
  let line = 1;
  for (let byte = 0; byte < at; byte += 1) if (bytes[byte] === 10) line += 1;
  fail(
    'FORMAT_UNKNOWN',
    { file, line },
    `is no text: from byte ${at} on it holds ${bytes[at] === 0 ? 'zeros' : 'control characters'}`,
    'Such bytes are left by a copy or a download that was cut off: fetch the file again. Of a binary file give the table, as CSV for instance.',
  );
}

const isControl = (byte: number): boolean => byte < 32 && (byte < 9 || byte > 13);

/** Where the first run of zeros begins; -1 where there is none. */
function zerosIn(bytes: Uint8Array): number {
  for (let at = bytes.indexOf(0); at >= 0; at = bytes.indexOf(0, at + 1)) {
    let run = 1;
    while (run < ZEROS_RUN && bytes[at + run] === 0) run += 1;
    if (run === ZEROS_RUN) return at;
    at += run;
  }
  return -1;
}
