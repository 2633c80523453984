import { lstatSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readInput, storedFile } from '../../io/file.js';
import type { JsonObject } from '../../io/json.js';
import { readObject } from '../../io/read-file.js';
import { fail } from '../../util/error.js';
import type { ReleaseView } from '../view.js';
import { readRelease } from './read-release.js';

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Opens the folder of a release of ours; no link in it is followed. Errors: those of `readRelease`, INPUT_NOT_REGULAR. */
export async function openRelease(dir: string): Promise<ReleaseView> {
  return readRelease({
    place: dir,
    names: isFolder(dir) ? namesIn(dir, '') : [],
    bytes: async (name) => readInput(storedFile(join(dir, name))),
  });
}

function namesIn(dir: string, prefix: string): string[] {
  return readdirSync(join(dir, prefix), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((item) => (item.isDirectory() ? namesIn(dir, `${prefix}${item.name}/`) : [`${prefix}${item.name}`]));
}

/**
 * Reads the JSON documents of folders of analyses, by base name in the order of names; a folder that is not there has none. Errors: JSON_INVALID;
 * USAGE for two of one name.
 */
export function readAnalyses(dirs: readonly string[]): Map<string, JsonObject> {
  const paths = dirs.flatMap((dir) =>
    isFolder(dir)
      ? readdirSync(dir)
          .filter((name) => name.endsWith('.json'))
          .map((name) => ({ name: basename(name, '.json'), path: join(dir, name) }))
      : [],
  );
  const found = new Map<string, JsonObject>();
  for (const { name, path } of paths.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (found.has(name))
      fail('USAGE', { file: path }, `a second document of the name ${name}`, 'Leave one of the two out, or rename it.');
    found.set(name, readObject(path));
  }
  return found;
}
