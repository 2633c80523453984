import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { sha256 } from '../io/digest.js';
import { inputFileAt } from '../io/read-file.js';
import { fail } from '../util/error.js';
import { blobKey } from './redis-keys.js';

/** Bytes that are kept somewhere under their digest. */
export interface Blob {
  readonly sha256: string;
  readonly bytes: number;
  readonly at: 'redis' | 'folder';
}

/** A folder that the caller and all workers see, wherever it stands on each machine. */
export interface SharedFolder {
  readonly path: string;
  /** Written in the folder itself, so that two folders are never taken for one. */
  readonly id: string;
}

/** Keeps bytes of calls by their digests: small ones in Redis, larger ones in the shared folder where there is one. */
export interface Blobs {
  readonly folder: SharedFolder | null;
  put(call: string, data: Uint8Array): Promise<Blob>;
  /** Keeps a file as it stands. */
  putFile(call: string, path: string): Promise<Blob>;
  has(call: string, blob: Blob): Promise<boolean>;
  /** Errors: QUEUE_LOST where they are not there any more. */
  get(call: string, blob: Blob): Promise<Uint8Array>;
  /** Path of a file that holds them, in `scratch` where there is none yet. Errors: QUEUE_LOST, DIGEST_MISMATCH. */
  path(call: string, blob: Blob, scratch: string): Promise<string>;
  drop(call: string, blobs: readonly Blob[]): Promise<void>;
  /** Removes the folder of a call, where it has one. */
  dropAll(call: string): void;
}

/** Bytes that are kept in Redis, although there is a folder. */
const SMALL = 256 * 1024;

/** Bytes of one value in Redis at most; Redis itself takes no more than twice as many. */
const MOST_IN_REDIS = 256 * 1024 * 1024;

/** Seconds after which Redis forgets what nobody took: a week. */
const KEPT_SECONDS = 7 * 86_400;

const MARK = 'flavourbench-queue.id';

/** Opens a folder that several machines see. Errors: INPUT_NOT_FOUND for a folder that is not there. */
export function sharedFolder(path: string): SharedFolder {
  if (!existsSync(path))
    fail(
      'INPUT_NOT_FOUND',
      { file: path },
      'the folder for --store is not there',
      'Name a folder that the caller and every worker can write, such as a mounted network drive.',
    );
  const file = join(path, MARK);
  try {
    writeFileSync(file, randomUUID().slice(0, 8), { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return { path, id: readFileSync(file, 'utf8').trim() };
}

/** Opens where the bytes of calls are kept. */
export function openBlobs(redis: Redis, folder: SharedFolder | null): Blobs {
  const folderOf = (call: string): string => join(folder!.path, 'flavourbench-queue', call);
  async function put(
    call: string,
    digest: string,
    bytes: number,
    data: () => Uint8Array,
    from?: string,
  ): Promise<Blob> {
    if (folder !== null && bytes > SMALL) {
      const path = join(folderOf(call), digest);
      mkdirSync(folderOf(call), { recursive: true });
      const unfinished = `${path}.${randomUUID()}.tmp`;
      if (from === undefined) writeFileSync(unfinished, data());
      else copyFileSync(from, unfinished);
      renameSync(unfinished, path);
      return { sha256: digest, bytes, at: 'folder' };
    }
    if (bytes > MOST_IN_REDIS)
      fail(
        'REDIS_FULL',
        null,
        `${bytes.toLocaleString('en')} bytes are more than is kept in Redis at a time (${MOST_IN_REDIS.toLocaleString('en')})`,
        'Give a folder that the caller and all workers see, with --store, to them all.',
      );
    const { buffer, byteOffset, length } = data();
    await redis.set(blobKey(call, digest), Buffer.from(buffer, byteOffset, length), 'EX', KEPT_SECONDS);
    return { sha256: digest, bytes, at: 'redis' };
  }

  async function get(call: string, { sha256: digest, at }: Blob): Promise<Uint8Array> {
    const path = at === 'folder' && folder !== null ? join(folderOf(call), digest) : undefined;
    const inRedis = at === 'redis' ? await redis.getBuffer(blobKey(call, digest)) : null;
    const data = path !== undefined && existsSync(path) ? readFileSync(path) : inRedis;
    if (data !== null) return data;
    fail(
      'QUEUE_LOST',
      null,
      `bytes with digest ${digest.slice(0, 12)} are no longer kept`,
      'Redis was emptied, or something removed them: call again, which goes on where it stood.',
      { exit: 5 },
    );
  }

  return {
    folder,
    put: (call, data) => put(call, sha256(data), data.length, () => data),
    async putFile(call, path) {
      const { sha256: digest, bytes } = inputFileAt('input', path);
      return put(call, digest, bytes, () => readFileSync(path), path);
    },
    async has(call, { sha256: digest, at }) {
      if (at === 'redis') return (await redis.exists(blobKey(call, digest))) === 1;
      return folder !== null && existsSync(join(folderOf(call), digest));
    },
    get,
    async path(call, blob, scratch) {
      const { sha256: digest, at } = blob;
      const kept = at === 'folder' && folder !== null ? join(folderOf(call), digest) : join(scratch, digest);
      if (existsSync(kept)) return kept;
      const data = await get(call, blob);
      if (sha256(data) !== digest)
        fail(
          'DIGEST_MISMATCH',
          null,
          `a file of the queue is not the one with digest ${digest.slice(0, 12)}`,
          'Call again.',
        );
      writeFileSync(`${kept}.tmp`, data);
      renameSync(`${kept}.tmp`, kept);
      return kept;
    },
    async drop(call, blobs) {
      const held = blobs.filter(({ at }) => at === 'redis').map(({ sha256: digest }) => blobKey(call, digest));
      if (held.length > 0) await redis.unlink(...held);
      for (const { sha256: digest, at } of blobs)
        if (at === 'folder' && folder !== null) rmSync(join(folderOf(call), digest), { force: true });
    },
    dropAll(call) {
      if (folder !== null) rmSync(folderOf(call), { recursive: true, force: true });
    },
  };
}
