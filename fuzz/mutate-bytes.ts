import type { Dice } from './dice.js';

/** Numbers that lengths, counts and offsets are made of, as they break programs. */
const WORDS: readonly bigint[] = [
  0n,
  1n,
  0x7fn,
  0xffn,
  0x7fffn,
  0xffffn,
  0x7fff_ffffn,
  0x8000_0000n,
  0xffff_ffffn,
  400_000_000n,
  0x1f_ffff_ffff_ffffn,
  0x7fff_ffff_ffff_ffffn,
  0xffff_ffff_ffff_ffffn,
];

/** The same as Thrift and Parquet write them: seven bits a byte, low ones first. */
function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = value;
  do {
    bytes.push(Number(rest & 127n) | (rest > 127n ? 128 : 0));
    rest >>= 7n;
  } while (rest > 0n);
  return Buffer.from(bytes);
}

function wordBytes(dice: Dice): Buffer {
  const value = dice.pick(WORDS);
  if (dice.once(3)) return varint(value);
  const bytes = Buffer.alloc(8);
  if (dice.once(4)) bytes.writeBigUInt64BE(value);
  else bytes.writeBigUInt64LE(value);
  return bytes.subarray(0, dice.pick([1, 2, 4, 4, 8]));
}

const put = (bytes: Buffer, at: number, length: number, piece: Uint8Array) =>
  Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at + length)]);

/** Longest that repeating makes a file. */
const LONGEST = 1 << 18;

type Mutation = (bytes: Buffer, dice: Dice, other: Buffer) => Buffer;

const flip: Mutation = (bytes, dice) => {
  const out = Buffer.from(bytes);
  for (let n = 1 + dice.below(4); n > 0 && out.length > 0; n -= 1) out[dice.below(out.length)]! ^= 1 << dice.below(8);
  return out;
};
const overwrite: Mutation = (bytes, dice) => {
  const piece = wordBytes(dice);
  return put(bytes, dice.below(bytes.length + 1), piece.length, piece);
};
/** Formats keep their counts and lengths at both ends. */
const overwriteEnd: Mutation = (bytes, dice) => {
  const piece = wordBytes(dice);
  const near = dice.below(Math.min(64, bytes.length + 1));
  return put(bytes, dice.once(2) ? near : bytes.length - near, piece.length, piece);
};
const remove: Mutation = (bytes, dice) => {
  const at = dice.below(bytes.length + 1);
  return put(bytes, at, dice.below(Math.min(256, bytes.length - at + 1)), Buffer.alloc(0));
};
const insert: Mutation = (bytes, dice) => {
  const piece = Buffer.from(Array.from({ length: 1 + dice.below(16) }, () => dice.below(256)));
  return put(bytes, dice.below(bytes.length + 1), 0, piece);
};
const repeat: Mutation = (bytes, dice) => {
  const at = dice.below(bytes.length + 1);
  const piece = bytes.subarray(at, at + 1 + dice.below(64));
  const most = Math.max(1, Math.floor(LONGEST / Math.max(1, piece.length)));
  const times = Math.min(most, dice.pick([1, 2, 3, 16, 256, 8192]));
  return put(bytes, at, 0, Buffer.concat(Array.from({ length: times }, () => piece)));
};
const splice: Mutation = (bytes, dice, other) => {
  const from = dice.below(other.length + 1);
  const piece = other.subarray(from, from + dice.below(512));
  return put(bytes, dice.below(bytes.length + 1), dice.once(2) ? piece.length : 0, piece);
};
const swap: Mutation = (bytes, dice) => {
  const [a, b] = [dice.below(bytes.length + 1), dice.below(bytes.length + 1)].sort((x, y) => x - y) as [number, number];
  const length = Math.min(1 + dice.below(64), b - a);
  const out = Buffer.from(bytes);
  out.set(bytes.subarray(a, a + length), b - length);
  out.set(bytes.subarray(b - length, b), a);
  return out;
};
const truncate: Mutation = (bytes, dice) => Buffer.from(bytes.subarray(0, dice.below(bytes.length + 1)));

const MUTATIONS: readonly (readonly [string, Mutation])[] = Object.entries({
  flip,
  overwrite,
  overwriteEnd,
  remove,
  insert,
  repeat,
  splice,
  swap,
  truncate,
});

/** Changes bytes somewhere, knowing nothing of them. `other` is a file of the same kind. */
export function mutateBytes(
  bytes: Buffer,
  dice: Dice,
  other: Buffer,
): { readonly bytes: Buffer; readonly how: string } {
  const [how, mutation] = dice.pick(MUTATIONS);
  return { bytes: mutation(bytes, dice, other), how };
}
