import { hostname } from 'node:os';
import type { Redis } from 'ioredis';
import { type Blobs, openBlobs, sharedFolder } from '../../queue/blobs.js';
import type { CallOptions, CallProgress, QueueCall } from '../../queue/call.js';
import { openCall } from '../../queue/open-call.js';
import { type Program, programText } from '../../queue/program.js';
import { openRedis, type QueuePackages, queuePackages } from '../../queue/redis.js';
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

/** Opens the Redis that a call names. Errors: USAGE, QUEUE_UNAVAILABLE, REDIS_UNREACHABLE, REDIS_REFUSED, REDIS_UNFIT; INPUT_NOT_FOUND for --store. */
export async function openQueue({ redis: url, store }: QueueFlags & { readonly redis: string }): Promise<OpenQueue> {
  const place = redisPlace(url, process.env.FLAVOURBENCH_REDIS_PASSWORD);
  const folder = store === undefined ? null : sharedFolder(store);
  const packages = await queuePackages();
  const redis = await openRedis(packages, place);
  return {
    packages,
    redis,
    blobs: openBlobs(redis, folder),
    program: thisProgram(),
    close: () => redis.disconnect(),
  };
}

/** Seconds for which nobody is missed. */
const PATIENCE_MS = 3000;

/** Says, once each, that no worker does the parts of a call, and which workers cannot. */
function workerNotes(): (progress: CallProgress) => void {
  const begun = performance.now();
  const named = new Set<string>();
  let missed = false;
  return ({ workers, others }) => {
    for (const { id, host, pid, program, share } of others) {
      if (named.has(id)) continue;
      named.add(id);
      const sees = share === null ? '' : ' and another shared folder';
      printNote(`worker ${pid} on ${host} does no part of this call: it is ${programText(program)}${sees}`);
    }
    if (missed || workers.length > 0 || performance.now() - begun < PATIENCE_MS) return;
    missed = true;
    printNote('no worker is there yet; start some with `flavourbench worker` and the same --redis and --store');
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
  const notes = workerNotes();
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
        const stopped = error instanceof FlavourError && error.exit === 5;
        await call.close(error === undefined ? 'done' : stopped ? 'stopped' : 'failed');
        queue.close();
      },
    };
  } catch (error) {
    queue.close();
    throw error;
  }
}
