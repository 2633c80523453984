import { closeSync, existsSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../io/digest.js';
import { storedFile, writeOnce } from '../io/file.js';
import { MAX_LINE_BYTES } from '../io/lines.js';
import { fail, shown } from '../util/error.js';
import { CHAIN_START, decodeLine } from './journal-line.js';
import { layout } from './ledger-folder.js';

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
  readonly tail: Uint8Array;
  /** True when the tail is a whole proved line that lacks only its line end. */
  readonly tailComplete: boolean;
}

const BLOCK = 1 << 22;

/** Says what is wrong with a line, which its beginning shows. */
const wrongLine = (problem: string, line: Buffer) => `${problem}: ${shown(line.toString('utf8', 0, 200))}`;

const APPEND_ONLY =
  'The journal is append-only; restore it from a copy. Without one, `flavourbench ledger salvage DIR --out NEW` makes a ledger of all that proves itself.';

/**
 * Reads a journal from the start, proving every line against its digest and against the chain, and hands each to `onLine`. A torn
 * tail is reported, never an error; anything else that is wrong is one. Memory: one block of 4 MiB. Errors: LEDGER_DAMAGED (exit 4) with file and line.
 */
export function scanJournal(path: string, onLine: (line: JournalLine) => void): JournalScan {
  if (!existsSync(path)) return { chain: CHAIN_START, lines: 0, bytes: 0, tail: Buffer.alloc(0), tailComplete: false };
  const handle = openSync(storedFile(path), 'r');
  let chain = CHAIN_START;
  let lines = 0;
  let bytes = 0;
  let rest: Buffer = Buffer.alloc(0);
  const take = (line: Buffer): void => {
    const decoded = decodeLine(line, chain);
    if ('problem' in decoded)
      fail('LEDGER_DAMAGED', { file: path, line: lines + 1 }, wrongLine(decoded.problem, line), APPEND_ONLY, {
        exit: 4,
      });
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
      if (rest.length > MAX_LINE_BYTES)
        fail(
          'LEDGER_DAMAGED',
          { file: path, line: lines + 1 },
          wrongLine('the line is longer than 64 MiB', rest),
          APPEND_ONLY,
          { exit: 4 },
        );
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

/**
 * Puts right the one thing a killed writer can leave in a journal: bytes after the last line end. A whole proved line gets its line
 * end; anything else is kept under `quarantine/` and cut off. Nothing is done, and undefined returned, when the journal is clean.
 */
export function repairTail(
  dir: string,
): { readonly file: string; readonly sha256: string; readonly bytes: number } | undefined {
  const path = layout.journal(dir);
  if (!existsSync(path)) return undefined;
  if (endsWhole(path)) return undefined;
  const scan = scanJournal(path, () => undefined);
  const digest = sha256(scan.tail);
  const file = join(layout.quarantine(dir), `torn-line-${digest}.txt`);
  if (!scan.tailComplete) writeOnce(file, scan.tail, 0o600);
  const handle = openSync(path, 'r+');
  try {
    // One byte is written whole or not at all.
    if (scan.tailComplete) writeSync(handle, '\n', scan.bytes + scan.tail.length);
    else ftruncateSync(handle, scan.bytes);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  return scan.tailComplete ? undefined : { file, sha256: digest, bytes: scan.tail.length };
}

/** True for an empty file and for one whose last byte is a line end. */
function endsWhole(path: string): boolean {
  const handle = openSync(path, 'r');
  try {
    const { size } = fstatSync(handle);
    const last = Buffer.alloc(1);
    return size === 0 || (readSync(handle, last, 0, 1, size - 1) === 1 && last[0] === 10);
  } finally {
    closeSync(handle);
  }
}
