import { constants, isAscii, isUtf8 } from 'node:buffer';
import { createHash, hash } from 'node:crypto';
import { brotliDecompressSync, crc32, gunzipSync, inflateRawSync } from 'node:zlib';

/*
 * What Node does faster than JavaScript can. `#platform` is this file in Node and `platform-web.ts` in a page ("imports" in
 * package.json; tests and bundles that run from the sources name the file themselves).
 */

export { crc32, isAscii, isUtf8 };

/** Most UTF-16 units that a text holds. */
export const MOST_CHARACTERS = constants.MAX_STRING_LENGTH;

/** Takes the lower-case hexadecimal SHA-256 of bytes, or of the UTF-8 bytes of a text. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

/** Takes the lower-case hexadecimal SHA-256 of the UTF-8 bytes of texts, one after the other, without putting them together. */
export function sha256OfParts(texts: readonly string[]): string {
  const digest = createHash('sha256');
  for (const text of texts) digest.update(text, 'utf8');
  return digest.digest('hex');
}

const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Decodes the text of `bytes[start, end)`, which are UTF-8; what is not is replaced by U+FFFD. A byte order mark is kept. */
export function utf8Text(bytes: Uint8Array, start = 0, end = bytes.length): string {
  return asBuffer(bytes).toString('utf8', start, end);
}

/** Decodes the text of `bytes[start, end)`, of which each is one character, U+0000 to U+00FF. */
export function latin1Text(bytes: Uint8Array, start = 0, end = bytes.length): string {
  return asBuffer(bytes).toString('latin1', start, end);
}

/** Counts how many bytes a text has in UTF-8; half of a surrogate pair counts three. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** Tells whether two runs of bytes are the same. */
export function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return asBuffer(left).equals(right);
}

/** Runs what unpacks to at most `most` bytes, and says plainly why it cannot. */
function unpacked(most: number, run: (options: { maxOutputLength: number }) => Uint8Array): Uint8Array {
  try {
    return run({ maxOutputLength: Math.max(1, most) });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw new Error(`it unpacks to more than ${most} bytes`, { cause });
    throw new Error(code === 'Z_BUF_ERROR' ? 'it is cut off' : 'it is damaged', { cause });
  }
}

/** Unpacks gzip, several members too, to at most `most` bytes; check sums are proved. Throws a plain error that says what is wrong. */
export function gunzip(packed: Uint8Array, most: number): Uint8Array {
  return unpacked(most, (options) => gunzipSync(packed, options));
}

/** Unpacks raw deflate data to at most `most` bytes. Throws a plain error that says what is wrong. */
export function inflateRaw(packed: Uint8Array, most: number): Uint8Array {
  return unpacked(most, (options) => inflateRawSync(packed, options));
}

/** Opens what unpacks Brotli data to at most `most` bytes. It throws a plain error that says what is wrong. */
export async function openBrotli(): Promise<(packed: Uint8Array, most: number) => Uint8Array> {
  return (packed, most) => unpacked(most, (options) => brotliDecompressSync(packed, options));
}
