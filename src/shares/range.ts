import type { Shard } from '../util/shard.js';

/** The units of a share: the I-th of N ranges that are as equal as can be (statistics 3.8). */
export function rangeOf({ index, count }: Shard, units: number): { readonly first: number; readonly count: number } {
  const first = Math.floor(((index - 1) * units) / count);
  return { first, count: Math.floor((index * units) / count) - first };
}
