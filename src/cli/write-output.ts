import { lstatSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Option } from 'commander';
import { type OutputFile, writeTogether } from '../io/write/outputs.js';
import { fail } from '../util/error.js';
import { takeSignals } from './stop-signal.js';

export interface OutputOptions {
  /** A file, or a folder (existing, or ending in a slash) that takes `name`. */
  readonly path: string;
  readonly name: string;
  readonly data: string | Uint8Array;
  readonly force?: boolean;
}

/** Makes the option `--force` of a command that writes files the user has named. */
export function forceOption(): Option {
  return new Option('--force', 'replace files of other content');
}

/** Tells whether a path asks for a folder. Errors: OUTPUT_NOT_REGULAR for a link to one, since whoever made the link chose where it leads. */
export function isFolder(path: string): boolean {
  const there = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  // With a slash at its end a link would be looked through.
  if (there && lstatSync(path.replace(/(?<=.)\/+$/, '')).isSymbolicLink())
    fail(
      'OUTPUT_NOT_REGULAR',
      { file: path },
      'is a symbolic link to a folder; nothing is written through a link',
      `Give the folder itself: ${realpathSync(path)}`,
    );
  return there || path.endsWith('/');
}

/** Writes files that belong together, unless a signal came while they were made. See `writeTogether`. */
export async function writeFiles(
  files: readonly OutputFile[],
  options: { readonly replace: boolean },
): Promise<boolean[]> {
  await takeSignals();
  return writeTogether(files, options);
}

/**
 * Writes a result once: the same bytes again are success, other bytes in the way are refused unless `force` is set
 * (OUTPUT_EXISTS). Returns where it stands and whether it was new.
 */
export async function writeResult(options: OutputOptions): Promise<{
  readonly path: string;
  readonly added: boolean;
}> {
  const { data, force = false } = options;
  const path = isFolder(options.path) ? join(options.path, options.name) : options.path;
  const [added] = await writeFiles([{ path, data }], { replace: force });
  return { path, added: added === true };
}
