import { fail } from '../util/error.js';
import { mayBeBlank, pastBlankLines } from './blank-lines.js';
import { openInput } from './open-input.js';
import { invalidUtf8, isMarked, type LineBlock, utf8Slice } from './utf8.js';

/** Longest accepted line, bytes. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;
const CHUNK = 4 * 1024 * 1024;
/** Bytes of the first block: whoever looks at a first line alone need not wait for megabytes, nor for fresh memory to hold them. */
const FIRST_CHUNK = 64 * 1024;

const TOO_LONG = `longer than ${MAX_LINE_BYTES / 1048576} MiB`;
const ONE_LINE = 'Each row must stand on its own line of at most 64 MiB.';

/** Bytes of a line that are looked at one by one: a search for the next line end costs more than so many. */
const BY_HAND = 32;

/** Counts the line feeds in `bytes[start, end)`, also where there are as many as bytes. */
export function lineFeeds(bytes: Uint8Array, start = 0, end = bytes.length): number {
  // Typed arrays over shared memory are searched byte by byte; buffers are not.
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, end);
  let count = 0;
  for (let at = start; at < end; at += 1) {
    const stop = Math.min(at + BY_HAND, end);
    while (at < stop && buffer[at] !== 10) at += 1;
    if (at === stop) at = buffer.indexOf(10, at);
    if (at < 0) break;
    if (at < end) count += 1;
  }
  return count;
}

/** A block longer than a line may be can still be of short lines. */
function assertLines(path: string, bytes: Buffer, start: number, end: number, firstLine: number): void {
  for (let at = start, line = firstLine; at < end; line += 1) {
    const feed = bytes.indexOf(10, at);
    const stop = feed < 0 || feed > end ? end : feed;
    if (stop - at > MAX_LINE_BYTES) fail('LINE_TOO_LONG', { file: path, line }, TOO_LONG, ONE_LINE);
    at = stop + 1;
  }
}

/**
 * Streams a file of any size, or what a pipe holds, in blocks of whole lines, with memory bounded by the longest line. A byte order mark
 * is skipped; lines end at LF only (a CR before it belongs to the line end). `onRead` is shown every byte of the file once, in order.
 * Errors: LINE_TOO_LONG names the line.
 */
export function* lineBlocks(path: string, onRead?: (bytes: Buffer) => void): Generator<LineBlock, void, undefined> {
  const input = openInput(path);
  try {
    let position = 0;
    let buffer = Buffer.allocUnsafe(FIRST_CHUNK);
    let filled = 0;
    let firstLine = 1;
    let first = true;
    for (;;) {
      if (filled === buffer.length) {
        if (filled > MAX_LINE_BYTES) fail('LINE_TOO_LONG', { file: path, line: firstLine }, TOO_LONG, ONE_LINE);
        const larger = Buffer.allocUnsafe(Math.min(buffer.length * 2, MAX_LINE_BYTES + CHUNK));
        buffer.copy(larger, 0, 0, filled);
        buffer = larger;
      }
      const got = input.copy(buffer, filled, position);
      position += got;
      onRead?.(buffer.subarray(filled, filled + got));
      const ended = got === 0;
      filled += got;
      const start = first && filled >= 3 && isMarked(buffer) ? 3 : 0;
      const end = ended ? filled : buffer.lastIndexOf(10, filled - 1) + 1;
      if (end > start) {
        if (end - start > MAX_LINE_BYTES) assertLines(path, buffer, start, end, firstLine);
        yield { bytes: buffer, start, end, firstLine };
        firstLine += lineFeeds(buffer, start, end);
        first = false;
        const next = buffer.length < CHUNK ? Buffer.allocUnsafe(CHUNK) : buffer;
        buffer.copy(next, 0, end, filled);
        buffer = next;
        filled -= end;
      }
      if (ended) return;
      if (filled > MAX_LINE_BYTES) fail('LINE_TOO_LONG', { file: path, line: firstLine }, TOO_LONG, ONE_LINE);
    }
  } finally {
    input.close();
  }
}

interface TextLine {
  readonly text: string;
  /** 1-based. */
  readonly line: number;
}

/**
 * Yields the lines of a UTF-8 file, streamed, without their line ends; blank lines are passed over. U+2028 and U+0085 do not end a line.
 * Errors: LINE_TOO_LONG, TEXT_INVALID_UTF8, both with the line.
 */
export function* textLines(path: string): Generator<TextLine, void, undefined> {
  for (const block of lineBlocks(path)) {
    const { bytes, end } = block;
    let line = block.firstLine;
    for (let at = block.start; at < end; line += 1) {
      if (mayBeBlank(bytes[at]!)) {
        const passed = pastBlankLines(bytes, at, end);
        at = passed.at;
        line += passed.lines;
        if (at === end) break;
      }
      let stop = bytes.indexOf(10, at);
      if (stop < 0 || stop > end) stop = end;
      const cut = stop > at && bytes[stop - 1] === 13 ? stop - 1 : stop;
      const text = utf8Slice(bytes, at, cut);
      if (text === undefined) throw invalidUtf8(path, line, bytes.subarray(at, cut));
      yield { text, line };
      at = stop + 1;
    }
  }
}
