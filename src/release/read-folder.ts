import { closeSync, lstatSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { storedFile } from '../io/file.js';
import { fail } from '../util/error.js';
import type { Findings } from './proofs/findings.js';
import type { Inventory } from './release-files.js';

/** From this size on, lines lie in memory that a thread can share. */
const SHARED_BYTES = 16 * 1024 * 1024;

/** Most bytes of one file, which the runtime reads at once, and of all. */
const MOST_BYTES = 2 ** 31 - 1;
const MOST_TOGETHER = 2 ** 33;

function readWhole(path: string, size: number): Buffer {
  if (size < SHARED_BYTES || !path.endsWith('.jsonl')) return readFileSync(path);
  const bytes = Buffer.from(new SharedArrayBuffer(size));
  const handle = openSync(path, 'r');
  try {
    let filled = 0;
    for (let got = -1; got !== 0 && filled < size; filled += got)
      got = readSync(handle, bytes, filled, size - filled, null);
    return bytes.subarray(0, filled);
  } finally {
    closeSync(handle);
  }
}

/**
 * Reads a folder whole. Links and devices are never followed: each is a difference, as is a file of 2 GiB. Errors: INPUT_NOT_FOUND, INPUT_NOT_REGULAR for the folder; BOUND_EXCEEDED for
 * one of more than 8 GiB.
 */
export function readInventory(dir: string, findings: Findings): Inventory {
  const stat = lstatSync(dir, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) {
    const what = stat?.isSymbolicLink() ? 'is a symbolic link' : 'is not a folder';
    fail(stat ? 'INPUT_NOT_REGULAR' : 'INPUT_NOT_FOUND', { file: dir }, what, 'Give the folder of a release.');
  }
  const found = new Map<string, Buffer>();
  let total = 0;
  const add = (name: string): void => {
    const path = join(dir, name);
    const { size } = statSync(storedFile(path));
    if (size > MOST_BYTES) {
      findings.add({ file: name, at: 'the file', expected: `at most ${MOST_BYTES} bytes`, found: `${size} bytes` });
      return;
    }
    total += size;
    if (total > MOST_TOGETHER)
      fail(
        'BOUND_EXCEEDED',
        { file: dir },
        `files of more than ${MOST_TOGETHER} bytes; a release holds no more`,
        'Give the folder of a release, without other files.',
      );
    found.set(name, readWhole(path, size));
  };
  const walk = (folder: string, prefix: string): void => {
    for (const item of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const name = `${prefix}${item.name}`;
      if (item.isDirectory()) walk(join(folder, item.name), `${name}/`);
      else if (item.isFile()) add(name);
      else {
        const kind = item.isSymbolicLink() ? 'a symbolic link' : 'not a regular file';
        findings.add({ file: name, at: 'the file', expected: 'a regular file', found: kind });
      }
    }
  };
  walk(dir, '');
  return found;
}
