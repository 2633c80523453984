/** Where a linear quantile lies among n sorted values: order statistics `below` and `above`, and the fraction between. */
export interface QuantilePlace {
  readonly below: number;
  readonly above: number;
  readonly fraction: number;
}

/** Finds the place of probability q among n sorted values: NumPy's `linear` rule (statistics 4). */
export function quantilePlace(n: number, q: number): QuantilePlace {
  const h = (n - 1) * q;
  const below = Math.floor(h);
  return { below, above: Math.min(below + 1, n - 1), fraction: h - below };
}

/** Interpolates between two order statistics in two forms, as NumPy rounds (statistics 4). */
export function interpolate(a: number, b: number, fraction: number): number {
  const d = b - a;
  return fraction < 0.5 ? a + d * fraction : b - d * (1 - fraction);
}

/** Forms the linear quantile of ascending values (statistics 4). */
export function sortedQuantile(sorted: ArrayLike<number>, q: number): number {
  const { below, above, fraction } = quantilePlace(sorted.length, q);
  return interpolate(sorted[below]!, sorted[above]!, fraction);
}
