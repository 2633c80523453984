import { utf8Text } from '#platform';
import { type JsonObject, parseObject } from '../io/json.js';
import { fail } from '../util/error.js';
import { isWellFormed } from '../util/text.js';

/**
 * Files of a release folder. Everything but MANIFEST.json is listed in MANIFEST.json; nothing else may lie there.
 * Task files are `tasks/<panel>.json` (a document) or `.jsonl` (rows), byte for byte as given.
 */
export const RELEASE_FILES = {
  release: 'release.json',
  core: 'core.json',
  plan: 'plan.json',
  planToken: 'plan.tsr',
  tasks: 'tasks/',
  roster: 'models.json',
  validity: 'validity.arrow',
  observations: 'observations.jsonl',
  observationsArrow: 'observations.arrow',
  observationsParquet: 'observations.parquet',
  attempts: 'attempts.jsonl',
  matrix: 'matrix.arrow',
  matrixParquet: 'matrix.parquet',
  inference: 'inference.json',
  leaderboard: 'leaderboard.csv',
  pairwise: 'pairwise.csv',
  modelsArrow: 'models.arrow',
  pairsArrow: 'pairs.arrow',
  replicationArrow: 'replication.arrow',
  modelsParquet: 'models.parquet',
  pairsParquet: 'pairs.parquet',
  cases: 'cases.json',
  card: 'README.md',
  analyses: 'analyses/',
  figures: 'figures/',
  tables: 'tables/',
  manifest: 'MANIFEST.json',
} as const;

/** Journals: `attempts.jsonl`, and `attempts-2.jsonl` for a second ledger. */
export const ATTEMPTS = /^attempts(?:-(\d+))?\.jsonl$/;

/** A file of a release: its name inside the folder, with `/`, and its bytes. */
export interface ReleaseFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Makes a file of a text, in UTF-8. Errors: TEXT_INVALID_UTF8 for half of a surrogate pair, which UTF-8 cannot write. */
export function textFile(name: string, text: string): ReleaseFile {
  if (!isWellFormed(text))
    fail(
      'TEXT_INVALID_UTF8',
      { file: name },
      'half of a surrogate pair in a text of the release',
      'Give names and texts whole.',
    );
  return { name, bytes: new TextEncoder().encode(text) };
}

/** Bytes of every regular file of a release, by name. */
export type Inventory = ReadonlyMap<string, Uint8Array>;

/** Decodes a file of a release; undefined where it is missing. */
export function textOf(files: Inventory, name: string): string | undefined {
  const bytes = files.get(name);
  return bytes && utf8Text(bytes);
}

/**
 * Schema of release.json by the rules that a release is made and verified by: 1 are those of version 0.1.0, which bind less. Nothing that the
 * rules of 1 do not know may stand in such a release, so that none can pass for an older one.
 */
export const RELEASE_SCHEMAS = { 1: 'flavourbench-release/1', 2: 'flavourbench-release/2' } as const;
export type ReleaseRules = keyof typeof RELEASE_SCHEMAS;

export const MANIFEST_SCHEMA = 'flavourbench-release-manifest/1';

/** What to do about a file of a release that does not hold what it must. */
export const AS_BUILT = 'Give a release as it was built.';

/** JSON documents of a folder of analyses by name, read. */
export function analysisDocuments(files: readonly ReleaseFile[]): Map<string, JsonObject> {
  return new Map(
    files
      .filter(({ name }) => name.endsWith('.json'))
      .map(({ name, bytes }) => [name, parseObject(utf8Text(bytes), { file: name })]),
  );
}
