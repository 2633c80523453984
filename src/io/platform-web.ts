import { sha256 as digestOf } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { Gunzip, Inflate } from 'fflate';

/* What `platform-node.ts` does, without Node. */

/** Most UTF-16 units that a text holds: the smallest bound of the browsers. */
export const MOST_CHARACTERS = 2 ** 29 - 24;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const strict = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });

/** Takes the lower-case hexadecimal SHA-256 of bytes, or of the UTF-8 bytes of a text. */
export function sha256(data: string | Uint8Array): string {
  return bytesToHex(digestOf(typeof data === 'string' ? encoder.encode(data) : data));
}

/** Takes the lower-case hexadecimal SHA-256 of the UTF-8 bytes of texts, one after the other. */
export function sha256OfParts(texts: readonly string[]): string {
  const digest = digestOf.create();
  for (const text of texts) digest.update(encoder.encode(text));
  return bytesToHex(digest.digest());
}

/** Tells whether every byte is an ASCII character. */
export function isAscii(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte < 0x80);
}

/** Tells whether bytes are valid UTF-8. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Decodes the text of `bytes[start, end)`, which are UTF-8; what is not is replaced by U+FFFD. A byte order mark is kept. */
export function utf8Text(bytes: Uint8Array, start = 0, end = bytes.length): string {
  return decoder.decode(bytes.subarray(start, end));
}

/** Characters that `String.fromCharCode` takes at once. */
const CHUNK = 8192;

/** Decodes the text of `bytes[start, end)`, of which each is one character, U+0000 to U+00FF. */
export function latin1Text(bytes: Uint8Array, start = 0, end = bytes.length): string {
  let text = '';
  for (let at = start; at < end; at += CHUNK)
    text += String.fromCharCode(...bytes.subarray(at, Math.min(end, at + CHUNK)));
  return text;
}

/** Counts how many bytes a text has in UTF-8; half of a surrogate pair counts three. */
export function utf8Length(text: string): number {
  return encoder.encode(text).length;
}

/** CRC-32 of each byte (reflected polynomial 0xedb88320). */
const CRC_OF_BYTE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** Computes the CRC-32 of bytes, as ZIP and Parquet have it. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ CRC_OF_BYTE[(crc ^ byte) & 0xff]!;
  return (crc ^ 0xffffffff) >>> 0;
}

/** Tells whether two runs of bytes are the same. */
export function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, i) => byte === right[i]);
}

/** Bytes that are handed on at once: so much may be unpacked past a bound before it is noticed, a thousand times over. */
const PIECE = 1 << 14;

/** Collects what comes out of a stream, at most `most` bytes. */
function collected(most: number): {
  add(part: Uint8Array): void;
  whole(from?: number, to?: number): Uint8Array;
  size: number;
} {
  const parts: Uint8Array[] = [];
  const out = {
    size: 0,
    add: (part: Uint8Array) => {
      out.size += part.length;
      if (out.size > most) throw new RangeError(`it unpacks to more than ${most} bytes`);
      parts.push(part);
    },
    whole: () => {
      const bytes = new Uint8Array(out.size);
      parts.reduce((at, part) => {
        bytes.set(part, at);
        return at + part.length;
      }, 0);
      return bytes;
    },
  };
  return out;
}

/** Pushes bytes through a stream of the library, whose errors say that data are cut off or damaged. */
function pushed(packed: Uint8Array, stream: { push(part: Uint8Array, last: boolean): void }): void {
  try {
    for (let at = 0; at < packed.length || at === 0; at += PIECE)
      stream.push(packed.subarray(at, at + PIECE), at + PIECE >= packed.length);
  } catch (cause) {
    if (cause instanceof RangeError) throw cause;
    const cut = cause instanceof Error && /EOF/.test(cause.message);
    throw new Error(cut ? 'it is cut off' : 'it is damaged', { cause });
  }
}

/** Unpacks gzip, several members too, to at most `most` bytes; check sums are proved. Throws a plain error that says what is wrong. */
export function gunzip(packed: Uint8Array, most: number): Uint8Array {
  const out = collected(most);
  const stream = new Gunzip(out.add);
  const members = [{ start: 0, from: 0 }];
  stream.onmember = (start) => members.push({ start, from: out.size });
  pushed(packed, stream);
  const bytes = out.whole();
  const trailers = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  members.forEach(({ from }, i) => {
    const next = members[i + 1] ?? { start: packed.length, from: bytes.length };
    if (next.start < 18) throw new Error('it is cut off');
    if (trailers.getUint32(next.start - 8, true) !== crc32(bytes.subarray(from, next.from)))
      throw new Error('it is damaged');
  });
  return bytes;
}

/** Unpacks raw deflate data to at most `most` bytes. Throws a plain error that says what is wrong. */
export function inflateRaw(packed: Uint8Array, most: number): Uint8Array {
  const out = collected(most);
  pushed(packed, new Inflate(out.add));
  return out.whole();
}

/** Opens what unpacks Brotli data to exactly `size` bytes. It throws a plain error that says what is wrong. */
export async function openBrotli(): Promise<(packed: Uint8Array, size: number) => Uint8Array> {
  const { decompressBrotli } = await import('hyparquet-compressors');
  return (packed, size) => {
    try {
      return decompressBrotli(packed, size);
    } catch (cause) {
      throw new Error('it is damaged', { cause });
    }
  };
}
