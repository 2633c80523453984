import { lineFeeds, MAX_LINE_BYTES } from '../../io/lines.js';
import { isMarked } from '../../io/utf8.js';
import { fail } from '../../util/error.js';
import { lastRecordEnd } from '../csv-answers.js';
import type { ByteStream } from './byte-stream.js';

const LF = 10;

/** Whole lines, or records, of a stream: what one thread takes at a time. */
export interface StreamPiece {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** 1-based. */
  readonly firstLine: number;
}

/**
 * Cuts a stream into pieces of at least `size` bytes that end with a line, or with a record of a table whose cells `delimiter` separates. A byte order mark at its
 * beginning is passed over. Errors: LINE_TOO_LONG.
 */
export async function* streamPieces(
  stream: ByteStream,
  { file, size, delimiter }: { readonly file: string; readonly size: number; readonly delimiter?: number | undefined },
): AsyncGenerator<StreamPiece, void, undefined> {
  let buffer = new Uint8Array(size + (size >> 2));
  let filled = 0;
  let firstLine = 1;
  let first = true;
  const cut = (end: number): StreamPiece => {
    const start = first && isMarked(buffer.subarray(0, filled)) ? 3 : 0;
    first = false;
    const piece = { bytes: buffer.slice(start, end), firstLine };
    firstLine += lineFeeds(piece.bytes);
    buffer.copyWithin(0, end, filled);
    filled -= end;
    return piece;
  };
  for await (const bytes of stream) {
    if (filled + bytes.length > buffer.length) {
      const larger = new Uint8Array(2 * (filled + bytes.length));
      larger.set(buffer.subarray(0, filled));
      buffer = larger;
    }
    buffer.set(bytes, filled);
    filled += bytes.length;
    if (filled < size) continue;
    const held = buffer.subarray(0, filled);
    const end = delimiter === undefined ? held.lastIndexOf(LF) + 1 : lastRecordEnd(held, delimiter);
    if (end > 0) yield cut(end);
    else if (filled > MAX_LINE_BYTES)
      fail(
        'LINE_TOO_LONG',
        { file, line: firstLine },
        `longer than ${MAX_LINE_BYTES >> 20} MiB`,
        'Each row must stand on its own line of at most 64 MiB.',
      );
  }
  if (filled > 0) yield cut(filled);
}
