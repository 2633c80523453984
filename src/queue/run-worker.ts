import { randomUUID } from 'node:crypto';
import type { Job } from 'bullmq';
import type { Redis } from 'ioredis';
import { fail } from '../util/error.js';
import type { Blob, Blobs } from './blobs.js';
import { callState, type Host, openCalls, type WorkerState } from './board.js';
import type { Hand, Opening } from './hand.js';
import { type Packet, packed, unpacked } from './packet.js';
import { type PartDoneJob, type PartJob, partJob, TRIES } from './part-job.js';
import { misfit, type Program } from './program.js';
import { memoryFull, type QueuePackages, redisTime } from './redis.js';
import { callKey, PREFIX, queueName, WORKERS } from './redis-keys.js';
import { stored, storedBlob } from './stored.js';

/** What becomes of a worker and its parts. */
export interface WorkerEvent {
  readonly event: 'ready' | 'begun' | 'done' | 'failed' | 'late' | 'refused' | 'cancelled';
  readonly call?: string;
  readonly part?: string;
  readonly name?: string;
  readonly seconds?: number;
  readonly reason?: string;
}

export interface WorkerOptions {
  readonly packages: QueuePackages;
  readonly redis: Redis;
  readonly blobs: Blobs;
  readonly program: Program;
  /** Parts that it does at a time, each in a process of its own. */
  readonly hands: number;
  /** Milliseconds after which a worker that is not heard of is taken for lost. */
  readonly lostAfter: number;
  readonly host: Host;
  /** Where files that parts read are kept. */
  readonly scratch: string;
  openHand(): Hand;
  log(event: WorkerEvent): void;
  /** Ends it: parts under way are done, no other is begun. They are given up where Redis is away. */
  readonly signal: AbortSignal;
}

const BEAT_MS = 1000;
/** Milliseconds for which a worker that was told to end waits for a Redis that is away. */
const AWAY_MS = 5000;
/** Milliseconds for which a result waits for memory of Redis. */
const ROOM_MS = 60_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/** Waits until a connection did not stand for so long, or nobody waits any more. */
async function awayFor(redis: Redis, ms: number, over: () => boolean): Promise<void> {
  for (let since = performance.now(); performance.now() - since < ms && !over(); await pause(250))
    if (redis.status === 'ready') since = performance.now();
}

