import { randomUUID } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fail } from '../util/error.js';

/** What the caller and all workers see, for what is large: a folder or a bucket. Names are paths with slashes. */
export interface BlobStore {
  /** Written in the store itself, so that two stores are never taken for one. */
  readonly id: string;
  put(name: string, data: Uint8Array): Promise<void>;
  putFile(name: string, path: string): Promise<void>;
  has(name: string): Promise<boolean>;
  /** Gives what is kept under a name; null where nothing is. */
  get(name: string): Promise<Uint8Array | null>;
  /** Path of the file that holds it, where the store is one of files. */
  path(name: string): string | null;
  drop(name: string): Promise<void>;
  /** Ends what is kept under `name/`, once its parts are dropped. */
  dropFolder(name: string): Promise<void>;
}

/** Name under which a store says which one it is. */
export const MARK = 'flavourbench-queue.id';

/** Gives the id of a folder, and gives it one where it has none. */
function idOf(path: string): string {
  const file = join(path, MARK);
  if (!existsSync(file)) {
    const own = `${file}.${randomUUID()}`;
    writeFileSync(own, randomUUID().slice(0, 8));
    try {
      // The first of several processes wins, and its file is there whole.
      linkSync(own, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(own);
    }
  }
  return readFileSync(file, 'utf8').trim();
}

/** Opens a folder that several machines see. Errors: INPUT_NOT_FOUND for one that is not there. */
export function folderStore(root: string): BlobStore {
  if (!existsSync(root))
    fail(
      'INPUT_NOT_FOUND',
      { file: root },
      'the folder for --store is not there',
      'Name a folder that the caller and every worker can write, such as a mounted network drive, or s3://BUCKET/PREFIX.',
    );
  const at = (name: string): string => join(root, name);
  const whole = (name: string, write: (path: string) => void): void => {
    mkdirSync(dirname(at(name)), { recursive: true });
    const unfinished = `${at(name)}.${randomUUID()}.tmp`;
    write(unfinished);
    renameSync(unfinished, at(name));
  };
  return {
    id: idOf(root),
    put: async (name, data) => whole(name, (path) => writeFileSync(path, data)),
    putFile: async (name, from) => whole(name, (path) => copyFileSync(from, path)),
    has: async (name) => existsSync(at(name)),
    get: async (name) => (existsSync(at(name)) ? readFileSync(at(name)) : null),
    path: at,
    drop: async (name) => rmSync(at(name), { force: true }),
    dropFolder: async (name) => rmSync(at(name), { recursive: true, force: true }),
  };
}
