import { seedWords } from './seed-sequence.js';

const MASK_128 = (1n << 128n) - 1n;
const MULTIPLIER = 0x2360ed051fc65da44385df649fccf645n;

export interface Pcg64State {
  readonly state: bigint;
  readonly increment: bigint;
}

/** State of NumPy's `PCG64(seed)` before the first output (statistics 3.2). */
export function pcg64State(seed: bigint): Pcg64State {
  const words = seedWords(seed);
  const start = (words[0]! << 64n) | words[1]!;
  const increment = ((((words[2]! << 64n) | words[3]!) << 1n) | 1n) & MASK_128;
  const step = (state: bigint) => (state * MULTIPLIER + increment) & MASK_128;
  return { state: step((step(0n) + start) & MASK_128), increment };
}

/** PCG64 (XSL-RR 128/64): the generator under NumPy's `default_rng`. */
export interface Pcg64 {
  /** The next 64 bits as [high, low] words; the pair is overwritten by the next call. */
  next(): Uint32Array;
  /** The low half of the next output, then its high half; the spare half survives other calls. */
  nextUint32(): number;
  /** 53 bits in [0, 1); neither uses nor clears the spare half. */
  nextDouble(): number;
}

const LIMBS = 8;

/** Sixteen-bit limbs, least significant first. */
function limbs(value: bigint): Float64Array {
  return Float64Array.from({ length: LIMBS }, (_, i) =>
    Number((value >> BigInt(16 * i)) & 0xffffn),
  );
}

const MULTIPLIER_LIMBS = limbs(MULTIPLIER);

/** Opens the stream of an integer seed. */
export function pcg64(seed: bigint): Pcg64 {
  const initial = pcg64State(seed);
  const increment = limbs(initial.increment);
  let state: Float64Array = limbs(initial.state);
  let following: Float64Array = new Float64Array(LIMBS);
  const output = new Uint32Array(2);
  let spare = -1;

  const step = (): void => {
    let carry = 0;
    for (let k = 0; k < LIMBS; k++) {
      let sum = increment[k]! + carry;
      for (let i = 0; i <= k; i++) sum += state[i]! * MULTIPLIER_LIMBS[k - i]!;
      carry = Math.floor(sum / 65536);
      following[k] = sum - carry * 65536;
    }
    [state, following] = [following, state];
  };

  const next = (): Uint32Array => {
    step();
    const low = ((state[0]! ^ state[4]!) | ((state[1]! ^ state[5]!) << 16)) >>> 0;
    const high = ((state[2]! ^ state[6]!) | ((state[3]! ^ state[7]!) << 16)) >>> 0;
    const turn = state[7]! >>> 10;
    const by = turn & 31;
    const [a, b] = turn < 32 ? [high, low] : [low, high];
    output[0] = by === 0 ? a : (a >>> by) | (b << (32 - by));
    output[1] = by === 0 ? b : (b >>> by) | (a << (32 - by));
    return output;
  };

  return {
    next,
    nextUint32() {
      if (spare >= 0) {
        const half = spare;
        spare = -1;
        return half;
      }
      const [high, low] = next();
      spare = high!;
      return low!;
    },
    nextDouble() {
      const [high, low] = next();
      return (high! * 2097152 + (low! >>> 11)) / 9007199254740992;
    },
  };
}

/**
 * State of `PCG64(seed)` after `words` 32-bit outputs, as the kernels keep it: state high and low, increment high and low,
 * spare half with bit 32 set when there is one.
 */
export function advance(seed: bigint, words: number): BigUint64Array {
  const { state, increment } = pcg64State(seed);
  let [multiplier, plus] = [1n, 0n];
  let [stepMultiplier, stepPlus] = [MULTIPLIER, increment];
  for (let steps = BigInt(Math.ceil(words / 2)); steps > 0n; steps >>= 1n) {
    if (steps & 1n) {
      multiplier = (multiplier * stepMultiplier) & MASK_128;
      plus = (plus * stepMultiplier + stepPlus) & MASK_128;
    }
    stepPlus = ((stepMultiplier + 1n) * stepPlus) & MASK_128;
    stepMultiplier = (stepMultiplier * stepMultiplier) & MASK_128;
  }
  const reached = (state * multiplier + plus) & MASK_128;
  const mask = (1n << 64n) - 1n;
  const folded = (reached >> 64n) ^ (reached & mask);
  const turn = reached >> 122n;
  const output = ((folded >> turn) | (folded << (64n - turn))) & mask;
  const spare = words % 2 === 1 ? (output >> 32n) | (1n << 32n) : 0n;
  return BigUint64Array.of(
    reached >> 64n,
    reached & mask,
    increment >> 64n,
    increment & mask,
    spare,
  );
}
