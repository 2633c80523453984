import { type FlavourError, failure } from '../util/error.js';

/** First bytes of compressed files, none of which is text, and what opens them. */
const COMPRESSED: readonly (readonly [readonly number[], string, string])[] = [
  [[0x1f, 0x8b], 'gzip', 'gunzip'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'zstd', 'unzstd'],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], 'xz', 'unxz'],
];

/** The error for bytes that are no UTF-8, TEXT_INVALID_UTF8 with the line; `bytes` are those of that line. */
export function invalidUtf8(path: string, line: number, bytes: Uint8Array): FlavourError {
  const packed = line === 1 ? COMPRESSED.find(([head]) => head.every((byte, i) => bytes[i] === byte)) : undefined;
  const what = packed ? `compressed with ${packed[1]}` : 'not valid UTF-8';
  return failure(
    'TEXT_INVALID_UTF8',
    { file: path, line },
    what,
    packed ? `Unpack it first, with ${packed[2]} for instance.` : 'Re-encode the file as UTF-8.',
  );
}
