import { describe, expect, it } from 'vitest';
import { PRECISION_METRICS, subsetPrecision } from '../../src/analyses/precision/subsets.js';
import { expectedAnalyses, goldenA, goldenResolved } from '../support/golden-analyses.js';
import { noShared } from '../support/shared.js';

/**
 * A few draws hold two models with exactly equal sums (29 of 5,000 at 30 tasks). Exact integers see the tie; the published
 * floating-point sums broke it by their last bit. That moves means of order metrics by this much at most.
 */
const TIES = 2e-5;

describe.skipIf(noShared)('precision of smaller task sets (released data needed)', () => {
  it('replays every metric of every size of the published stream', () => {
    const sizes = subsetPrecision({
      matrix: goldenA().matrix,
      resolved: goldenResolved(),
      sizes: [30, 60, 90, 150, 270],
      draws: 5000,
      random: { kind: 'numpy', seed: 20260824n },
    });
    const expected = expectedAnalyses().stability.sizes;
    expect(sizes.map(({ tasks }) => tasks)).toEqual([30, 60, 90, 150, 270, 534]);
    for (const { tasks, metrics } of sizes) {
      for (const metric of PRECISION_METRICS) {
        for (const key of ['mean', 'median', 'p2_5', 'p97_5'] as const) {
          const found = metrics[metric]![key];
          const wanted = expected[tasks].metrics[metric][key];
          expect(Math.abs(found - wanted), `${tasks} ${metric} ${key}`).toBeLessThan(
            key === 'mean' && !metric.endsWith('error') ? TIES : 1e-9,
          );
        }
      }
    }
  });

  it('comes to the same conclusions with other draws under philox, and is exact for the whole set', () => {
    const sizes = subsetPrecision({
      matrix: goldenA().matrix,
      resolved: goldenResolved(),
      sizes: [270],
      draws: 2000,
      random: { kind: 'philox', seed: 1n },
    });
    expect(sizes[0]!.metrics.rank_spearman!.median).toBeCloseTo(0.973, 2);
    expect(sizes[1]!.metrics.maximum_absolute_score_error!.mean).toBe(0);
    expect(sizes[1]!.metrics.all_pair_order_agreement!.mean).toBe(1);
  });
});

describe('precision of any matrix', () => {
  const matrix = {
    models: ['a', 'b'],
    tasks: ['t1', 't2', 't3', 't4'],
    panels: ['p', 'p', 'p', 'p'],
    families: ['x', 'x', 'y', 'y'],
    clusters: ['1', '2', '3', '4'],
    values: Float64Array.of(100, 200, 300, 400, 100, 200, 300, 400),
    scale: 100,
  };
  const ask = (sizes: number[]) =>
    subsetPrecision({ matrix, resolved: [], sizes, draws: 3, random: { kind: 'philox', seed: 1n } });

  it('refuses a size that the strata cannot give evenly', () => {
    expect(() => ask([3])).toThrow(/3 tasks cannot be drawn evenly from 2 strata of 2/);
    expect(() => ask([6])).toThrow(/multiples|6 tasks/);
  });

  it('keeps identical models tied, so that every pair agrees, and names no resolved pair', () => {
    const [size] = ask([2]);
    expect(size!.metrics.all_pair_order_agreement!.mean).toBe(1);
    expect(size!.metrics.resolved_pair_direction_agreement).toBeNull();
  });
});
