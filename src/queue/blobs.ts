import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { sha256 } from '../io/digest.js';
import { inputFileAt } from '../io/read-file.js';
import { fail } from '../util/error.js';
import { thousands } from '../util/format.js';
import type { BlobStore } from './blob-store.js';
import { blobKey } from './redis-keys.js';
import { asStored, callId, storedBlob } from './stored.js';

/** Bytes that are kept somewhere under their digest. */
export interface Blob {
  readonly sha256: string;
  readonly bytes: number;
  readonly at: 'redis' | 'store';
}

/** Keeps bytes of calls by their digests: small ones in Redis, larger ones in the store where there is one. */
export interface Blobs {
  /** Id of the store; null without one. */
  readonly share: string | null;
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
  dropAll(call: string): Promise<void>;
}

/** Bytes that are kept in Redis, although there is a store. */
const SMALL = 256 * 1024;

/** Bytes of one value in Redis at most; Redis itself takes no more than twice as many. */
const MOST_IN_REDIS = 256 * 1024 * 1024;

/** Seconds after which Redis forgets what nobody took: a week. */
const KEPT_SECONDS = 7 * 86_400;

/** Names what is kept of a call, so that what Redis says leads nowhere else. Errors: SCHEMA_INVALID. */
const nameOf = (call: string, blob?: Blob): string =>
  `flavourbench-queue/${asStored(callId, call, 'the id of a call')}${blob === undefined ? '' : `/${digestOf(blob)}`}`;

/** Errors: SCHEMA_INVALID for what is no digest. */
const digestOf = (blob: Blob): string => asStored(storedBlob, blob, 'bytes of the queue').sha256;

/** Errors: REDIS_FULL for bytes that are too many for one value. */
function assertHeld(bytes: number): void {
  if (bytes <= MOST_IN_REDIS) return;
  fail(
    'REDIS_FULL',
    null,
    `${thousands(bytes)} bytes are more than is kept in Redis at a time (${thousands(MOST_IN_REDIS)})`,
    'Give a folder or a bucket that the caller and all workers see, with --store, to them all.',
    { exit: 5 },
  );
}

/** Opens where the bytes of calls are kept. */
export function openBlobs(redis: Redis, store: BlobStore | null): Blobs {
  const stored = (bytes: number): boolean => store !== null && bytes > SMALL;

  async function keep(call: string, digest: string, { buffer, byteOffset, length }: Uint8Array): Promise<void> {
    assertHeld(length);
    await redis.set(blobKey(call, digest), Buffer.from(buffer, byteOffset, length), 'EX', KEPT_SECONDS);
  }

  async function get(call: string, blob: Blob): Promise<Uint8Array> {
    const digest = digestOf(blob);
    const data =
      blob.at === 'redis'
        ? await redis.getBuffer(blobKey(call, digest))
        : ((await store?.get(nameOf(call, blob))) ?? null);
    if (data !== null) return data;
    fail(
      'QUEUE_LOST',
      null,
      `bytes with digest ${digest.slice(0, 12)} are no longer kept`,
      'Redis or the store was emptied: call again, which goes on where it stood.',
      { exit: 5 },
    );
  }

  return {
    share: store?.id ?? null,
    async put(call, data) {
      const large = stored(data.length);
      const blob: Blob = { sha256: sha256(data), bytes: data.length, at: large ? 'store' : 'redis' };
      await (large ? store!.put(nameOf(call, blob), data) : keep(call, blob.sha256, data));
      return blob;
    },
    async putFile(call, path) {
      const { sha256: digest, bytes } = inputFileAt('input', path);
      const large = stored(bytes);
      if (!large) assertHeld(bytes);
      const blob: Blob = { sha256: digest, bytes, at: large ? 'store' : 'redis' };
      await (large ? store!.putFile(nameOf(call, blob), path) : keep(call, digest, readFileSync(path)));
      return blob;
    },
    async has(call, blob) {
      if (blob.at === 'redis') return (await redis.exists(blobKey(call, blob.sha256))) === 1;
      return (await store?.has(nameOf(call, blob))) ?? false;
    },
    get,
    async path(call, blob, scratch) {
      const digest = digestOf(blob);
      const own = blob.at === 'store' ? store?.path(nameOf(call, blob)) : null;
      if (own && existsSync(own)) return own;
      const kept = join(scratch, digest);
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
      for (const blob of blobs) if (blob.at === 'store') await store?.drop(nameOf(call, blob));
    },
    async dropAll(call) {
      await store?.dropFolder(nameOf(call));
    },
  };
}
