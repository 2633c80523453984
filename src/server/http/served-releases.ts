import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { sha256 } from '../../io/digest.js';
import { storedFile } from '../../io/file.js';
import { readObject } from '../../io/read-file.js';
import { openRelease } from '../../release/open/open-release.js';
import { AS_BUILT, RELEASE_FILES } from '../../release/release-files.js';
import { fail, shown } from '../../util/error.js';
import { checked, count, sha256Text } from '../../util/schema.js';

const fileEntry = z.object({ path: z.string(), bytes: count, sha256: sha256Text });

/** A release in a list. */
export const releaseSummary = z.object({
  name: z.string().describe('Name of its folder.'),
  sha256: z.string().describe('Digest of MANIFEST.json, which pins every file.'),
  files: z.int(),
});

/** A release by itself. */
export const releaseDescription = releaseSummary.extend({
  release_sha256: z.string(),
  benchmark: z.string(),
  track: z.string(),
  claim: z.string(),
  models: z.array(z.looseObject({ model_id: z.string(), name: z.string(), rank: z.number(), score: z.number() })),
  files: z.array(fileEntry),
});

/** A release that is served; only files that its manifest lists are. */
export interface ServedRelease {
  readonly summary: z.infer<typeof releaseSummary>;
  describe(): Promise<z.infer<typeof releaseDescription>>;
  /** Bytes of a file, which have the digest that is listed. Errors: NOT_FOUND, DIGEST_MISMATCH. */
  file(path: string): Uint8Array;
}

const manifestSchema = z.looseObject({
  artifact_sha256: sha256Text,
  release_sha256: sha256Text,
  files: z.array(fileEntry),
});

/** Paths that stay inside their folder. */
const isInside = (path: string) =>
  !/[\\\0]/.test(path) && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');

/**
 * Finds the releases in a folder, each a folder of its own; what has no manifest is passed over. Their numbers are not proved here, `release verify` does
 * that. Errors: SCHEMA_INVALID for a manifest that is none; USAGE where there is no release.
 */
export function servedReleases(folder: string): Map<string, ServedRelease> {
  const found = new Map<string, ServedRelease>();
  for (const item of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const place = join(folder, item.name);
    if (item.isDirectory() && existsSync(join(place, RELEASE_FILES.manifest)))
      found.set(item.name, servedRelease(item.name, place));
  }
  if (found.size === 0)
    fail(
      'USAGE',
      null,
      `--releases ${folder} holds no folder with ${RELEASE_FILES.manifest}`,
      'Name the folder above those that `release build` wrote.',
    );
  return found;
}

function servedRelease(name: string, place: string): ServedRelease {
  const path = storedFile(join(place, RELEASE_FILES.manifest));
  const manifest = checked(manifestSchema, readObject(path), { file: path }, AS_BUILT);
  const listed = new Map(manifest.files.filter((entry) => isInside(entry.path)).map((entry) => [entry.path, entry]));
  const summary = { name, sha256: manifest.artifact_sha256, files: listed.size };
  return {
    summary,
    async describe() {
      const { benchmark, track, claim, leaderboard } = await openRelease(place);
      return {
        ...{ name, sha256: manifest.artifact_sha256, release_sha256: manifest.release_sha256, benchmark, track, claim },
        models: leaderboard.models.map((model) => ({
          model_id: model.modelId,
          name: model.name,
          rank: model.rank,
          rank_tied: model.rankTied,
          score: model.score,
          rank_set_simultaneous: model.rankSet,
        })),
        files: [...listed.values()],
      };
    },
    file(asked) {
      const entry = listed.get(asked);
      if (entry === undefined)
        fail(
          'NOT_FOUND',
          null,
          `no file ${shown(asked)} in release ${shown(name)}`,
          `/v1/releases/${name} lists them.`,
        );
      const bytes = readFileSync(storedFile(join(place, asked)));
      if (sha256(bytes) !== entry.sha256)
        fail(
          'DIGEST_MISMATCH',
          { file: asked },
          `SHA-256 ${entry.sha256} expected, found ${sha256(bytes)}`,
          '`release verify` names what was altered.',
        );
      return bytes;
    },
  };
}
