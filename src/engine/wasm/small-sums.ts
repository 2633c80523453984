import type { FlipTotals, Integers } from '../bounds.js';

/** How sums of sign flips are put into 16 bits (assembly/small.ts): divided by `divisor`, times 2^shift. */
export interface SmallSums {
  readonly divisor: number;
  readonly shift: number;
}

const LARGEST = 2 ** 15 - 1;

function commonDivisor(totals: Integers): number {
  let divisor = 0;
  for (const total of totals) {
    let rest = Math.abs(Number(total));
    while (rest > 0) [divisor, rest] = [rest, divisor % rest];
    if (divisor === 1) break;
  }
  return Math.max(1, divisor);
}

/** Finds how the sums of some totals fit 16 bits, with as many bits as there is room for; null where they do not. */
export function smallSums({ totals, bound }: Pick<FlipTotals, 'totals' | 'bound'>): SmallSums | null {
  if (!(bound < 2 ** 31)) return null;
  const divisor = commonDivisor(totals);
  const largest = Math.max(1, Math.ceil(bound / divisor));
  return largest <= LARGEST ? { divisor, shift: Math.floor(Math.log2(LARGEST / largest)) } : null;
}

/** What one in a 16-bit sum stands for. */
export const smallUnit = ({ divisor, shift }: SmallSums): number => divisor / 2 ** shift;

/** Opens a function that gives the least 16-bit size of a sum that reaches an observed one, less one. */
export function smallLimits({ divisor, shift }: SmallSums): (observed: number) => number {
  const factor = 2 ** shift;
  return (observed) => Math.ceil(observed / divisor) * factor - 1;
}

/** A total as it goes into the tables: the lower 16 bits of a word, or its upper ones. */
export function smallTotal({ divisor, shift }: SmallSums, total: number, upper: boolean): number {
  return (total / divisor) * 2 ** shift * (upper ? 2 ** 16 : 1);
}
