import { canonicalJson, sealed } from '../io/canonical.js';
import { sha256 } from '../io/digest.js';
import { MANIFEST_SCHEMA, RELEASE_FILES, type ReleaseFile, textFile } from './layout.js';

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

/** MANIFEST.json: every other file with size and digest. Its own digest is the address of the release. */
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
