import { closeSync, openSync, readSync } from 'node:fs';
import { inputStat } from '../../io/file.js';
import { MAX_LINE_BYTES } from '../../io/lines.js';
import { isMarked, type LineBlock } from '../../io/utf8.js';
import { type FlavourError, fail, failure } from '../../util/error.js';
import type { AnswerKernel } from '../answer-kernel.js';
import type { HeldWork, RangeWork } from './part-work.js';

const LF = 10;
/** Bytes that are read and counted at a time: they are still near the processor when they are counted. */
const PIECE = 1 << 18;
/** Bytes of a block of lines, about. */
const BLOCK = 1 << 20;
/** Room for the end of the last line, to begin with. */
const MARGIN = 1 << 16;

/** Where a range is read to: `room` gives memory of so many bytes and keeps what stands there when it is asked for more. */
export type RangeMemory = Pick<AnswerKernel, 'room' | 'lineFeeds'>;

/** The lines that begin in a range: `bytes[start, end)`. */
interface RangeLines {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  /** Line feeds of the range: lines of later ranges follow on them. */
  readonly feeds: number;
  /** The last line, where it is longer than a line may be; it is in no bytes. */
  readonly tooLong?: FlavourError;
}

/**
 * Reads the lines that begin in a range of a file. A line belongs to the range in which its first byte stands. Errors: those of `inputStat`;
 * INPUT_CHANGED for a file that became shorter.
 */
async function rangeLines(
  { path, from, to }: RangeWork,
  name: string,
  { room, lineFeeds }: RangeMemory,
): Promise<RangeLines> {
  inputStat(path);
  const handle = openSync(path, 'r');
  try {
    // The byte before the range tells whether a line begins at its first byte.
    const base = Math.max(0, from - 1);
    let bytes = room(to - base + MARGIN);
    let filled = 0;
    let feed = -1;
    let all = 0;
    for (;;) {
      const got = readSync(handle, bytes, filled, Math.min(PIECE, bytes.length - filled), base + filled);
      all += lineFeeds(bytes, filled, filled + got);
      filled += got;
      if (filled < to - base && got > 0) continue;
      feed = Buffer.from(bytes.buffer, bytes.byteOffset, filled).indexOf(LF, Math.max(to - 1 - base, filled - got));
      if (feed >= 0 || got === 0) break;
      if (filled > to - base + MAX_LINE_BYTES) break;
      if (filled === bytes.length) bytes = room(2 * bytes.length);
    }
    if (filled < to - base)
      fail(
        'INPUT_CHANGED',
        { file: name },
        `ends at byte ${base + filled}, and reached to ${to} when this call began`,
        'It was cut while it was read. Give it as it was, or run the command again once nothing writes to it.',
        { exit: 5 },
      );
    let start = 0;
    if (from > 0) {
      const before = bytes.indexOf(LF);
      start = before < 0 || before >= filled ? filled : before + 1;
    } else if (isMarked(bytes.subarray(0, filled))) start = 3;
    let end = feed >= 0 ? feed + 1 : filled;
    if (start > to - 1 - base) return { bytes, start: 0, end: 0, feeds: 0 };
    let tooLong: FlavourError | undefined;
    const last = bytes.subarray(0, end - 1).lastIndexOf(LF) + 1;
    if (end - last > MAX_LINE_BYTES) {
      tooLong = failure(
        'LINE_TOO_LONG',
        { file: name },
        `longer than ${MAX_LINE_BYTES >> 20} MiB`,
        'Each row must stand on its own line of at most 64 MiB.',
      );
      end = Math.max(start, last);
    }
    const feeds = all - lineFeeds(bytes, 0, start) - lineFeeds(bytes, end, filled) + (tooLong ? 1 : 0);
    return { bytes, start, end, feeds, ...(tooLong ? { tooLong } : {}) };
  } finally {
    closeSync(handle);
  }
}

/** States the line feeds of a range. */
function stateFeeds({ feeds, place }: RangeWork, own: number): void {
  Atomics.store(feeds, place, own);
  Atomics.notify(feeds, place);
}

/** Waits for the line feeds of the ranges before one, and gives the 1-based number of its first line. */
async function firstLineOf({ feeds, place }: RangeWork): Promise<number> {
  let before = 0;
  for (let k = 0; k < place; k += 1) {
    let count = Atomics.load(feeds, k);
    for (; count < 0; count = Atomics.load(feeds, k)) await Atomics.waitAsync(feeds, k, count).value;
    before += count;
  }
  return before + 1;
}

/** Reads the lines of a range and numbers them, once those of the ranges before it are counted. */
export async function heldRange(work: RangeWork, name: string, memory: RangeMemory): Promise<HeldWork> {
  let read: RangeLines | undefined;
  try {
    read = await rangeLines(work, name, memory);
  } finally {
    // Also where it cannot be read: those behind it would wait for ever.
    stateFeeds(work, read?.feeds ?? 0);
  }
  const { bytes, start, end, feeds, tooLong } = read;
  const firstLine = await firstLineOf(work);
  const last = tooLong === undefined ? null : { line: firstLine + feeds - 1, error: tooLong };
  return { form: 'held', bytes, start, end, firstLine, tooLong: last };
}

/**
 * Cuts the lines of a range into blocks, each of which a processor keeps near while it is checked and scanned; between two of them this thread hears
 * what others have done.
 */
export function* heldBlocks(
  { bytes, start, end, firstLine }: HeldWork,
  { lineFeeds }: RangeMemory,
): Generator<LineBlock> {
  for (let at = start, line = firstLine; at < end; ) {
    const feed = at + BLOCK < end ? bytes.indexOf(LF, at + BLOCK) : -1;
    const stop = feed < 0 ? end : Math.min(feed + 1, end);
    yield { bytes, start: at, end: stop, firstLine: line };
    line += lineFeeds(bytes, at, stop);
    at = stop;
  }
}
