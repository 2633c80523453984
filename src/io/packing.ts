/** Most bytes that a packed file unpacks to. */
export const MOST_UNPACKED = 2 ** 30;

/** Most bytes that one packed byte stands for, past what is unpacked in any case: tables and logs stay far below it, one letter over and over does not. */
const RATE = 200;

/** What is unpacked however tightly it is packed. */
const ALWAYS = 2 ** 27;

/**
 * Gives the most bytes that so many packed ones may unpack to (reading 1.1): a small file cannot ask for the memory of a large one. It is
 * held while a stream is unpacked, so that no more is made.
 */
export function mostUnpacked(packed: number): number {
  return Math.min(MOST_UNPACKED, Math.max(ALWAYS, RATE * packed));
}

/** Says how large packed bytes are and what they may hold, for an error. */
export function packedTooTight(packed: number): string {
  return `${packed} packed bytes hold more than ${mostUnpacked(packed)}, the most that is unpacked of a file of that size`;
}
