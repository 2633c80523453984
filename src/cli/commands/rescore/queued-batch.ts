import { canonicalDigest } from '../../../io/canonical.js';
import { lineFeeds } from '../../../io/lines.js';
import type { Blob } from '../../../queue/blobs.js';
import type { QueueCall } from '../../../queue/call.js';
import { contentBytes, type LoadedWork, loadedWork, workKey } from '../../../responses/batch/part-content.js';
import { donePart, keepPart, planDigest } from '../../../responses/batch/part-folder.js';
import type { PartCounts } from '../../../responses/batch/part-sink.js';
import type { PartSource } from '../../../responses/batch/part-source.js';
import type { RangeMemory } from '../../../responses/batch/range-lines.js';
import type { PartDone, PartScorerStart } from '../../../responses/batch/score-part.js';
import { sentPart } from '../../../responses/batch/sent-part.js';
import { FlavourError, fail, failure } from '../../../util/error.js';
import { counted } from '../../../util/format.js';
import { openCalled, thisProgram } from '../../queue/open-queue.js';
import type { QueueFlags } from '../../queue/queue-options.js';
import { rescoreOpening } from '../../queue/rescore-hand.js';
import type { PartsElsewhere } from './batch.js';
import { unitsDigest } from './batch-folder.js';

/** Parts under way at least: enough for workers that come later. */
const LEAST = 4;

const PENDING = Symbol('pending');

/** Memory that grows as it is asked for, keeping what stands in it. */
function growing(): RangeMemory {
  let held = new Uint8Array(0);
  return {
    room(bytes) {
      if (bytes > held.length) {
        const more = new Uint8Array(bytes);
        more.set(held);
        held = more;
      }
      return held;
    },
    lineFeeds,
  };
}

/** Digest that every part of a batch hangs on. */
function scoringDigest({ tasks, known, plan, folder }: PartScorerStart): string {
  if (folder) return folder.planDigest;
  const { version, kernels } = thisProgram();
  return planDigest(tasks, new Set(known), plan, { version, kernels, parser: plan.parser, format: 'jsonl' });
}

/** Names the parts that failed however often they were tried. Errors: PARTS_FAILED where there are any. */
function assertNoneFailed(failed: readonly string[], done: number): void {
  if (failed.length === 0) return;
  const [named, more] = [failed.slice(0, 5).join('; '), failed.length > 5 ? `; and ${failed.length - 5} more` : ''];
  fail(
    'PARTS_FAILED',
    null,
    `${counted(failed.length, 'part')} failed, ${done} are done: ${named}${more}`,
    'See why in the log of that worker; called again with the same --out, only what failed is done anew.',
    { exit: 3 },
  );
}

/** A part under way or done; null where every try failed. */
type Asked = Promise<PartDone | null>;

/** Has the parts of a batch done by workers and yields them in their order; one that failed is passed over until all others are done. Errors: PARTS_FAILED. */
async function* queuedParts(
  source: PartSource,
  start: PartScorerStart,
  digest: string,
  call: QueueCall,
): AsyncGenerator<PartDone, void, undefined> {
  const { folder } = start;
  const memory = growing();
  const files = new Map<string, Promise<Blob>>();
  const failed: string[] = [];
  const line: Asked[] = [];
  let [asked, under, ended] = [0, 0, 0];
  let freed = (): void => {};

  async function ask(part: LoadedWork, key: string): Asked {
    const { id, name } = part;
    const { facts, bytes, file } = sentPart(part);
    // The memory is written anew for the next part.
    const packet = { facts, bytes: Object.fromEntries(Object.entries(bytes).map(([k, data]) => [k, data.slice()])) };
    try {
      if (file !== null && !files.has(file)) files.set(file, call.putFile(file));
      const done = await call.run({
        id: `${id}-${key.slice(0, 16)}`,
        name: `part ${id} of ${name}`,
        packet,
        files: file === null ? [] : [await files.get(file)!],
      });
      const { counts, record } = done.facts as { counts: PartCounts; record?: unknown };
      const kept = folder && keepPart(folder, { id, key }, record, done.bytes);
      ended += 1;
      return {
        ...{ id, bytes: contentBytes(part), counts: kept?.counts ?? counts, skipped: false },
        ...(kept ? { record: kept } : {}),
      };
    } catch (error) {
      if (!(error instanceof FlavourError) || error.code !== 'PART_FAILED') throw error;
      failed.push(error.message);
      return null;
    } finally {
      under -= 1;
      freed();
    }
  }

  for await (const work of source.parts()) {
    const part = await loadedWork(work, memory);
    const key = workKey(part, digest);
    const before = folder && donePart(folder, work.id, key);
    if (before) {
      const { id } = work;
      line.push(
        Promise.resolve({ id, bytes: contentBytes(part), counts: before.counts, record: before, skipped: true }),
      );
    } else {
      under += 1;
      asked += 1;
      call.expect(asked);
      const done = ask(part, key);
      done.catch(() => {});
      line.push(done);
    }
    // Not more are under way than workers can do soon, so that memory is bounded, ours and that of Redis.
    while (under >= Math.max(LEAST, 2 * call.hands() + 2))
      await new Promise<void>((resolve) => {
        freed = resolve;
      });
    for (; line.length > 0; line.shift()) {
      const done = await Promise.race([line[0]!, PENDING]);
      if (done === PENDING) break;
      if (done !== null) yield done as PartDone;
    }
  }
  for (const next of line) {
    const done = await next;
    if (done) yield done;
  }
  assertNoneFailed(failed, ended);
}

/** Has a batch done by workers over Redis. */
export function queuedBatch(flags: QueueFlags & { readonly redis: string }): PartsElsewhere {
  let workers = 0;
  let did = 0;
  return {
    who: () => counted(workers, 'worker'),
    did: () => ({ backend: 'wasm', threads: did, reason: 'workers over Redis', warnings: [] }),
    async *score(source, start) {
      const digest = scoringDigest(start);
      const batch = { rescore: digest, folder: start.folder !== undefined, units: await unitsDigest(source.units) };
      const { call, end } = await openCalled(flags, async ({ blobs }) => ({
        id: canonicalDigest({ ...batch, store: blobs.share }).slice(0, 16),
        ...{ kind: 'rescore', name: 'rescore', keep: false },
        opening: { facts: rescoreOpening(start), bytes: {} },
        onState(state) {
          workers = state.workers.length;
        },
      }));
      let met: unknown = failure('ABORTED', null, 'the batch ended before its parts');
      try {
        yield* queuedParts(source, start, digest, call);
        met = undefined;
        did = call.did.size;
      } catch (error) {
        met = error;
        throw error;
      } finally {
        await end(met);
      }
    },
  };
}
