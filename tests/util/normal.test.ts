import { describe, expect, it } from 'vitest';
import { normalCdf, normalQuantile } from '../../src/util/normal.js';

/** x and P(Z <= x), scipy 1.17 `norm.cdf`. */
const KNOWN: readonly [number, number][] = [
  [0, 0.5],
  [0.1, 0.539827837277029],
  [1, 0.8413447460685429],
  [1.959963984540054, 0.975],
  [3, 0.9986501019683699],
  [-2.5, 0.006209665325776132],
  [-6, 9.86587645037698e-10],
  [-10, 7.61985302416047e-24],
];

describe('the normal distribution', () => {
  it.each(KNOWN)('has the probability that scipy gives below %d', (x, p) => {
    expect(Math.abs(normalCdf(x) - p)).toBeLessThanOrEqual(4e-14 * p);
  });

  it('has a quantile that undoes it', () => {
    for (const p of [1e-12, 1e-5, 0.01, 0.2, 0.5, 0.8, 0.975, 0.9999])
      expect(Math.abs(normalCdf(normalQuantile(p)) / p - 1)).toBeLessThan(1e-12);
    expect(normalQuantile(0.975)).toBeCloseTo(1.959963984540054, 12);
    expect(() => normalQuantile(0)).toThrow(RangeError);
    expect(() => normalQuantile(Number.NaN)).toThrow(RangeError);
  });
});
