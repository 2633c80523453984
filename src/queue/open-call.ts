import type { Job, Queue } from 'bullmq';
import { z } from 'zod';
import { FlavourError, fail, failure } from '../util/error.js';
import { attend } from './attendance.js';
import type { Blob } from './blobs.js';
import { callState, liveWorkers, type WorkerState } from './board.js';
import type { AskedPart, CallOptions, QueueCall } from './call.js';
import { type Packet, packed, unpacked } from './packet.js';
import { type PartDoneJob, type PartJob, partDone, TRIES } from './part-job.js';
import { misfit, programText, sameProgram } from './program.js';
import { memoryFull, redisError, redisTime } from './redis.js';
import { CALLS, callKey, PREFIX, queueName } from './redis-keys.js';
import { asStored } from './stored.js';

interface Waiting {
  readonly part: AskedPart;
  readonly input: Blob | null;
  resolve(packet: Packet): void;
  reject(error: unknown): void;
}

/** For how long the queue keeps parts that nobody asks for any more: a week, in seconds. */
const KEPT = { age: 7 * 86_400 };

/** Milliseconds between two looks at parts under way, least and most: a look at long ones takes processors from whoever does them. */
const LOOK_MS = { least: 50, most: 500 };
/** Of the time since a part ended, so much passes until the next look. */
const LOOK_SHARE = 1 / 40;

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms).unref());

/** What came of a part: facts of its command, or what it failed with. An error is never sent as a success. */
const sentFacts = z.looseObject({
  error: z
    .object({
      code: z.string().regex(/^[A-Z][A-Z_]*$/, { error: 'the code of an error expected' }),
      message: z.string(),
      hint: z.string().optional(),
      where: z
        .object({
          ...{ file: z.string().optional(), path: z.string().optional() },
          ...{ line: z.number().optional(), column: z.number().optional(), row: z.number().optional() },
        })
        .nullish(),
      exit: z.literal([2, 3, 4, 5, 6]),
    })
    .optional(),
});

