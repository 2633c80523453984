import { closeSync, lstatSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { storedFile } from '../io/file.js';
import { fail } from '../util/error.js';
import type { Findings } from './proofs/findings.js';
import type { Inventory } from './release-files.js';

/** From this size on, lines lie in memory that a thread can share. */
const SHARED_BYTES = 16 * 1024 * 1024;

function readWhole(path: string): Buffer {
  const { size } = statSync(storedFile(path));
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

/** Reads a folder whole. Links and devices are never followed: each is a difference. */
export function readInventory(dir: string, findings: Findings): Inventory {
  const stat = lstatSync(dir, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) {
    const what = stat?.isSymbolicLink() ? 'is a symbolic link' : 'is not a folder';
    fail(stat ? 'INPUT_NOT_REGULAR' : 'INPUT_NOT_FOUND', { file: dir }, what, 'Give the folder of a release.');
  }
  const found = new Map<string, Buffer>();
  const walk = (folder: string, prefix: string): void => {
    for (const item of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const name = `${prefix}${item.name}`;
      if (item.isDirectory()) walk(join(folder, item.name), `${name}/`);
      else if (item.isFile()) found.set(name, readWhole(join(folder, item.name)));
      else {
        const kind = item.isSymbolicLink() ? 'a symbolic link' : 'not a regular file';
        findings.add({ file: name, at: 'the file', expected: 'a regular file', found: kind });
      }
    }
  };
  walk(dir, '');
  return found;
}
