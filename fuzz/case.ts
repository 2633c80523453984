import { gzipSync } from 'node:zlib';
import { type Dice, diceOf } from './dice.js';
import { mutateBytes } from './mutate-bytes.js';
import { mutateText } from './mutate-text.js';
import { mutateInside } from './repack.js';
import type { Seed, Target } from './targets.js';

/** A damaged file, and what it is to be read as. */
export interface FuzzCase {
  readonly target: Target;
  readonly seed: Seed;
  readonly bytes: Buffer;
  /** What was done to the file of the seed, in words. */
  readonly how: string;
}

const isText = (bytes: Buffer) => bytes.length > 0 && !bytes.subarray(0, 4096).includes(0);

type Changed = { readonly bytes: Buffer; readonly how: string };

function changed(bytes: Buffer, dice: Dice, other: Buffer): Changed {
  if (isText(bytes) && !dice.once(4)) {
    const { text, how } = mutateText(bytes.toString('utf8'), dice);
    return { bytes: Buffer.from(text), how };
  }
  return mutateBytes(bytes, dice, other);
}

/** Picks a target by its weight. */
function weighed(targets: readonly Target[], dice: Dice): Target {
  let place = dice.below(targets.reduce((sum, { weight }) => sum + weight, 0));
  return targets.find(({ weight }) => (place -= weight) < 0)!;
}

/** Makes a case from the seed of a run and its number, and from nothing else. */
export function fuzzCase(targets: readonly Target[], seed: bigint, index: number): FuzzCase {
  const dice = diceOf(seed, index);
  const target = weighed(targets, dice);
  const chosen = dice.pick(target.seeds);
  const other = dice.pick(target.seeds).bytes;
  let { bytes } = chosen;
  const done: string[] = [];
  for (let n = dice.pick([1, 1, 1, 2, 2, 3, 5]); n > 0; n -= 1) {
    const inside = dice.once(3) ? undefined : mutateInside(bytes, dice, (data) => changed(data, dice, other));
    const next = inside ?? changed(bytes, dice, other);
    bytes = next.bytes;
    done.push(next.how);
  }
  if (target.packed && dice.once(20)) {
    bytes = gzipSync(bytes);
    done.push('gzip');
  }
  return { target, seed: chosen, bytes, how: done.join(', ') };
}
