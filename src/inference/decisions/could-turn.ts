import { countBelow } from '../p-values.js';

export interface CouldTurnOptions {
  /** The p that decide. */
  readonly p: Float64Array;
  /** Ends between which each may lie; both are p where it has no error. */
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly alpha: number;
}

/**
 * Marks the hypotheses whose decision under Holm differs between the two ends of their own p, all others held (decisions 3.1).
 *
 * With the others sorted, q_0 <= q_1 <= ..., and n tests in all, a p of x that comes after `place` of them is rejected where
 * (n - r) q_r < alpha for every r below `place`, and (n - place) x < alpha. The first r at which it fails follows from the sorted list of all p:
 * before the place of the hypothesis r is as in that list, from there on one less.
 */
export function holmCouldTurn({ p, low, high, alpha }: CouldTurnOptions): Uint8Array {
  const n = p.length;
  const sorted = p.slice().sort();
  let fails = 0;
  while (fails < n && (n - fails) * sorted[fails]! < alpha) fails += 1;
  const failsFrom = new Int32Array(n);
  for (let r = n - 1; r >= 0; r -= 1)
    failsFrom[r] = r === n - 1 ? n : (n - r) * sorted[r + 1]! >= alpha ? r : failsFrom[r + 1]!;
  const turns = new Uint8Array(n);
  for (let k = 0; k < n; k += 1) {
    if (!(low[k]! < high[k]!)) continue;
    // Among equal p any place will do: with one of them taken out the same list is left.
    const at = countBelow(sorted, p[k]!);
    const first = fails < at ? fails : failsFrom[at]!;
    const rejected = (x: number) => {
      const place = countBelow(sorted, x) - Number(p[k]! < x);
      return place <= first && (n - place) * x < alpha;
    };
    turns[k] = Number(rejected(low[k]!) !== rejected(high[k]!));
  }
  return turns;
}
