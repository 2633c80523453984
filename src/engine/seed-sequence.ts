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

/** The pool of four 32-bit words that a seed fills. */
export function seedPool(seed: bigint): Uint32Array {
  const entropy = entropyWords(seed);
  let running = INIT_A;
  const hashMix = (value: number): number => {
    const mixed = value ^ running;
    running = Math.imul(running, MULT_A) >>> 0;
    return fold(Math.imul(mixed, running));
  };
  const mix = (x: number, y: number) => fold(Math.imul(MIX_LEFT, x) - Math.imul(MIX_RIGHT, y));

  const pool = Uint32Array.from({ length: 4 }, (_, i) => hashMix(entropy[i] ?? 0));
  for (let source = 0; source < 4; source++) {
    for (let target = 0; target < 4; target++) {
      if (source !== target) pool[target] = mix(pool[target]!, hashMix(pool[source]!));
    }
  }
  for (const word of entropy.slice(4)) {
    for (let target = 0; target < 4; target++) pool[target] = mix(pool[target]!, hashMix(word));
  }
  return pool;
}

/** The four 64-bit words that seed a PCG64. */
export function seedWords(seed: bigint): bigint[] {
  const pool = seedPool(seed);
  let running = INIT_B;
  const halves = Array.from({ length: 8 }, (_, i) => {
    const mixed = pool[i % 4]! ^ running;
    running = Math.imul(running, MULT_B) >>> 0;
    return fold(Math.imul(mixed, running));
  });
  return [0, 1, 2, 3].map((k) => BigInt(halves[2 * k]!) + (BigInt(halves[2 * k + 1]!) << 32n));
}
