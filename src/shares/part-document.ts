import { z } from 'zod';
import { canonicalJson } from '../io/canonical.js';
import { sha256 } from '../io/digest.js';
import type { InputFile } from '../io/envelope.js';
import { fail } from '../util/error.js';
import { checked, sha256Text } from '../util/schema.js';
import { MOST_SHARDS, type Shard } from '../util/shard.js';
import { rangeOf } from './range.js';
import type { Piece } from './ranged-work.js';

const SCHEMA = 'flavourbench-part/1';

/** Bytes of the head of a part at most: its pieces are few, their numbers stand behind it. */
const MOST_HEAD = 64 * 2 ** 20;

const GIVE_SHARES = 'Give what --shard wrote.';
const AGAIN = 'Run the same shard again.';

const whole = z.number().int().min(0);

const headSchema = z.object({
  schema: z.literal(SCHEMA),
  version: z.string(),
  kernels_sha256: z.string(),
  call: z.array(z.string()).min(1).readonly(),
  inputs: z.array(z.object({ role: z.string(), sha256: sha256Text, bytes: whole })).readonly(),
  shard: z.object({ index: whole.min(1), count: whole.min(1).max(MOST_SHARDS) }),
  pieces: z
    .array(
      z.object({
        what: z.string(),
        key: sha256Text,
        units: whole,
        first: whole,
        count: whole,
        arrays: z.record(z.string(), whole),
      }),
    )
    .readonly(),
});
type Head = z.infer<typeof headSchema>;

/** A piece of a work, and which of its units it is of. */
export interface PlacedPiece {
  readonly what: string;
  readonly key: string;
  readonly units: number;
  readonly first: number;
  readonly count: number;
  readonly arrays: Piece;
}

/** A share of a call: what is called, by which program, over which inputs, and what came of it. */
export interface PartDocument {
  readonly version: string;
  readonly kernels: string;
  /** Words of the call, but for where and how it is run and written. */
  readonly call: readonly string[];
  readonly inputs: readonly InputFile[];
  readonly shard: Shard;
  readonly pieces: readonly PlacedPiece[];
}

/** Digest of what a share is of: equal digests, shares of one work. */
export function callDigest({ version, kernels, call, inputs }: Omit<PartDocument, 'shard' | 'pieces'>): string {
  return sha256(canonicalJson({ version, kernels, call, inputs }));
}

/** Writes a part: a line of 64 hexadecimal digits, the digest of all behind it; a line of JSON; numbers, f64, little end first. */
export function partBytes({ version, kernels, call, inputs, shard, pieces }: PartDocument): Uint8Array {
  const head: Head = {
    ...{ schema: SCHEMA, version, kernels_sha256: kernels, call, inputs, shard },
    pieces: pieces.map(({ arrays, ...piece }) => ({
      ...piece,
      arrays: Object.fromEntries(Object.entries(arrays).map(([name, { length }]) => [name, length])),
    })),
  };
  const line = new TextEncoder().encode(`${canonicalJson(head)}\n`);
  const all = pieces.flatMap(({ arrays }) =>
    Object.keys(arrays)
      .sort()
      .map((name) => arrays[name]!),
  );
  const body = new Uint8Array(line.length + all.reduce((sum, { byteLength }) => sum + byteLength, 0));
  body.set(line);
  let at = line.length;
  for (const { buffer, byteOffset, byteLength } of all) {
    body.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  const out = new Uint8Array(65 + body.length);
  out.set(new TextEncoder().encode(`${sha256(body)}\n`));
  out.set(body, 65);
  return out;
}

/** The head of a part. Errors: PART_INVALID, SCHEMA_INVALID. */
function headOf(line: Uint8Array, file: string): Head {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(line));
  } catch {
    fail('PART_INVALID', { file }, 'has a first line that is no JSON', GIVE_SHARES);
  }
  const head = checked(headSchema, value, { file }, GIVE_SHARES);
  const { shard, pieces } = head;
  if (shard.index > shard.count)
    fail('PART_INVALID', { file }, `says that it is shard ${shard.index} of ${shard.count}`, GIVE_SHARES);
  const keys = new Set<string>();
  for (const { what, key, units, first, count } of pieces) {
    const own = rangeOf(shard, units);
    if (first !== own.first || count !== own.count)
      fail(
        'PART_INVALID',
        { file },
        `holds ${count} of ${units} ${what} from ${first} on; shard ${shard.index} of ${shard.count} is ${own.count} from ${own.first} on`,
        AGAIN,
      );
    if (keys.has(key)) fail('PART_INVALID', { file }, `holds one range of ${what} twice`, AGAIN);
    keys.add(key);
  }
  return head;
}

/** Reads a part. Errors: PART_INVALID where the file is none or says what cannot be, DIGEST_MISMATCH where it was changed or cut. */
export function readPart(bytes: Uint8Array, file: string): PartDocument {
  const digest = new TextDecoder().decode(bytes.subarray(0, 65));
  const end = bytes.indexOf(10, 65);
  if (!/^[0-9a-f]{64}\n$/.test(digest) || end < 0 || end > MOST_HEAD)
    fail('PART_INVALID', { file }, 'is no share of a work', GIVE_SHARES);
  if (`${sha256(bytes.subarray(65))}\n` !== digest)
    fail('DIGEST_MISMATCH', { file }, 'was changed or cut after it was written', AGAIN);
  const head = headOf(bytes.subarray(65, end), file);
  let at = end + 1;
  const pieces = head.pieces.map((piece) => {
    const arrays: Record<string, Float64Array> = {};
    for (const name of Object.keys(piece.arrays).sort()) {
      const length = piece.arrays[name]!;
      if (at + 8 * length > bytes.length)
        fail('PART_INVALID', { file }, `ends before the ${length} numbers of ${name}`, AGAIN);
      // A copy begins where doubles may; `slice` of what Node reads would make none.
      arrays[name] = new Float64Array(new Uint8Array(bytes.subarray(at, at + 8 * length)).buffer);
      at += 8 * length;
    }
    return { ...piece, arrays };
  });
  if (at !== bytes.length)
    fail('PART_INVALID', { file }, `has ${bytes.length - at} bytes behind its last number`, AGAIN);
  const { version, kernels_sha256: kernels, call, inputs, shard } = head;
  return { version, kernels, call, inputs, shard, pieces };
}
