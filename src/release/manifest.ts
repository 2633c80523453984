import { z } from 'zod';
import { canonicalJson, sealed } from '../io/canonical.js';
import { sha256 } from '../io/digest.js';
import { parseObject } from '../io/json.js';
import { checked } from '../util/schema.js';
import { dataText } from '../util/text.js';
import type { Findings } from './proofs/findings.js';
import {
  AS_BUILT,
  type Inventory,
  MANIFEST_SCHEMA,
  RELEASE_FILES,
  type ReleaseFile,
  textFile,
  textOf,
} from './release-files.js';

export interface ManifestEntry {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface Manifest {
  readonly schema: string;
  readonly canonicalization: 'RFC8785';
  /** `artifact_sha256` of release.json. */
  readonly release_sha256: string;
  /** By path. */
  readonly files: readonly ManifestEntry[];
  /** Digest of the whole release. */
  readonly artifact_sha256: string;
}

/** Makes MANIFEST.json: every other file with size and digest. Its own digest is the address of the release. */
export function manifestOf(
  files: readonly ReleaseFile[],
  releaseSha256: string,
): { readonly manifest: Manifest; readonly file: ReleaseFile } {
  const entries = files
    .map(({ name, bytes }) => ({ path: name, bytes: bytes.length, sha256: sha256(bytes) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const manifest = sealed({
    schema: MANIFEST_SCHEMA,
    canonicalization: 'RFC8785' as const,
    release_sha256: releaseSha256,
    files: entries,
  });
  return { manifest, file: textFile(RELEASE_FILES.manifest, `${canonicalJson(manifest)}\n`) };
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
      const digest = sealed(manifest).artifact_sha256;
      const listed = new Map(
        checked(manifestSchema, manifest, { file }, AS_BUILT).files.map((entry) => [entry.path, entry]),
      );
      for (const [name, entry] of listed) {
        const bytes = files.get(name);
        if (!bytes) {
          findings.add({
            file: name,
            at: 'the file',
            expected: `sha256 ${dataText(entry.sha256)}`,
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
      findings.same(file, 'artifact_sha256', digest, manifest.artifact_sha256);
      findings.done('files against the manifest', listed.size);
      return digest;
    }) ?? null
  );
}
