import { describe, expect, it } from 'vitest';
import { binomialMass, clopperPearson } from '../../src/inference/binomial.js';

/** count, trials, 99 % interval: scipy 1.17 `beta.ppf`, ten significant digits. */
const EXPECTED: readonly [number, number, number, number][] = [
  [0, 1, 0, 0.995],
  [1, 1, 0.005, 1],
  [1, 2, 0.002503132837, 0.9974968672],
  [3, 7, 0.05529934998, 0.8822962483],
  [16, 16, 0.718101155, 1],
  [17, 40, 0.2307905498, 0.6373783434],
  [212, 2000, 0.08897698093, 0.124931032],
  [0, 100000, 0, 5.298177008e-5],
  [1, 100000, 5.012541698e-8, 7.429890621e-5],
  [5, 100000, 1.07794399e-5, 0.0001414911209],
  [58387, 100000, 0.5798460414, 0.5878859662],
  [99999, 100000, 0.9999257011, 0.9999999499],
  [100000, 100000, 0.9999470182, 1],
  [500000, 1000000, 0.4987115878, 0.5012884122],
];

describe('the Clopper-Pearson interval', () => {
  it.each(EXPECTED)('of %i in %i lies between %d and %d', (count, trials, low, high) => {
    const interval = clopperPearson({ count, trials, confidence: 0.99 });
    expect(Math.abs(interval[0] - low)).toBeLessThanOrEqual(2e-10 * low);
    expect(Math.abs(interval[1] - high)).toBeLessThanOrEqual(2e-10 * high);
  });

  it('holds the proportion itself, and is mirrored with it', () => {
    for (const trials of [1, 2, 3, 10, 64, 1001, 100_000])
      for (const share of [0, 0.001, 0.2, 0.5, 0.77, 1]) {
        const count = Math.round(share * trials);
        const [low, high] = clopperPearson({ count, trials, confidence: 0.99 });
        expect(low).toBeGreaterThanOrEqual(0);
        expect(low).toBeLessThanOrEqual(count / trials);
        expect(high).toBeGreaterThanOrEqual(count / trials);
        expect(high).toBeLessThanOrEqual(1);
        const [mirrored] = clopperPearson({ count: trials - count, trials, confidence: 0.99 });
        expect(mirrored).toBeCloseTo(1 - high, 9);
      }
  });
});

describe('the binomial distribution', () => {
  it('has probabilities that sum to one', () => {
    for (const n of [1, 5, 40, 300]) {
      let sum = 0;
      for (let k = 0; k <= n; k += 1) sum += binomialMass(k, n, 0.3);
      expect(sum).toBeCloseTo(1, 12);
    }
  });
});
