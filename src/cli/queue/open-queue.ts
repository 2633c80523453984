import { hostname } from 'node:os';
import type { Redis } from 'ioredis';
import { type BlobStore, folderStore } from '../../queue/blob-store.js';
import { type Blobs, openBlobs } from '../../queue/blobs.js';
import type { CallOptions, CallProgress, QueueCall } from '../../queue/call.js';
import { openCall } from '../../queue/open-call.js';
import { misfit, type Program, type Side } from '../../queue/program.js';
import { openRedis, type QueuePackages, queuePackages, redisError } from '../../queue/redis.js';
import { redisPlace } from '../../queue/redis-url.js';
import { FlavourError, failure } from '../../util/error.js';
import { VERSION } from '../../util/version.js';
import { printNote } from '../print.js';
import { kernelsDigest } from '../sharing/kernels-digest.js';
import { stopOnSignal } from '../stop-signal.js';
import { CALL_LOST_AFTER, type QueueFlags } from './queue-options.js';

/** An open queue. */
export interface OpenQueue {
  readonly packages: QueuePackages;
  readonly redis: Redis;
  readonly blobs: Blobs;
  readonly program: Program;
  close(): void;
}

export const thisProgram = (): Program => ({ version: VERSION, kernels: kernelsDigest() });

export const thisProcess = () => ({ host: hostname(), pid: process.pid });

/** Opens a store by what a call says: a folder, or a bucket whose keys stand in the environment. Errors: those of the stores. */
async function openStore(store: string | undefined): Promise<BlobStore | null> {
  if (store === undefined) return null;
  if (!store.startsWith('s3:')) return folderStore(store);
  const { s3Store } = await import('../../queue/s3-store.js');
  const { env } = process;
  return s3Store({
    url: store,
    endpoint: env.AWS_ENDPOINT_URL_S3 ?? env.AWS_ENDPOINT_URL,
    region: env.AWS_REGION ?? env.AWS_DEFAULT_REGION ?? 'us-east-1',
    accessKeyId: env.AWS_ACCESS_KEY_ID,
    secretAccessKey: env.AWS_SECRET_ACCESS_KEY,
    sessionToken: env.AWS_SESSION_TOKEN,
  });
}

/** Opens the Redis that a call names. Errors: USAGE, QUEUE_UNAVAILABLE, REDIS_UNREACHABLE, REDIS_REFUSED, REDIS_UNFIT; INPUT_NOT_FOUND for --store. */
export async function openQueue({ redis: url, store }: QueueFlags & { readonly redis: string }): Promise<OpenQueue> {
  const place = redisPlace(url, process.env.FLAVOURBENCH_REDIS_PASSWORD);
  const opened = await openStore(store);
  const packages = await queuePackages();
  const { redis, close } = await openRedis(packages, place);
  return {
    packages,
    redis,
    blobs: openBlobs(redis, opened),
    program: thisProgram(),
    close,
  };
}

/** Milliseconds for which nobody is missed. */
const PATIENCE_MS = 2000;

/** Says, once each, that no worker does the parts of a call, and why those that are there do not. */
function workerNotes(call: Side): (progress: CallProgress) => void {
  const begun = performance.now();
  const named = new Set<string>();
  let missed = false;
  return ({ workers, others }) => {
    if (workers.length > 0) return;
    for (const worker of others) {
      if (named.has(worker.id)) continue;
      named.add(worker.id);
      printNote(`worker ${worker.pid} on ${worker.host} does no part of this call: ${misfit(call, worker)}`);
    }
    if (missed || performance.now() - begun < PATIENCE_MS) return;
    missed = true;
    printNote(
      'no worker does parts of this call yet; start some: `flavourbench worker` with the same --redis and --store',
    );
  };
}

/** What a command says of its call. */
export type CalledParts = Pick<CallOptions, 'id' | 'kind' | 'name' | 'opening' | 'keep'> &
  Pick<Partial<CallOptions>, 'onState'>;

/** An open call of a command. */
export interface OpenCall {
  readonly call: QueueCall;
  /** Ends call and queue; after an error so that what was done is kept for the same call. */
  end(error?: unknown): Promise<void>;
}

/** Opens a queue and a call; a signal stops it so that it goes on when it is called again. Errors: those of `openQueue` and `openCall`. */
export async function openCalled(
  flags: QueueFlags & { readonly redis: string },
  about: (queue: OpenQueue) => Promise<CalledParts>,
): Promise<OpenCall> {
  const queue = await openQueue(flags);
  const { lostAfter = CALL_LOST_AFTER } = flags;
  const notes = workerNotes({ program: queue.program, share: queue.blobs.share });
  try {
    const called = await about(queue);
    const call = await openCall({
      ...queue,
      ...called,
      caller: thisProcess(),
      lostAfter: 1000 * lostAfter,
      onState(state) {
        notes(state);
        called.onState?.(state);
      },
    });
    const release = stopOnSignal(() =>
      call.stop(failure('ABORTED', null, 'stopped by a signal', 'Call again: it goes on where it stood.', { exit: 5 })),
    );
    return {
      call,
      async end(error) {
        release();
        // What is wrong with the call itself is so when it is called again: nothing is kept for that.
        const { exit } = error instanceof FlavourError ? error : { exit: 2 };
        await call.close(exit === 5 ? 'stopped' : exit === 3 ? 'failed' : 'done');
        queue.close();
      },
    };
  } catch (error) {
    queue.close();
    throw redisError(error);
  }
}
