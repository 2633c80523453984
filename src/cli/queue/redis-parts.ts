import type { Command } from 'commander';
import { canonicalDigest } from '../../io/canonical.js';
import { sha256 } from '../../io/digest.js';
import { callState, liveWorkers } from '../../queue/board.js';
import type { QueueCall } from '../../queue/call.js';
import { callDigest, readPart } from '../../shares/part-document.js';
import type { PlacedPart } from '../../shares/shares.js';
import { FlavourError, fail } from '../../util/error.js';
import { counted } from '../../util/format.js';
import { drawProgress } from '../progress.js';
import { callWords } from '../sharing/call-words.js';
import { assertShards } from '../sharing/merged-shards.js';
import { type CallPart, partsOf } from '../sharing/placed-call.js';
import { openCalled } from './open-queue.js';
import type { QueueFlags } from './queue-options.js';
import { type CallOpening, type ShippedCall, shippedCall } from './shipped-call.js';

/** Parts of a call: so many of each that a worker does at a time, for some are slower than others. */
const PARTS_EACH = 4;
/** And so many where a part costs little beside what is shared out: the last ones leave less to wait for. */
const SMALL_PARTS_EACH: Readonly<Record<string, number>> = { coverage: 8, maps: 8, power: 8 };
const [LEAST, MOST] = [8, 512];

/** Says an error of a part with the paths that the call named. */
function ownPaths(error: unknown, { places }: ShippedCall): unknown {
  if (!(error instanceof FlavourError)) return error;
  const own = (text: string): string =>
    places.reduce((said, [place, path]) => said.replaceAll(place, path), text).replace(/--shard\b/g, '--redis');
  const { code, message, hint, where, exit } = error;
  const file = where?.file === undefined ? {} : { file: own(where.file) };
  return new FlavourError(code, own(message), {
    ...(hint === undefined ? {} : { hint: own(hint) }),
    ...(where === undefined ? {} : { where: { ...where, ...file } }),
    exit,
  });
}

/** Has all parts done; those that fail are named once all others are done. Errors: PARTS_FAILED; those of a part. */
async function doneParts(parts: readonly CallPart[], call: QueueCall): Promise<Uint8Array[]> {
  call.expect(parts.length);
  const done = await Promise.allSettled(
    parts.map(({ shard }) =>
      call.run({
        id: `${shard.index}-of-${shard.count}`,
        name: `part ${shard.index} of ${shard.count}`,
        packet: { facts: shard, bytes: {} },
      }),
    ),
  );
  const failed: string[] = [];
  const made = done.flatMap((part) => {
    if (part.status === 'fulfilled') {
      const bytes = part.value.bytes.part;
      if (bytes === undefined) fail('PART_INVALID', null, 'a part came back without its share', 'Call again.');
      return [bytes];
    }
    if (!(part.reason instanceof FlavourError) || part.reason.code !== 'PART_FAILED') throw part.reason;
    failed.push(part.reason.message);
    return [];
  });
  if (failed.length === 0) return made;
  fail(
    'PARTS_FAILED',
    null,
    `${counted(failed.length, 'part')} failed, ${made.length} are done: ${failed.slice(0, 5).join('; ')}`,
    'See why in the log of that worker; called again, only what failed is done anew.',
    { exit: 3 },
  );
}

/** Reads the parts and holds them against each other. Errors: those of `readPart` and `assertShards`. */
function readParts(parts: readonly Uint8Array[]): PlacedPart[] {
  const read = parts.map((bytes, k) => {
    const file = `part ${k + 1} of ${parts.length}`;
    return { file, part: readPart(bytes, file) };
  });
  assertShards(read.map(({ file, part }) => ({ path: file, shard: part.shard, done: true, work: callDigest(part) })));
  return read;
}

/** Has the parts of a call done by workers over Redis; returns them as its shards write them. Errors: those of `openCalled`, PARTS_FAILED, and those of a part. */
export async function redisParts(
  flags: QueueFlags & { readonly redis: string },
  command: Command,
): Promise<readonly PlacedPart[]> {
  const shipped = shippedCall(callWords(command));
  const { call: words, files } = shipped;
  const threads = command.options.some(({ long }) => long === '--threads') ? ['--threads', '1'] : [];
  const backend = command.options.some(({ long }) => long === '--backend') ? ['--backend', 'wasm'] : [];
  const facts: CallOpening = { call: words, more: [...threads, ...backend] };
  const digests = Object.entries(files).map(([path, bytes]) => [path, sha256(bytes)]);
  let count = 0;
  const { call, end } = await openCalled(flags, async ({ redis, blobs, program }) => {
    const id = canonicalDigest({ words, digests, program, store: blobs.share }).slice(0, 16);
    const before = await callState(redis, id);
    const hands = (await liveWorkers(redis)).reduce((sum, worker) => sum + worker.hands, 0);
    const wanted = hands * (SMALL_PARTS_EACH[words[0]!] ?? PARTS_EACH);
    // What was done before is taken over only in parts of the same size.
    count = before && before.parts > 0 ? before.parts : Math.min(MOST, Math.max(LEAST, wanted));
    return {
      ...{ id, kind: 'call', name: words.join(' ').slice(0, 60), keep: true, opening: { facts, bytes: files } },
      onState({ done, parts, workers }) {
        drawProgress(`${done}/${parts} parts, ${counted(workers.length, 'worker')}`);
      },
    };
  });
  let met: unknown;
  try {
    return readParts(await doneParts(partsOf(words, count), call));
  } catch (error) {
    met = ownPaths(error, shipped);
    throw met;
  } finally {
    await end(met);
  }
}
