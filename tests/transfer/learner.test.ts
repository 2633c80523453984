import { describe, expect, it } from 'vitest';
import { philoxDraw } from '../../src/engine/index.js';
import { FEATURES } from '../../src/transfer/features.js';
import { choose, type LearnerRow, train, untrained } from '../../src/transfer/learner.js';

/** Rows whose right answer is the portfolio with the largest first feature. */
function rows(count: number): LearnerRow[] {
  return Array.from({ length: count }, (_, i) => {
    const words = philoxDraw({ seed: 99n, stream: 0, draw: i });
    const features = new Float64Array(56 * FEATURES.length);
    for (let a = 0; a < 56; a += 1) {
      for (let f = 0; f < FEATURES.length; f += 1) {
        features[a * FEATURES.length + f] = words.word() / 2 ** 32 - 0.5;
      }
    }
    const first = (a: number) => features[a * FEATURES.length]!;
    let target = 0;
    for (let a = 1; a < 56; a += 1) if (first(a) > first(target)) target = a;
    return { family: i % 2, features, target };
  });
}

const OPTIONS = { families: 2, seed: 3n, epochs: 150, rate: 0.5, batch: 8 };

describe('the built-in learner', () => {
  const data = rows(60);
  const right = (policy: ReturnType<typeof train>) =>
    data.filter((row) => choose(policy, row.family, row.features) === row.target).length;

  it('learns what its rows show, and not before', () => {
    const policy = train(data, OPTIONS);
    expect(right(untrained(2))).toBeLessThan(20);
    expect(right(policy)).toBeGreaterThan(45);
    expect(policy.losses.at(-1)!).toBeLessThan(policy.losses[0]!);
  });

  it('gives the same weights for the same seed and others for another', () => {
    expect(train(data, OPTIONS).weights).toEqual(train(data, OPTIONS).weights);
    expect(train(data, OPTIONS).weights).not.toEqual(train(data, { ...OPTIONS, seed: 4n }).weights);
  });
});
