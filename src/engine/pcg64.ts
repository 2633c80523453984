/**
 * NumPy's SeedSequence for an integer seed: entropy of any size to four 64-bit words (statistics 3.1).
 */
const INIT_A = 0x43b0d7e5;
const MULT_A = 0x931e8875;
const INIT_B = 0x8b51f9dd;
const MULT_B = 0x58f38ded;
const MIX_LEFT = 0xca01f9dd;
const MIX_RIGHT = 0x4973f715;

/** The seed in base 2^32, least significant first; zero is one word. */
function entropyWords(seed: bigint): number[] {
  const words: number[] = [];
  for (let rest = seed; rest > 0n; rest >>= 32n) words.push(Number(rest & 0xffffffffn));
  return words.length > 0 ? words : [0];
}

const fold = (x: number) => (x ^ (x >>> 16)) >>> 0;

/** Makes the four 32-bit state words of a seed, NumPy's entropy pool (statistics 3.1). */
export function seedState(seed: bigint): Uint32Array {
  const entropy = entropyWords(seed);
  let running = INIT_A;
  const hashMix = (value: number): number => {
    const mixed = value ^ running;
    running = Math.imul(running, MULT_A) >>> 0;
    return fold(Math.imul(mixed, running));
  };
  const mix = (x: number, y: number) => fold(Math.imul(MIX_LEFT, x) - Math.imul(MIX_RIGHT, y));

  const state = Uint32Array.from({ length: 4 }, (_, i) => hashMix(entropy[i] ?? 0));
  for (let source = 0; source < 4; source++) {
    for (let target = 0; target < 4; target++) {
      if (source !== target) state[target] = mix(state[target]!, hashMix(state[source]!));
    }
  }
  for (const word of entropy.slice(4)) {
    for (let target = 0; target < 4; target++) state[target] = mix(state[target]!, hashMix(word));
  }
  return state;
}

/** Makes the four 64-bit words that seed a PCG64 (statistics 3.1). */
export function seedWords(seed: bigint): bigint[] {
  const state = seedState(seed);
  let running = INIT_B;
  const halves = Array.from({ length: 8 }, (_, i) => {
    const mixed = state[i % 4]! ^ running;
    running = Math.imul(running, MULT_B) >>> 0;
    return fold(Math.imul(mixed, running));
  });
  return [0, 1, 2, 3].map((k) => BigInt(halves[2 * k]!) + (BigInt(halves[2 * k + 1]!) << 32n));
}

const MASK_128 = (1n << 128n) - 1n;
const MULTIPLIER = 0x2360ed051fc65da44385df649fccf645n;

/** State and increment of a PCG64, 128 bits each. */
export interface Pcg64State {
  readonly state: bigint;
  readonly increment: bigint;
}

/** Makes the state of NumPy's `PCG64(seed)` before the first output (statistics 3.2). */
export function pcg64State(seed: bigint): Pcg64State {
  const words = seedWords(seed);
  const start = (words[0]! << 64n) | words[1]!;
  const increment = ((((words[2]! << 64n) | words[3]!) << 1n) | 1n) & MASK_128;
  const step = (state: bigint) => (state * MULTIPLIER + increment) & MASK_128;
  return { state: step((step(0n) + start) & MASK_128), increment };
}

/** PCG64 (XSL-RR 128/64): the generator under NumPy's `default_rng` (statistics 3.2). */
export interface Pcg64 {
  /** The next 64 bits as [high, low] words; the pair is overwritten by the next call. */
  next(): Uint32Array;
  /** The low half of the next output, then its high half; the spare half survives other calls. */
  nextUint32(): number;
  /** 53 bits in [0, 1); neither uses nor clears the spare half. */
  nextDouble(): number;
}

/** Sixteen-bit limbs of a 128-bit number, least significant first. */
function limbs(value: bigint): number[] {
  return Array.from({ length: 8 }, (_, i) => Number((value >> BigInt(16 * i)) & 0xffffn));
}

type Limbs = [number, number, number, number, number, number, number, number];

const [M0, M1, M2, M3, M4, M5, M6, M7] = limbs(MULTIPLIER) as Limbs;

/**
 * Opens the stream of an integer seed. The state is kept in sixteen-bit limbs and multiplied out by hand: every partial sum
 * is an exact integer below 2^36.
 */
export function pcg64(seed: bigint): Pcg64 {
  const initial = pcg64State(seed);
  const [i0, i1, i2, i3, i4, i5, i6, i7] = limbs(initial.increment) as Limbs;
  const state = Int32Array.from(limbs(initial.state));
  const output = new Uint32Array(2);
  let spare = -1;

  const step = (): void => {
    const s0 = state[0]!;
    const s1 = state[1]!;
    const s2 = state[2]!;
    const s3 = state[3]!;
    const s4 = state[4]!;
    const s5 = state[5]!;
    const s6 = state[6]!;
    const s7 = state[7]!;
    const t0 = i0 + s0 * M0;
    const c0 = Math.floor(t0 / 65536);
    const t1 = i1 + s0 * M1 + s1 * M0 + c0;
    const c1 = Math.floor(t1 / 65536);
    const t2 = i2 + s0 * M2 + s1 * M1 + s2 * M0 + c1;
    const c2 = Math.floor(t2 / 65536);
    const t3 = i3 + s0 * M3 + s1 * M2 + s2 * M1 + s3 * M0 + c2;
    const c3 = Math.floor(t3 / 65536);
    const t4 = i4 + s0 * M4 + s1 * M3 + s2 * M2 + s3 * M1 + s4 * M0 + c3;
    const c4 = Math.floor(t4 / 65536);
    const t5 = i5 + s0 * M5 + s1 * M4 + s2 * M3 + s3 * M2 + s4 * M1 + s5 * M0 + c4;
    const c5 = Math.floor(t5 / 65536);
    const t6 = i6 + s0 * M6 + s1 * M5 + s2 * M4 + s3 * M3 + s4 * M2 + s5 * M1 + s6 * M0 + c5;
    const c6 = Math.floor(t6 / 65536);
    const upper = i7 + s0 * M7 + s1 * M6 + s2 * M5 + s3 * M4 + c6;
    const t7 = upper + s4 * M3 + s5 * M2 + s6 * M1 + s7 * M0;
    state[0] = t0 - c0 * 65536;
    state[1] = t1 - c1 * 65536;
    state[2] = t2 - c2 * 65536;
    state[3] = t3 - c3 * 65536;
    state[4] = t4 - c4 * 65536;
    state[5] = t5 - c5 * 65536;
    state[6] = t6 - c6 * 65536;
    state[7] = t7 - Math.floor(t7 / 65536) * 65536;
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
 * Jumps to the state of `PCG64(seed)` after `words` 32-bit outputs, as the kernels keep it: state high and low, increment high and low,
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
  return BigUint64Array.of(reached >> 64n, reached & mask, increment >> 64n, increment & mask, spare);
}
