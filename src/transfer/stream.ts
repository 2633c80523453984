import { sha256 } from '../io/digest.js';

/** Philox stream numbers of the transfer study. */
export const CROSSED_STREAM = 7;
export const FLIP_STREAM = 8;

export type StreamUse = 'crossed-bootstrap' | 'anchor-sign-flip';

/** Generator of a study; seeds are given, or follow from the frozen protocol so that nobody can choose them. */
export type StudyRandom =
  | { readonly kind: 'philox'; readonly seed: bigint }
  | { readonly kind: 'philox' | 'numpy'; readonly protocolSha256: string };

/** Gives the seed of one use of one contrast. */
export function seedFor(random: StudyRandom, label: string, use: StreamUse): bigint {
  return 'seed' in random ? random.seed : streamSeed(random.protocolSha256, label, use);
}

/**
 * Derives the seed of a published stream: the first eight bytes of SHA-256 of `protocol:label:use`, modulo 2^32 (analyses 9.7), so that
 * it is fixed once the protocol is.
 */
export function streamSeed(protocolSha256: string, label: string, use: StreamUse): bigint {
  const head = sha256(`${protocolSha256}:${label}:${use}`).slice(0, 16);
  return BigInt(`0x${head}`) % 2n ** 32n;
}
