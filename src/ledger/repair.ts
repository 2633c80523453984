import { closeSync, existsSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../io/digest.js';
import { writeOnce } from '../io/file.js';
import { scanJournal } from './journal.js';
import { layout } from './layout.js';

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
