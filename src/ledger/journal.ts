import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { assertInputFile } from '../io/file.js';
import { MAX_LINE_BYTES } from '../io/lines.js';
import { fail, shown } from '../util/error.js';
import { CHAIN_START, decodeLine } from './line.js';

/** One proved line of the journal. */
export interface JournalLine {
  /** Canonical JSON of the event. */
  readonly text: string;
  readonly eventSha256: string;
  /** 1-based. */
  readonly line: number;
}

export interface JournalScan {
  /** Head of the chain after the last whole line. */
  readonly chain: string;
  readonly lines: number;
  /** Bytes of whole, proved lines. */
  readonly bytes: number;
  /** What follows the last line end: the trace of a writer that was killed; empty in a clean journal. */
  readonly tail: Buffer;
  /** True when the tail is a whole proved line that lacks only its line end. */
  readonly tailComplete: boolean;
}

const BLOCK = 1 << 22;

/**
 * Reads a journal from the start, proving every line against its digest and against the chain, and hands each to `onLine`. A torn
 * tail is reported, never an error; anything else that is wrong stops with file and line. Memory: one block of 4 MiB.
 */
export function scanJournal(path: string, onLine: (line: JournalLine) => void): JournalScan {
  if (!existsSync(path)) return { chain: CHAIN_START, lines: 0, bytes: 0, tail: Buffer.alloc(0), tailComplete: false };
  assertInputFile(path);
  const handle = openSync(path, 'r');
  let chain = CHAIN_START;
  let lines = 0;
  let bytes = 0;
  let rest: Buffer = Buffer.alloc(0);
  const take = (line: Buffer): void => {
    const decoded = decodeLine(line, chain);
    if ('problem' in decoded) damaged(path, lines + 1, decoded.problem, line);
    lines += 1;
    chain = decoded.chain;
    onLine({ text: decoded.text, eventSha256: decoded.eventSha256, line: lines });
  };
  try {
    const size = fstatSync(handle).size;
    const block = Buffer.alloc(Math.min(BLOCK, Math.max(1, size)));
    for (let offset = 0; ; ) {
      const read = readSync(handle, block, 0, block.length, offset);
      if (read === 0) break;
      offset += read;
      let data = block.subarray(0, read);
      if (rest.length > 0) data = Buffer.concat([rest, data]);
      let start = 0;
      for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10, start)) {
        take(data.subarray(start, end));
        start = end + 1;
      }
      bytes += start;
      rest = Buffer.from(data.subarray(start));
      if (rest.length > MAX_LINE_BYTES) damaged(path, lines + 1, 'is longer than 64 MiB', rest);
    }
  } finally {
    closeSync(handle);
  }
  const last = rest.length > 0 ? decodeLine(rest, chain) : undefined;
  return {
    chain,
    lines,
    bytes,
    tail: rest,
    tailComplete: last !== undefined && !('problem' in last),
  };
}

function damaged(file: string, line: number, problem: string, bytes: Buffer): never {
  const text = bytes.toString('utf8', 0, 200);
  fail(
    'LEDGER_DAMAGED',
    { file, line },
    `${problem}: ${shown(text)}`,
    'The journal is append-only; restore it from a copy, or keep the part before this line and start a new ledger.',
    { exit: 4 },
  );
}
