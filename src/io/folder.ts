import { readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fail } from '../util/error.js';
import { readInput } from './file.js';
import { inputHead } from './open-input.js';
import { isPipe, STANDARD_INPUT } from './piped.js';
import { guardFile } from './write/guard.js';

/** A file that a call named, or that lies in a folder which it named. */
export interface WalkedFile {
  /** As the call wrote it, with the way from the folder it named. */
  readonly name: string;
  /** Path of the folder that it lies in, absolute. */
  readonly folder: string;
  /** Lies in a folder that the call named. */
  readonly found: boolean;
  /** Read each time it is asked for; of a pipe once. */
  readonly bytes: Uint8Array;
  /** The first bytes, at most 4096. */
  readonly head: Uint8Array;
}

interface Walk {
  readonly files: readonly WalkedFile[];
  /** Hidden files and folders, which were passed over. */
  readonly hidden: number;
  /** Further names of files that are there already. */
  readonly repeated: number;
}

/** Most files of one call, and most folders inside another. */
const MOST_FILES = 100_000;
const DEEPEST = 32;
/** Bytes that tell what a file is. */
const HEAD = 4096;

/** Tells whether a path, through links, is a folder. */
function isFolder(path: string): boolean {
  return path !== STANDARD_INPUT && statAt(path)?.isDirectory() === true;
}

/** What stands at a path, through links; nothing for a link in a circle either. */
function statAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/**
 * Lists the files that paths name; a folder stands for everything in it, in the order of names. Links are followed, a file or folder that
 * was met is not met again, hidden names are passed over, and what is neither a file nor a folder too. A pipe is read where it is named, and
 * standard input as `-` (reading 2). Errors: INPUT_NOT_FOUND; BOUND_EXCEEDED for more than 100,000 files or 32 levels; those of reading.
 */
export function walkFiles(paths: readonly string[]): Walk {
  const files: WalkedFile[] = [];
  const met = new Set<string>();
  const counts = { hidden: 0, repeated: 0 };
  const add = (path: string, found: boolean) => {
    const stat = path === STANDARD_INPUT ? undefined : statAt(path);
    if (stat === undefined && path !== STANDARD_INPUT)
      fail(
        'INPUT_NOT_FOUND',
        { file: path },
        'does not exist or cannot be read',
        'Check the path and its permissions.',
      );
    const isPiped = stat === undefined || isPipe(stat);
    const real = isPiped ? path : realpathSync.native(path);
    if (met.has(real)) {
      counts.repeated += 1;
      return;
    }
    met.add(real);
    if (files.length === MOST_FILES)
      fail('BOUND_EXCEEDED', { file: path }, `more than ${MOST_FILES} files`, 'Name the folders that are needed.');
    files.push(walked(path, real, found));
  };
  const enter = (folder: string, depth: number) => {
    const real = realpathSync.native(folder);
    if (met.has(real)) return;
    met.add(real);
    if (depth > DEEPEST)
      fail(
        'BOUND_EXCEEDED',
        { file: folder },
        `more than ${DEEPEST} folders inside each other`,
        'Name the inner folder.',
      );
    for (const name of namesIn(folder)) {
      if (name.startsWith('.')) {
        counts.hidden += 1;
        continue;
      }
      const path = join(folder, name);
      const stat = statAt(path);
      if (stat?.isDirectory()) enter(path, depth + 1);
      else if (stat?.isFile()) add(path, true);
    }
  };
  for (const path of paths) {
    if (isFolder(path)) {
      guardFile(path, 'an input');
      enter(path, 1);
    } else add(path, false);
  }
  return { files, ...counts };
}

function walked(name: string, path: string, found: boolean): WalkedFile {
  return {
    name,
    folder: dirname(resolve(name)),
    found,
    get bytes() {
      return readInput(path);
    },
    get head() {
      return inputHead(path, HEAD);
    },
  };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (cause) {
    fail('INPUT_NOT_FOUND', { file: folder }, 'cannot be read', 'Check the permissions of the folder.', { cause });
  }
}
