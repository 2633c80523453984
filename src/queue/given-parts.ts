import type { Job, Queue } from 'bullmq';
import { fail, failure } from '../util/error.js';
import type { Blob } from './blobs.js';
import type { AskedPart, CallOptions } from './call.js';
import { type Packet, packed, unpacked } from './packet.js';
import { type PartDoneJob, type PartJob, partDone, TRIES } from './part-job.js';
import { programText, sameProgram } from './program.js';
import type { RoomOptions, WithRoom } from './redis-room.js';
import { sentError } from './sent-error.js';

/** For how long the queue keeps parts that nobody asks for any more: a week, in seconds. */
const KEPT = { age: 7 * 86_400 };

export type PartQueue = Queue<PartJob, PartDoneJob>;

interface Waiting {
  readonly part: AskedPart;
  readonly input: Blob | null;
  resolve(packet: Packet): void;
  reject(error: unknown): void;
}

interface GivenPartsOptions extends Pick<CallOptions, 'blobs' | 'program' | 'id' | 'keep'> {
  readonly queue: PartQueue;
  readonly room: WithRoom;
  readonly until: RoomOptions['until'];
  /** What ended the call, once something did. */
  broken(): unknown;
  /** A part that the queue does not know any more may be one of a cancelled call. Errors: CALL_CANCELLED. */
  assertNotCancelled(): Promise<void>;
}

/** Parts of a call that were given to the queue, and what came of them. */
export interface GivenParts {
  /** How many are waited for. */
  readonly waiting: number;
  readonly done: number;
  /** Names of those that failed. */
  readonly failed: readonly string[];
  /** Ids of the workers that did something. */
  readonly did: ReadonlySet<string>;
  /** When one ended last, by `performance.now`. */
  readonly lastEnd: number;
  /** Gives a part out, or takes over what the same call gave out before. Errors: those of `QueueCall.run`. */
  run(part: AskedPart): Promise<Packet>;
  /** Takes back those that ended. Errors: QUEUE_LOST, CALL_CANCELLED, WORKER_DIFFERS; those of reading what was sent. */
  look(): Promise<void>;
  /** Rejects all that are waited for. */
  reject(error: unknown): void;
  /** Keeps a blob until the call is done. */
  keepBlob(blob: Blob): void;
  /** Takes back what was given out and is not done; with `all`, forgets what was kept too. */
  forget(all: boolean): Promise<void>;
}

/** Opens the parts of a call. */
export function givenParts(options: GivenPartsOptions): GivenParts {
  const { blobs, program, id, keep, queue, room, until } = options;
  const waiting = new Map<string, Waiting>();
  /** Inputs of parts that were given out and not taken back, by their jobs. */
  const out = new Map<string, Blob | null>();
  const kept: { jobs: string[]; blobs: Blob[] } = { jobs: [], blobs: [] };
  const did = new Set<string>();
  const failed: string[] = [];
  let done = 0;
  let lastEnd = performance.now();

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
    const error = sentError(facts, part.name);
    if (error) reject(error);
    else resolve({ facts, bytes });
  }

  async function add({ name: called, packet, files = [], id: part }: AskedPart, jobId: string): Promise<Blob | null> {
    const input = packet === null ? null : await room(() => blobs.put(id, packed(packet)));
    await room(() =>
      queue.add(
        called,
        { call: id, part, input, files },
        { jobId, attempts: TRIES, removeOnComplete: KEPT, removeOnFail: KEPT },
      ),
    );
    return input;
  }

  /** A part that a worker is doing cannot be taken back; what comes of it is kept for the same call, or falls away with it. */
  async function remove(jobId: string): Promise<boolean> {
    const job = await queue.getJob(jobId);
    return (
      job?.remove().then(
        () => true,
        () => false,
      ) ?? true
    );
  }

  return {
    did,
    failed,
    get waiting() {
      return waiting.size;
    },
    get done() {
      return done;
    },
    get lastEnd() {
      return lastEnd;
    },
    async run(part) {
      if (options.broken() !== undefined) throw options.broken();
      const jobId = `${id}-${part.id}`;
      const before = await until(queue.getJob(jobId));
      const whole =
        before !== undefined &&
        (before.finishedOn === undefined ||
          ((before.returnvalue as PartDoneJob | null) !== null && (await blobs.has(id, before.returnvalue.result))));
      if (before !== undefined && !whole) await until(before.remove());
      const input = whole ? before.data.input : await add(part, jobId);
      return new Promise((resolve, reject) => {
        if (options.broken() !== undefined) reject(options.broken());
        else waiting.set(jobId, { part, input, resolve, reject });
        out.set(jobId, input);
      });
    },
    async look() {
      const ids = [...waiting.keys()];
      const jobs = await Promise.all(ids.map((jobId) => queue.getJob(jobId)));
      for (const [i, job] of jobs.entries()) {
        const asked = waiting.get(ids[i]!);
        if (asked === undefined) continue;
        if (job === undefined) await options.assertNotCancelled();
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
    },
    reject(error) {
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    },
    keepBlob(blob) {
      kept.blobs.push(blob);
    },
    async forget(all) {
      for (const [jobId, input] of out)
        if (((await remove(jobId)) || all) && input !== null) await blobs.drop(id, [input]);
      if (!all) return;
      for (const jobId of kept.jobs) await remove(jobId);
      await blobs.drop(id, kept.blobs);
    },
  };
}

/** Says why a part failed, of what the queue says. */
function reasonOf(reason: string | undefined): string {
  if (reason === undefined || reason === '') return 'no reason is known';
  return reason.startsWith('job stalled') ? 'the worker that did it was lost each time' : reason;
}