/** Does parts of calls until it is told to end. Errors: WORKER_DIFFERS where calls wait, all of them for another program or folder. */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const { packages, redis, blobs, program, hands, lostAfter, host, scratch, log, signal } = options;
  const share = blobs.share;
  const lockDuration = lostAfter / 2;
  const id = `${host.host}-${host.pid}-${randomUUID().slice(0, 4)}`;
  const refused = new Set<string>();

  /** Names the calls that this worker does nothing of, each once; returns what stands against all of them. */
  async function refuse(): Promise<string | undefined> {
    const calls = (await openCalls(redis)).filter(({ state }) => state === 'running');
    const against = calls.map((call) => ({ call, why: misfit(call, { program, share }) }));
    for (const { call, why } of against) {
      if (why === undefined || refused.has(call.id)) continue;
      refused.add(call.id);
      log({ event: 'refused', call: call.id, name: call.name, reason: why });
    }
    return against.every(({ why }) => why !== undefined)
      ? against[0] && `call ${against[0].call.id} (${against[0].call.name}) waits: ${against[0].why}`
      : undefined;
  }
  const against = await refuse();
  if (against !== undefined)
    fail(
      'WORKER_DIFFERS',
      null,
      against,
      'Start the worker from the same release of flavourbench as the call, with the same --store folder.',
    );

  const free: Hand[] = Array.from({ length: hands }, () => options.openHand());
  const doing = new Map<string, { call: string; part: string; since: number; hand: Hand; late: boolean }>();
  let opening: Promise<Opening> | undefined;
  let opened: string | undefined;

  async function open(call: string): Promise<Opening> {
    const [kind, blob] = await redis.hmget(callKey(call), 'kind', 'opening');
    if (!kind || !blob) throw new packages.bullmq.UnrecoverableError('its call is over');
    const found = stored(storedBlob, blob, callKey(call));
    return { call, kind, packet: unpacked(await blobs.get(call, found), found.sha256) };
  }

  async function keep(call: string, packet: Packet): Promise<Blob> {
    // What comes after the end of its call is nobody's.
    if ((await callState(redis, call)) === undefined) throw new packages.bullmq.UnrecoverableError('its call is over');
    for (const begun = performance.now(); ; await pause(500)) {
      try {
        return await blobs.put(call, packed(packet));
      } catch (error) {
        if (!memoryFull(error) || performance.now() - begun > ROOM_MS) throw error;
      }
    }
  }

  /** Says once that a part is not this worker's any more: it was not heard of for too long. */
  function late(job: string): void {
    const held = doing.get(job);
    if (held === undefined || held.late) return;
    held.late = true;
    log({ event: 'late', call: held.call, part: held.part });
  }

  async function work(job: Job<PartJob, PartDoneJob>, token?: string): Promise<PartDoneJob> {
    const { call, part, input, files } = partJob(job.data);
    const { name } = job;
    const begun = performance.now();
    const seconds = (): number => Math.round(performance.now() - begun) / 1000;
    const hand = free.pop()!;
    const state = await callState(redis, call);
    try {
      if (state === undefined || state.state === 'cancelled')
        throw new packages.bullmq.UnrecoverableError('its call is over');
      if (misfit(state, { program, share }) !== undefined)
        throw new packages.bullmq.UnrecoverableError('it is a part for another program');
      if (opened !== call) {
        opened = call;
        opening = open(call);
        opening.catch(() => {
          opened = undefined;
        });
      }
      doing.set(job.id!, { call, part, since: await redisTime(redis), hand, late: false });
      log({ event: 'begun', call, part, name });
      const packet = input === null ? null : unpacked(await blobs.get(call, input), input.sha256);
      const paths: string[] = [];
      for (const file of files) paths.push(await blobs.path(call, file, scratch));
      const made = await hand.work(await opening!, { packet, files: paths });
      // What comes too late is not kept: nobody would take it away again.
      if ((await job.extendLock(token!, lockDuration)) === 0) {
        late(job.id!);
        throw new packages.bullmq.UnrecoverableError('it came too late');
      }
      const result = await keep(call, made);
      log({ event: 'done', call, part, name, seconds: seconds() });
      return { result, program, worker: id, seconds: seconds() };
    } catch (error) {
      if (!doing.get(job.id!)?.late)
        log({ event: 'failed', call, part, name, seconds: seconds(), reason: (error as Error).message });
      throw error;
    } finally {
      doing.delete(job.id!);
      free.push(hand);
    }
  }

  const worker = new packages.bullmq.Worker<PartJob, PartDoneJob>(queueName(program, share), work, {
    ...{ connection: redis, prefix: PREFIX, name: id, concurrency: hands },
    ...{
      lockDuration,
      stalledInterval: lockDuration,
      maxStalledCount: TRIES - 1,
      runRetryDelay: BEAT_MS,
    },
  });
  worker.on('error', () => {});
  worker.on('lockRenewalFailed', (jobs) => {
    for (const job of jobs) late(job);
  });

  async function beat(): Promise<void> {
    const now = await redisTime(redis);
    const said: WorkerState = {
      ...{ id, ...host, program, share, hands, heardAt: now },
      doing: [...doing.values()].map(({ call, part, since }) => ({ call, part, since })),
    };
    await redis.hset(WORKERS, id, JSON.stringify(said));
    await refuse();
    for (const { call, part, hand } of doing.values()) {
      const state = await callState(redis, call);
      if (state !== undefined && state.state !== 'cancelled') continue;
      log({ event: 'cancelled', call, part });
      hand.end();
    }
  }
  await worker.waitUntilReady();
  log({ event: 'ready' });
  let ended = false;
  const stop = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const beating = (async () => {
    while (!ended) {
      // A Redis that is away or full for a while is no reason to end.
      await beat().catch(() => {});
      await pause(BEAT_MS);
    }
  })();
  await stop;
  await Promise.race([worker.pause(), awayFor(redis, AWAY_MS, () => ended)]);
  ended = true;
  await Promise.race([worker.close(true), pause(BEAT_MS)]);
  await Promise.race([beating, pause(BEAT_MS)]);
  for (const hand of [...free, ...[...doing.values()].map((part) => part.hand)]) hand.end();
  if (redis.status === 'ready') await redis.hdel(WORKERS, id);
}
