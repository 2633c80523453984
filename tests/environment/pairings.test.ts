import { describe, expect, it } from 'vitest';
import type { DietRule } from '../../src/environment/diet.js';
import { type Environment, type IngredientTags, unitRows } from '../../src/environment/environment.js';
import { findPairings } from '../../src/environment/pairings.js';

/** Foods on a circle: food i stands at i degrees, so the nearest by cosine are the nearest in number. */
function circle(count: number, change: (i: number) => Partial<IngredientTags & { name: string }>): Environment {
  const raw = Float32Array.from({ length: 2 * count }, (_, j) => {
    const angle = (Math.floor(j / 2) * Math.PI) / 180;
    return j % 2 === 0 ? Math.cos(angle) : Math.sin(angle);
  });
  const rows = Array.from({ length: count }, (_, i) => change(i));
  return {
    name: 'circle',
    identity: { kind: 'matrix', sha256: '', files: [] },
    names: rows.map(({ name }, i) => name ?? `food${i}`),
    dims: 2,
    raw,
    units: unitRows(raw, 2),
    tags: rows.map(({ name: _, ...tags }) => ({
      category: 'Herb',
      foodGroup: tags.category ?? 'Herb',
      region: '',
      vegetarian: true,
      vegan: true,
      nova: 1,
      ...tags,
    })),
    directions: new Map(),
    variants: new Map(),
  };
}
const any: DietRule = { diet: null, maximumNova: null };
const primaries = (environment: Environment, seeds: number[], rule = any) =>
  findPairings(environment, { seeds, rule }).primaries.map(({ name }) => name);

describe('the operation find-pairings', () => {
  it('takes the eight nearest to the centroid of the seeds', () => {
    const found = primaries(
      circle(40, () => ({})),
      [10, 19],
    );
    expect(found.sort()).toEqual([11, 12, 13, 14, 15, 16, 17, 18].map((i) => `food${i}`));
  });

  it('leaves out diet misses and names that share a word with a seed', () => {
    const environment = circle(30, (i) => (i === 11 ? { vegan: false } : i === 9 ? { name: 'hot_food10' } : {}));
    const found = primaries(environment, [10], { diet: 'vegan', maximumNova: null });
    expect(found.sort()).toEqual([12, 13, 14, 15, 5, 6, 7, 8].map((i) => `food${i}`));
  });

  it('reduces meat and sweet, less when an ingredient has several categories', () => {
    const environment = circle(30, (i) =>
      i === 11
        ? { category: 'Meat' }
        : i === 9
          ? { category: 'Meat', foodGroup: 'Herb' }
          : i === 8
            ? { category: 'Sweet' }
            : {},
    );
    const { primaries: found } = findPairings(environment, { seeds: [10], rule: any });
    expect(found.map(({ name }) => name)).not.toContain('food11');
    const all = circle(10, () => ({ category: 'Meat' }));
    const heavy = findPairings(all, { seeds: [0], rule: any }).primaries[0]!;
    expect(heavy.value).toBeCloseTo(0.65 * Math.cos(Math.PI / 180), 6);
    const light = circle(10, () => ({ category: 'Sweet', foodGroup: 'Herb' }));
    expect(findPairings(light, { seeds: [0], rule: any }).primaries[0]!.value).toBeCloseTo(
      0.9 * Math.cos(Math.PI / 180),
      6,
    );
  });

  it('gives each primary eight secondaries that are neither seeds nor primaries', () => {
    const {
      primaries: found,
      clusters,
      bridges,
    } = findPairings(
      circle(120, () => ({})),
      { seeds: [60], rule: any },
    );
    const first = new Set(['food60', ...found.map(({ name }) => name)]);
    for (const { secondaries } of found) {
      expect(secondaries).toHaveLength(8);
      expect(new Set(secondaries.map(({ name }) => name)).size).toBe(8);
      expect(secondaries.filter(({ name }) => first.has(name))).toEqual([]);
    }
    expect(clusters.flat().sort()).toEqual(found.map(({ name }) => name).sort());
    const times = (name: string) =>
      found.filter(({ secondaries }) => secondaries.some((each) => each.name === name)).length;
    for (const bridge of bridges) expect(times(bridge)).toBeGreaterThan(1);
    expect(bridges.length).toBeGreaterThan(0);
  });

  it('gives fewer when there are fewer', () => {
    const { primaries: found, bridges } = findPairings(
      circle(3, () => ({})),
      { seeds: [0], rule: any },
    );
    expect(found.map(({ name, secondaries }) => [name, secondaries])).toEqual([
      ['food1', []],
      ['food2', []],
    ]);
    expect(bridges).toEqual([]);
  });
});
