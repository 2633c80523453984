import { isAscii, isUtf8, latin1Text, MOST_CHARACTERS, utf8Text } from '#platform';
import { type FlavourError, fail, failure } from '../util/error.js';

/** First bytes of compressed files, none of which is text, and what opens them. */
const COMPRESSED: readonly (readonly [readonly number[], string, string])[] = [
  [[0x1f, 0x8b], 'gzip', 'gunzip'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'zstd', 'unzstd'],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], 'xz', 'unxz'],
];

/** Makes the error for bytes that are no UTF-8, TEXT_INVALID_UTF8 with the line; `bytes` are those of that line. */
export function invalidUtf8(path: string, line: number, bytes: Uint8Array): FlavourError {
  const packed = line === 1 ? COMPRESSED.find(([head]) => head.every((byte, i) => bytes[i] === byte)) : undefined;
  const odd = packed ? undefined : oddByte(bytes);
  const what = packed ? `compressed with ${packed[1]}` : `not valid UTF-8${odd === undefined ? '' : `: ${odd}`}`;
  return failure(
    'TEXT_INVALID_UTF8',
    { file: path, line },
    what,
    packed
      ? `Unpack it first, with ${packed[2]} for instance.`
      : odd === undefined
        ? 'Re-encode the file as UTF-8.'
        : `Save it as UTF-8; if it is Windows-1252: \`iconv -f WINDOWS-1252 -t UTF-8 ${path} > utf8-${path.replace(/^.*[/\\]/, '')}\`.`,
  );
}

/** The first byte of a line that no UTF-8 has there, and what it is in the code page of Windows; undefined where it is no text either. */
function oddByte(bytes: Uint8Array): string | undefined {
  const end = bytes.indexOf(10);
  const line = bytes.subarray(0, Math.min(end < 0 ? bytes.length : end, 4096));
  if (line.some((byte) => byte < 9)) return undefined;
  const at = line.findIndex(
    (byte, i) => byte >= 0x80 && !isUtf8(line.subarray(0, i + 1)) && !isUtf8(line.subarray(i, i + 4)),
  );
  const letter = at < 0 ? '' : new TextDecoder('windows-1252').decode(line.subarray(at, at + 1));
  return /[\p{L}\p{P}\p{S}]/u.test(letter)
    ? `byte 0x${line[at]!.toString(16)} (${letter} in Windows-1252) at place ${at + 1}`
    : undefined;
}

/** What to do about a file that is too large to be read whole. */
export const READ_WHOLE = 'Split the file, or use a format that is streamed.';

function firstInvalidLine(path: string, bytes: Uint8Array): FlavourError {
  let line = 1;
  let at = 0;
  while (at < bytes.length) {
    const stop = bytes.indexOf(10, at);
    const end = stop < 0 ? bytes.length : stop;
    if (!isUtf8(bytes.subarray(at, end))) break;
    at = end + 1;
    line += 1;
  }
  return invalidUtf8(path, line, bytes.subarray(at));
}

/** Tells whether bytes begin with the byte order mark of UTF-8. */
export const isMarked = (bytes: Uint8Array): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

/**
 * Decodes the bytes of a file, which `path` names in errors, without a byte order mark. Errors: TEXT_INVALID_UTF8 with the line;
 * BOUND_EXCEEDED where it is longer than a text can be.
 */
export function decodeText(path: string, bytes: Uint8Array): string {
  if (bytes.length > MOST_CHARACTERS)
    fail(
      'BOUND_EXCEEDED',
      { file: path },
      `${bytes.length} bytes; at most ${MOST_CHARACTERS} are read whole`,
      READ_WHOLE,
    );
  if (isAscii(bytes)) return latin1Text(bytes);
  if (!isUtf8(bytes)) throw firstInvalidLine(path, bytes);
  return utf8Text(bytes, isMarked(bytes) ? 3 : 0);
}

/** Decodes the text of `bytes[start, end)`, or undefined where it is not valid UTF-8. */
export function utf8Slice(bytes: Uint8Array, start: number, end: number): string | undefined {
  return isUtf8(bytes.subarray(start, end)) ? utf8Text(bytes, start, end) : undefined;
}

/** Whole lines of a file: `bytes[start, end)` is valid until the next block is asked for. */
export interface LineBlock {
  readonly bytes: Uint8Array;
  readonly start: number;
  /** After the last line feed, or at the end of the file. */
  readonly end: number;
  /** 1-based number of the first line in the block. */
  readonly firstLine: number;
}

/** Yields the lines of bytes without their line feeds, as views; bytes after the last line feed are no line. */
export function* byteLines<B extends Uint8Array>(bytes: B): Generator<B, void, undefined> {
  let at = 0;
  for (let stop = bytes.indexOf(10); stop >= 0; stop = bytes.indexOf(10, at)) {
    yield bytes.subarray(at, stop) as B;
    at = stop + 1;
  }
}
