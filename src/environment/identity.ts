import { basename } from 'node:path';
import { canonicalDigest } from '../io/canonical.js';
import { sha256 } from '../io/digest.js';
import { readInput } from '../io/file.js';
import type { EnvironmentIdentity, EnvironmentKind, SourceFile } from './environment.js';
import type { RoleFile } from './recognise.js';

/** Identity of a list of files. A runtime bundle has the identity its task sets record (compiler a.1). */
export function identify(kind: EnvironmentKind, files: readonly RoleFile[]): EnvironmentIdentity {
  const entries: SourceFile[] = files.map(({ role, path }) => {
    const bytes = readInput(path);
    return { role, path: basename(path), bytes: bytes.length, sha256: sha256(bytes) };
  });
  entries.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  const document =
    kind === 'runtime'
      ? {
          manifest_version: 'epicure-data-bundle-manifest-v1',
          entries: entries.map(({ path, bytes, sha256: digest }) => ({
            path,
            bytes,
            sha256: digest,
          })),
        }
      : {
          manifest_version: 'flavourbench-environment/1',
          entries: entries
            .map(({ role, bytes, sha256: digest }) => ({ role, bytes, sha256: digest }))
            .sort((a, b) => (a.role < b.role ? -1 : 1)),
        };
  return { kind, sha256: canonicalDigest(document), files: entries };
}
