import { z } from 'zod';
import { canonicalJson, sealed } from '../io/canonical.js';
import { sha256 } from '../io/digest.js';
import { parseObject } from '../io/json.js';
import { checked } from '../util/schema.js';
import { dataText } from '../util/text.js';
import { compareText } from './proofs/file-proof.js';
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
  /** SHA-256 of files that were digested before. */
  digests: ReadonlyMap<string, string> = new Map(),
): { readonly manifest: Manifest; readonly file: ReleaseFile } {
  const entries = files
    .map(({ name, bytes }) => ({ path: name, bytes: bytes.length, sha256: digests.get(name) ?? sha256(bytes) }))
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

/** Holds every file against MANIFEST.json, and the manifest byte for byte against the one that the files give. Returns its digest. */
export function checkManifest(options: {
  readonly files: Inventory;
  /** `artifact_sha256` of release.json; null where it could not be read. */
  readonly release: string | null;
  /** SHA-256 of files that were digested before. */
  readonly digests: ReadonlyMap<string, string>;
  readonly findings: Findings;
}): string | null {
  const { files, release, digests, findings } = options;
  const file = RELEASE_FILES.manifest;
  const text = textOf(files, file);
  if (text === undefined) {
    findings.add({ file, at: 'the file', expected: 'a manifest', found: 'none' });
    return null;
  }
  return (
    findings.attempt(file, () => {
      const document = parseObject(text, { file });
      const listed = new Map(
        checked(manifestSchema, document, { file }, AS_BUILT).files.map((entry) => [entry.path, entry]),
      );
      const others = [...files].filter(([name]) => name !== file);
      const { manifest } = manifestOf(
        others.map(([name, bytes]) => ({ name, bytes })),
        release ?? dataText(document.release_sha256),
        digests,
      );
      const before = findings.count;
      for (const [name, entry] of listed)
        if (!files.has(name))
          findings.add({ file: name, at: 'the file', expected: `sha256 ${dataText(entry.sha256)}`, found: 'no file' });
      for (const { path, bytes, sha256: digest } of manifest.files) {
        const entry = listed.get(path);
        if (entry === undefined) {
          findings.add({ file: path, at: 'the file', expected: 'not in the manifest, so no file', found: 'a file' });
          continue;
        }
        findings.same(path, 'size in bytes', entry.bytes, bytes);
        findings.same(path, 'sha256', entry.sha256, digest);
      }
      const digest = sealed(document).artifact_sha256;
      findings.same(file, 'artifact_sha256', digest, document.artifact_sha256);
      if (findings.count === before) compareText(file, `${canonicalJson(manifest)}\n`, text, findings);
      findings.done('files against the manifest', listed.size);
      return digest;
    }) ?? null
  );
}
