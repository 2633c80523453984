import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { FlavourError } from '../util/error.js';
import { writeAtomic } from '../util/file.js';

export interface OutputOptions {
  /** A file, or a folder (existing, or ending in a slash) that takes `name`. */
  readonly path: string;
  readonly name: string;
  readonly data: string | Uint8Array;
  readonly force?: boolean;
}

/** Whether the path asks for a folder. */
export function isFolder(path: string): boolean {
  return path.endsWith('/') || (existsSync(path) && statSync(path).isDirectory());
}

/**
 * Where a result will stand, and whether it stands there already. Other bytes in the way are refused unless `force` is set
 * (OUTPUT_EXISTS), so that several results can be checked before the first is written.
 */
export function resultPlace(options: OutputOptions): {
  readonly path: string;
  readonly present: boolean;
} {
  const path = isFolder(options.path) ? join(options.path, options.name) : options.path;
  if (!existsSync(path)) return { path, present: false };
  if (Buffer.compare(readFileSync(path), Buffer.from(options.data as Uint8Array)) === 0)
    return { path, present: true };
  if (!options.force) {
    throw new FlavourError('OUTPUT_EXISTS', `${path} exists with other content`, {
      hint: 'Choose another file, or add --force to replace it.',
      where: { file: path },
    });
  }
  return { path, present: false };
}

/** Writes a result once: the same bytes again are success; see `resultPlace`. Returns where it stands and whether it was new. */
export function writeResult(options: OutputOptions): {
  readonly path: string;
  readonly added: boolean;
} {
  const { path, present } = resultPlace(options);
  if (!present) writeAtomic(path, options.data);
  return { path, added: !present };
}
