import { closeSync, lstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { canonicalDigest } from '../io/canonical.js';
import { sha256 } from '../io/digest.js';
import { assertInputFile } from '../io/file.js';
import { parseObject } from '../io/json.js';
import { fail } from '../util/error.js';
import { checked } from '../util/schema.js';
import { AS_BUILT, MANIFEST_SCHEMA, RELEASE_FILES } from './layout.js';
import type { Findings } from './proofs/findings.js';

/** Bytes of every regular file of a release, by name. */
export type Inventory = ReadonlyMap<string, Buffer>;

/** From this size on, lines lie in memory that a thread can share. */
const SHARED_BYTES = 16 * 1024 * 1024;

function readWhole(path: string): Buffer {
  const { size } = assertInputFile(path);
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

/** Text of a file; a difference and undefined where it is missing. */
export function textOf(files: Inventory, name: string): string | undefined {
  return files.get(name)?.toString('utf8');
}

/** A manifest as far as it must be readable: what it says of each file is held against the file. */
const manifestSchema = z.looseObject({
  files: z.array(z.looseObject({ path: z.string(), bytes: z.unknown(), sha256: z.unknown() })),
});

/** Holds every file against MANIFEST.json, and the manifest against its own digest. Returns that digest. */
export function checkManifest(
  files: Inventory,
  /** SHA-256 of files that were digested before. */
  digests: ReadonlyMap<string, string>,
  findings: Findings,
): string | null {
  const file = RELEASE_FILES.manifest;
  const text = textOf(files, file);
  if (text === undefined) {
    findings.add({ file, at: 'the file', expected: 'a manifest', found: 'none' });
    return null;
  }
  return (
    findings.attempt(file, () => {
      const manifest = parseObject(text, { file });
      const { artifact_sha256, ...body } = manifest;
      const digest = canonicalDigest(body);
      const listed = new Map(
        checked(manifestSchema, manifest, { file }, AS_BUILT).files.map((entry) => [entry.path, entry]),
      );
      for (const [name, entry] of listed) {
        const bytes = files.get(name);
        if (!bytes) {
          findings.add({
            file: name,
            at: 'the file',
            expected: `sha256 ${entry.sha256}`,
            found: 'no file',
          });
          continue;
        }
        findings.same(name, 'size in bytes', entry.bytes, bytes.length);
        findings.same(name, 'sha256', entry.sha256, digests.get(name) ?? sha256(bytes));
      }
      for (const name of files.keys())
        if (name !== file && !listed.has(name))
          findings.add({
            file: name,
            at: 'the file',
            expected: 'not in the manifest, so no file',
            found: 'a file',
          });
      findings.same(file, 'schema', MANIFEST_SCHEMA, manifest.schema);
      findings.same(file, 'artifact_sha256', digest, artifact_sha256);
      findings.done('files against the manifest', listed.size);
      return digest;
    }) ?? null
  );
}
