import { pearson } from '../util/correlation.js';

export { pearson };

/** Ranks 1..n by value ascending, equal values in index order, none shared. */
export function ordinalRanks(x: ArrayLike<number>): Float64Array {
  const order = Int32Array.from({ length: x.length }, (_, i) => i).sort(
    (a, b) => (x[a] as number) - (x[b] as number) || a - b,
  );
  const ranks = new Float64Array(x.length);
  order.forEach((i, k) => {
    ranks[i] = k + 1;
  });
  return ranks;
}

/** Pearson correlation of ordinal ranks: the panel replication rule (statistics 12). */
export function ordinalSpearman(x: ArrayLike<number>, y: ArrayLike<number>): number | null {
  return pearson(ordinalRanks(x), ordinalRanks(y));
}