/** Opens a call, or takes over one that was stopped. Errors: CALL_BUSY; REDIS_FULL. */
export async function openCall(options: CallOptions): Promise<QueueCall> {
  const { packages, redis, blobs, program, id, kind, name, caller, opening, keep, lostAfter } = options;
  const share = blobs.share;
  const queue: Queue<PartJob, PartDoneJob> = new packages.bullmq.Queue(queueName(program, share), {
    connection: redis,
    prefix: PREFIX,
  });
  queue.on('error', () => {});
  const waiting = new Map<string, Waiting>();
  /** Inputs of parts that were given out and not taken back, by their jobs. */
  const out = new Map<string, Blob | null>();
  const did = new Set<string>();
  const failed: string[] = [];
  const kept: { jobs: string[]; blobs: Blob[] } = { jobs: [], blobs: [] };
  let workers: readonly WorkerState[] = [];
  let done = 0;
  let parts = 0;
  let broken: unknown;
  let closed = false;
  let lastEnd = performance.now();
  let downSince: number | undefined;

  let breakOff: (error: unknown) => void = () => {};
  const off = new Promise<never>((_, reject) => {
    breakOff = reject;
  });
  off.catch(() => {});
  const giveUp = (error: unknown): void => {
    broken ??= redisError(error);
    breakOff(broken);
    for (const { reject } of waiting.values()) reject(broken);
    waiting.clear();
  };
  const until = <T>(work: Promise<T>): Promise<T> => Promise.race([work, off]);

  /** Does something that needs memory of Redis, and waits for parts to end while there is none. */
  async function withRoom<T>(work: () => Promise<T>): Promise<T> {
    for (let begun = performance.now(); ; await pause(250)) {
      try {
        return await until(work());
      } catch (error) {
        if (!memoryFull(error)) throw error;
        if (performance.now() - Math.max(begun, lastEnd) > lostAfter)
          fail(
            'REDIS_FULL',
            null,
            'Redis has no memory left (maxmemory), and no part ends that would give some back',
            'Raise its maxmemory, or give a folder that all machines see with --store; then call again: it goes on where it stood.',
            { exit: 5 },
          );
      }
    }
  }

  const onClose = (): void => {
    downSince ??= performance.now();
  };
  const onReady = (): void => {
    downSince = undefined;
  };
  redis.on('close', onClose);
  redis.on('ready', onReady);

  const place = await withRoom(() => attend(redis, id, caller));
  const head = { name, program, share, caller, begun: await redisTime(redis) };
  await withRoom(async () => {
    const blob = await blobs.put(id, packed(opening));
    kept.blobs.push(blob);
    await redis.hset(callKey(id), {
      head: JSON.stringify(head),
      kind,
      opening: JSON.stringify(blob),
      state: 'running',
      ...{ parts: 0, done: 0, failed: '[]' },
    });
    await redis.sadd(CALLS, id);
  });

  /** Takes what came of a part that ended. */
  async function take(job: Job<PartJob, PartDoneJob>, { part, input, resolve, reject }: Waiting): Promise<void> {
    lastEnd = performance.now();
    const value = partDone(job.returnvalue);
    if (value === null) {
      failed.push(part.name);
      const tries = Math.max(job.attemptsMade, 1 + (job.stalledCounter ?? 0));
      reject(failure('PART_FAILED', null, `${part.name}, tried ${tries} times: ${reasonOf(job.failedReason)}`));
      return;
    }
    if (!sameProgram(value.program, program))
      fail(
        'WORKER_DIFFERS',
        null,
        `${part.name} was done by ${programText(value.program)}`,
        'Start workers of one release.',
      );
    const { facts, bytes } = unpacked(await blobs.get(id, value.result), value.result.sha256);
    did.add(value.worker);
    done += 1;
    const used = [value.result, ...(input ? [input] : [])];
    if (keep) {
      kept.jobs.push(job.id!);
      kept.blobs.push(...used);
    } else {
      await job.remove();
      await blobs.drop(id, used);
    }
    const { error } = asStored(sentFacts, facts, part.name);
    if (error) {
      const { code, message, where, ...more } = error;
      reject(new FlavourError(code, message, { ...more, ...(where ? { where } : {}) }));
    } else resolve({ facts, bytes });
  }

  async function assertNotCancelled(): Promise<void> {
    if ((await redis.hget(callKey(id), 'state')) === 'cancelled')
      fail('CALL_CANCELLED', null, `call ${id} was cancelled`, 'Call again to have it done after all.', { exit: 5 });
  }

  async function look(): Promise<void> {
    const ids = [...waiting.keys()];
    const jobs = await Promise.all(ids.map((jobId) => queue.getJob(jobId)));
    for (const [i, job] of jobs.entries()) {
      const asked = waiting.get(ids[i]!);
      if (asked === undefined) continue;
      if (job === undefined) await assertNotCancelled();
      if (job === undefined)
        fail(
          'QUEUE_LOST',
          null,
          `Redis no longer knows ${asked.part.name}: it was emptied, or restarted without what it held`,
          'Call again: it goes on where it stood. A Redis with appendonly yes loses nothing when it restarts.',
          { exit: 5 },
        );
      if (job.finishedOn === undefined) continue;
      waiting.delete(ids[i]!);
      out.delete(ids[i]!);
      await take(job, asked).catch((error) => {
        asked.reject(error);
        throw error;
      });
    }
  }

  async function tell(): Promise<void> {
    await place.renew();
    await assertNotCancelled();
    const all = await liveWorkers(redis);
    workers = all.filter((worker) => misfit({ program, share }, worker) === undefined);
    const others = all.filter((worker) => !workers.includes(worker));
    options.onState?.({ done, parts, workers, others });
    await redis.hset(callKey(id), { parts, done, failed: JSON.stringify(failed) });
  }

  async function watch(): Promise<void> {
    let renewed = Number.NEGATIVE_INFINITY;
    while (!closed && broken === undefined) {
      try {
        await until(look());
        if (performance.now() - renewed > 1000) {
          renewed = performance.now();
          await until(tell());
        }
      } catch (error) {
        // A Redis whose memory is full is asked again; what needs memory waits for it elsewhere.
        if (!memoryFull(error)) giveUp(error);
      }
      const long = Math.min(LOOK_MS.most, LOOK_SHARE * (performance.now() - lastEnd));
      await pause(Math.max(LOOK_MS.least, waiting.size, long));
    }
  }
  const clock = setInterval(() => {
    if (downSince !== undefined && performance.now() - downSince > lostAfter)
      giveUp(
        failure(
          'REDIS_LOST',
          null,
          `Redis has not answered for ${Math.round(lostAfter / 1000)} seconds`,
          'When it is there again, call again: it goes on where it stood.',
          { exit: 5 },
        ),
      );
  }, 250);
  const watching = watch();

  async function add({ name: called, packet, files = [], id: part }: AskedPart, jobId: string): Promise<Blob | null> {
    const input = packet === null ? null : await withRoom(() => blobs.put(id, packed(packet)));
    await withRoom(() =>
      queue.add(
        called,
        { call: id, part, input, files },
        { jobId, attempts: TRIES, removeOnComplete: KEPT, removeOnFail: KEPT },
      ),
    );
    return input;
  }

  return {
    did,
    expect(count) {
      parts = count;
    },
    stop: giveUp,
    hands: () => workers.reduce((sum, worker) => sum + worker.hands, 0),
    async putFile(path) {
      const blob = await withRoom(() => blobs.putFile(id, path));
      kept.blobs.push(blob);
      return blob;
    },
    async run(part) {
      if (broken !== undefined) throw broken;
      const jobId = `${id}-${part.id}`;
      const before = await until(queue.getJob(jobId));
      const whole =
        before !== undefined &&
        (before.finishedOn === undefined ||
          ((before.returnvalue as PartDoneJob | null) !== null && (await blobs.has(id, before.returnvalue.result))));
      if (before !== undefined && !whole) await until(before.remove());
      const input = whole ? before.data.input : await add(part, jobId);
      return new Promise((resolve, reject) => {
        if (broken !== undefined) reject(broken);
        else waiting.set(jobId, { part, input, resolve, reject });
        out.set(jobId, input);
      });
    },
    async close(how) {
      closed = true;
      clearInterval(clock);
      const tidy = async (): Promise<void> => {
        await watching;
        const remove = async (jobId: string): Promise<boolean> => {
          const job = await queue.getJob(jobId);
          // A part that a worker is doing cannot be taken back; what comes of it is kept for the same call, or falls away with it.
          return (
            job?.remove().then(
              () => true,
              () => false,
            ) ?? true
          );
        };
        const cancelled = (await callState(redis, id))?.state === 'cancelled';
        for (const [jobId, input] of out)
          if (((await remove(jobId)) || how === 'done' || cancelled) && input !== null) await blobs.drop(id, [input]);
        if (how === 'done' || cancelled) {
          for (const jobId of kept.jobs) await remove(jobId);
          await blobs.drop(id, kept.blobs);
          await blobs.dropAll(id);
          await redis.unlink(callKey(id));
          await redis.srem(CALLS, id);
        } else await redis.hset(callKey(id), { state: how, parts, done, failed: JSON.stringify(failed) });
        await place.leave();
      };
      if (redis.status === 'ready') await Promise.race([tidy().catch(() => {}), pause(5000)]);
      redis.off('close', onClose);
      redis.off('ready', onReady);
      await Promise.race([queue.close().catch(() => {}), pause(1000)]);
    },
  };
}

/** Says why a part failed, of what the queue says. */
function reasonOf(reason: string | undefined): string {
  if (reason === undefined || reason === '') return 'no reason is known';
  return reason.startsWith('job stalled') ? 'the worker that did it was lost each time' : reason;
}
