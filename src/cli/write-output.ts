import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Option } from 'commander';
import { type OutputFile, writeTogether } from '../io/write/outputs.js';
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

/** Tells whether a path asks for a folder. */
export function isFolder(path: string): boolean {
  return path.endsWith('/') || (existsSync(path) && statSync(path).isDirectory());
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
