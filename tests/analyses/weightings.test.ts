import { describe, expect, it } from 'vitest';
import { familyWeights } from '../../src/analyses/weights/grid.js';
import { weightings } from '../../src/analyses/weights/weightings.js';

describe('weightings of families', () => {
  it('are those of the published grid for three', () => {
    const expected: number[][] = [];
    for (let a = 20; a <= 50; a += 1)
      for (let b = 20; b <= 50; b += 1) {
        const c = 100 - a - b;
        if (c >= 20 && c <= 50) expected.push([a, b, c]);
      }
    expect(expected).toHaveLength(696);
    expect(weightings(3)).toEqual({ grid: 'simplex', parts: 100, least: 20, most: 50, list: expected });
  });

  it.each([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 40, 57, 100, 101, 300])(
    'of %i families add up, differ and are bounded',
    (families) => {
      const { parts, least, most, list, grid } = weightings(families);
      expect(grid).toBe(families <= 10 ? 'simplex' : families <= 100 ? 'transfers' : 'single');
      expect(list.length).toBeGreaterThan(families);
      expect(list.length).toBeLessThanOrEqual(10_000);
      expect(new Set(list.map((weights) => weights.join())).size).toBe(list.length);
      for (const weights of list) {
        expect(weights.reduce((a, b) => a + b, 0)).toBe(parts);
        expect(Math.min(...weights)).toBeGreaterThanOrEqual(least);
        expect(Math.max(...weights)).toBeLessThanOrEqual(most);
      }
      expect((least * families) / parts).toBeGreaterThanOrEqual(0.6 - 1e-9);
      expect((most * families) / parts).toBeLessThanOrEqual(1.5 + 1e-9);
      expect(3 * least * families).toBeLessThanOrEqual(2 * parts);
      expect(3 * most * families).toBeGreaterThanOrEqual(4 * parts);
    },
  );

  it('treat all families alike: a grid holds every permutation of each of its weightings', () => {
    for (const families of [2, 4, 7, 12]) {
      const { list } = weightings(families);
      const keys = new Set(list.map((weights) => weights.join()));
      for (const weights of list) {
        expect(keys.has([...weights.slice(1), weights[0]!].join())).toBe(true);
        expect(keys.has([weights[1]!, weights[0]!, ...weights.slice(2)].join())).toBe(true);
      }
    }
  });

  it('leave room for many models', () => {
    expect(weightings(8, 696).list.length).toBeLessThanOrEqual(696);
  });
});

describe('ranks under all weightings', () => {
  it('of identical models are shared, and so is the lead', () => {
    const models = ['x', 'y', 'z', 'low'];
    const families = Float64Array.of(5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 1, 1, 1, 1);
    const { rank_ranges, leaders, grid_points, least_alike } = familyWeights({ models, families, shared: true });
    expect(rank_ranges).toEqual({ x: [1, 3], y: [1, 3], z: [1, 3], low: [4, 4] });
    expect(leaders).toEqual({ x: grid_points, y: grid_points, z: grid_points });
    expect(least_alike).toHaveLength(4);
    const ordinal = familyWeights({ models, families, shared: false });
    expect(ordinal.rank_ranges).toEqual({ x: [1, 1], y: [2, 2], z: [3, 3], low: [4, 4] });
  });

  it('of two models turn where the weight of the family that one is good at is large enough', () => {
    const { rank_ranges, leaders, grid_points } = familyWeights({
      models: ['a', 'b'],
      families: Float64Array.of(100, 40, 0, 110),
      shared: true,
    });
    // a leads where 100 w > 70 (100 - w): from 42 percent on.
    expect(grid_points).toBe(41);
    expect(leaders).toEqual({ a: 29, b: 12 });
    expect(rank_ranges).toEqual({ a: [1, 2], b: [1, 2] });
  });
});
