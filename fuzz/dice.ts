import { mulHigh, philoxDraw } from '../src/engine/philox.js';

/** Choices of one case, all from one draw of the counter generator. */
export interface Dice {
  /** A whole number from 0 to n - 1. */
  below(n: number): number;
  /** Whether what happens once in n times happens. */
  once(n: number): boolean;
  pick<T>(list: readonly T[]): T;
}

/** Stream of the cases; the number of a case is the draw (docs/generators.md). */
const STREAM = 4096;

/** Makes the choices of a case from the seed and its number. */
export function diceOf(seed: bigint, index: number): Dice {
  const draw = philoxDraw({ seed, stream: STREAM, draw: index });
  const below = (n: number) => mulHigh(draw.word(), n);
  return { below, once: (n) => below(n) === 0, pick: (list) => list[below(list.length)]! };
}
