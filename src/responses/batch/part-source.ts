import { createHash } from 'node:crypto';
import type { InputFile } from '../../io/envelope.js';
import { lineFeeds } from '../../io/lines.js';
import { inputFileAt } from '../../io/read-file.js';
import { fail } from '../../util/error.js';
import type { Shard } from '../../util/shard.js';
import { openStream, packing } from './byte-stream.js';
import { PART_BYTES, shardUnits, type Unit, unitsOf } from './input-units.js';
import type { LineCounts, PartWork } from './part-work.js';
import { streamWork } from './stream-parts.js';

/** Which parts are made. */
export interface PartSourceOptions {
  /** Files, pipes and standard input (`-`), in their order. */
  readonly inputs: readonly string[];
  /** Takes the digests of files of columns, which are part of what identifies their parts. */
  readonly keyed: boolean;
  readonly shard?: Shard | undefined;
  /** Bytes of a part of a file of lines; 16 MiB unless given. */
  readonly partBytes?: number | undefined;
}

/** The parts of a batch, and what is known of its inputs. */
export interface PartSource {
  /** Bytes of the inputs that are read for these parts; what comes through a pipe counts nothing. */
  readonly bytes: number;
  /** Whether the parts come to as many bytes: those of a packed file come to more, and nobody knows what comes through a pipe. */
  readonly sized: boolean;
  /** Units of all shares: equal for the shards of one batch. */
  readonly units: readonly Unit[];
  parts(): AsyncGenerator<PartWork, void, undefined>;
  /** The inputs by their digests, once all parts were read. */
  inputs(): InputFile[];
}

const idOf = (place: number): string => String(place).padStart(6, '0');

/** Counts the lines before a range of a file, which another share of the batch reads. */
async function countBefore(name: string, from: number): Promise<number> {
  const input = openStream(name, () => {});
  let left = from - 1;
  let feeds = 1;
  try {
    for await (const piece of input.bytes()) {
      feeds += lineFeeds(piece, 0, Math.min(left, piece.length));
      left -= piece.length;
      if (left <= 0) return feeds;
    }
  } finally {
    input.close();
  }
  return feeds;
}

/** Tells whether the parts of a unit come to its bytes. */
function isSized({ name, bytes, work }: Unit): boolean {
  if (work.form !== 'stream') return true;
  if (bytes === 0) return false;
  const input = openStream(name, () => {});
  input.close();
  return packing(input.head) === undefined;
}

/** Lists the units of the inputs and makes parts of them as they are asked for. Errors: USAGE for a pipe of which a share is asked; those of reading. */
export async function openPartSource(options: PartSourceOptions): Promise<PartSource> {
  const { inputs, keyed, shard, partBytes = PART_BYTES } = options;
  const units: Unit[] = [];
  for (const name of inputs) for (const unit of await unitsOf(name, partBytes)) units.push(unit);
  if (shard && units.some(({ work, bytes }) => work.form === 'stream' && bytes === 0))
    fail(
      'USAGE',
      null,
      '--shard does not go with a pipe or standard input',
      'Give files: each shard reads its own share of them.',
    );
  const chosen = shardUnits(units, shard ?? { index: 1, count: 1 });
  const streamed = new Map<string, InputFile>();
  const digests = new Map<string, string>();
  const digestOf = (name: string): string => {
    if (!keyed) return '';
    const digest = digests.get(name) ?? inputFileAt('responses', name).sha256;
    digests.set(name, digest);
    return digest;
  };
  const feedsOf = new Map<string, LineCounts>();
  const openFeeds = async (name: string, place: number, ranges: number, from: number): Promise<LineCounts> => {
    const known = feedsOf.get(name);
    if (known) return known;
    const feeds = new Int32Array(new SharedArrayBuffer(4 * ranges)).fill(-1) as LineCounts;
    feeds.fill(0, 0, place);
    if (place > 0) feeds[0] = await countBefore(name, from);
    feedsOf.set(name, feeds);
    return feeds;
  };

  async function* stream(name: string, place: number): AsyncGenerator<PartWork, void, undefined> {
    const hash = createHash('sha256');
    let bytes = 0;
    const input = openStream(name, (piece) => {
      bytes += piece.length;
      hash.update(piece);
    });
    try {
      let piece = 0;
      for await (const work of streamWork(input.bytes(), name, partBytes)) {
        yield { id: `${idOf(place)}-${idOf(piece)}`, ...work } as PartWork;
        piece += 1;
      }
    } finally {
      input.close();
    }
    streamed.set(name, { role: 'responses', sha256: hash.digest('hex'), bytes });
  }

  return {
    bytes: chosen.reduce((sum, { unit }) => sum + unit.bytes, 0),
    sized: chosen.every(({ unit }) => isSized(unit)),
    units,
    async *parts() {
      for (const { unit, place } of chosen) {
        const { name, work, bytes } = unit;
        if (work.form === 'stream') yield* stream(name, place);
        else if (work.form === 'range') {
          const { from, to, ranges } = work;
          const feeds = await openFeeds(name, work.place, ranges, from);
          yield { id: idOf(place), name, form: 'range', path: name, from, to, place: work.place, feeds };
        } else {
          const { form, some } = work;
          yield { id: idOf(place), name, form, path: name, bytes, sha256: digestOf(name), ...(some ? { some } : {}) };
        }
      }
    },
    inputs: () => inputs.map((name) => streamed.get(name) ?? inputFileAt('responses', name)),
  };
}
