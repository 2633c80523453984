/** Where a linear quantile lies among n sorted values: order statistics `below` and `above`, and the fraction between. */
export interface QuantilePlace {
  readonly below: number;
  readonly above: number;
  readonly fraction: number;
}

/** Place of probability q among n values, numpy's `linear` rule (statistics 4). */
export function quantilePlace(n: number, q: number): QuantilePlace {
  const h = (n - 1) * q;
  const below = Math.floor(h);
  return { below, above: Math.min(below + 1, n - 1), fraction: h - below };
}

/** Interpolates between two order statistics with numpy's two-form rounding. */
export function interpolate(a: number, b: number, fraction: number): number {
  const d = b - a;
  return fraction < 0.5 ? a + d * fraction : b - d * (1 - fraction);
}

/** Linear quantile of ascending values. */
export function sortedQuantile(sorted: ArrayLike<number>, q: number): number {
  const { below, above, fraction } = quantilePlace(sorted.length, q);
  return interpolate(sorted[below]!, sorted[above]!, fraction);
}
