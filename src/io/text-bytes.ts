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
