import { describe, expect, it } from 'vitest';
import { referenceMapKernels } from '../../../src/engine/reference/maps.js';
import type { Environment } from '../../../src/environment/environment.js';
import { type CompileDesign, RELEASED_DESIGN, type ReleasedFamily } from '../../../src/tasks/compile/compile-design.js';
import { generate } from '../../../src/tasks/compile/generate.js';
import { spaced } from '../../../src/tasks/compile/ranking.js';
import { compileTaskSet, releasedSource } from '../../../src/tasks/compile/released-source.js';
import { fan, flatWorld, type Item } from './world.js';

function made(environment: Environment, family: ReleasedFamily, anchor: string, extra: Partial<CompileDesign> = {}) {
  const design = { ...RELEASED_DESIGN, families: [family], ...extra };
  const [pool] = generate(releasedSource({ environment, design, kernels: referenceMapKernels }), anchor);
  return {
    candidates: pool!.candidates.map((candidate) => ({
      ...candidate,
      choices: candidate.choices.map(({ name }) => name),
    })),
    rejections: pool!.rejections,
  };
}

const anchor: Item = { name: 'anchor_leaf', angle: 0 };

describe('evenly spaced candidates', () => {
  it('have the places of the released rule', () => {
    const forty = Array.from({ length: 40 }, (_, i) => i);
    expect(spaced(forty, 8)).toEqual([0, 6, 11, 17, 22, 28, 33, 39]);
    expect(spaced(forty.slice(0, 32), 4)).toEqual([0, 10, 21, 31]);
    expect(spaced([5, 6], 1)).toEqual([5]);
  });
});

describe('the candidates of a substitution task', () => {
  it('spread over the nearest forty of the same category', () => {
    const world = flatWorld([anchor, ...fan(50, 'x', 10, 1)]);
    const [candidate] = made(world, 'substitution', 'anchor_leaf').candidates;
    expect(candidate!.choices).toEqual(['xaa', 'xag', 'xal', 'xar', 'xaw', 'xbc', 'xbh', 'xbn']);
    const spread = Math.cos(Math.PI / 18) - Math.cos((49 * Math.PI) / 180);
    expect(candidate!.difficulty).toBeCloseTo(1 / spread, 12);
  });

  it('leave out other categories, other regions and shared words', () => {
    const region = 'Japanese';
    const world = flatWorld([
      { ...anchor, region },
      ...fan(12, 'good', 20, 3, { region }),
      ...fan(3, 'everywhere', 60, 3),
      ...fan(3, 'away', 1, 1, { region: 'South_Asian' }),
      ...fan(3, 'fish', 1, 1, { category: 'Fish' }),
      { name: 'dried_leaf', angle: 1, region },
    ]);
    const { candidates } = made(world, 'substitution', 'anchor_leaf');
    expect(candidates[0]!.choices.every((name) => /^(good|everywhere)/.test(name))).toBe(true);
    expect(candidates[0]!.choices[0]).toBe('goodaa');
  });

  it('are refused with how each condition shrank a pool that is too small', () => {
    const world = flatWorld([
      { ...anchor, region: 'Japanese' },
      ...fan(10, 'x', 10, 5, { region: 'Japanese' }),
      ...fan(5, 'y', 10, 5, { region: 'South_Asian' }),
      { name: 'other_leaf', angle: 3 },
    ]);
    const [rejection] = made(world, 'substitution', 'anchor_leaf').rejections;
    expect(rejection).toMatchObject({ rule: 'pool', anchor: 'anchor_leaf' });
    expect(rejection!.detail).toBe(
      '10 candidates, 12 needed: 16 others of fitting category, 11 of them with a region in common, 10 of those without a shared word',
    );
  });

  it('are refused for a flat ranking', () => {
    const world = flatWorld([anchor, ...fan(20, 'x', 10, 0.01)]);
    expect(made(world, 'substitution', 'anchor_leaf').rejections[0]).toMatchObject({
      rule: 'spread',
      detail: expect.stringMatching(/^similarities spread over 0\.000\d, 0\.08 needed$/),
    });
  });

  it('keep the order of the environment among equal similarities', () => {
    const world = flatWorld([anchor, ...fan(8, 'b', 10, 0), ...fan(8, 'a', 40, 0)]);
    const [candidate] = made(world, 'substitution', 'anchor_leaf').candidates;
    expect(candidate!.choices.slice(0, 4)).toEqual(['baa', 'bac', 'bae', 'bag']);
  });
});

describe('the candidates of a pairing task', () => {
  it('are of complementary categories only', () => {
    const world = flatWorld([
      anchor,
      ...fan(20, 'fish', 10, 3, { category: 'Fish' }),
      ...fan(5, 'sweet', 1, 1, { category: 'Sweet' }),
    ]);
    const [candidate] = made(world, 'pairing', 'anchor_leaf').candidates;
    expect(candidate!.choices).toHaveLength(8);
    expect(candidate!.choices.every((name) => name.startsWith('fish'))).toBe(true);
  });
});

describe('the candidates of a constraint task', () => {
  const meat = { category: 'Meat' };
  const world = (extra: Item[] = []) =>
    flatWorld([
      anchor,
      ...fan(6, 'good', 20, 4, { ...meat, nova: 2 }),
      ...fan(6, 'looser', 30, 4, { ...meat, nova: 3 }),
      ...fan(6, 'beast', 10, 5, { ...meat, nova: 1, vegan: false, vegetarian: false }),
      ...fan(4, 'unknown', 1, 1, { ...meat, nova: null }),
      ...extra,
    ]);

  it('are the four nearest that satisfy it and spaced violations, whatever their region', () => {
    const { candidates } = made(world(), 'constraint', 'anchor_leaf');
    expect(candidates.map(({ difficulty }) => difficulty)).toEqual([2, 2.2, 3, 3.2]);
    expect(candidates[0]!.choices).toEqual([
      'goodaa',
      'goodab',
      'goodac',
      'goodad',
      'beastaa',
      'looseraa',
      'beastaf',
      'looseraf',
    ]);
    expect(candidates[2]!.choices.slice(4)).toEqual(['beastaa', 'beastac', 'beastad', 'beastaf']);
  });

  it('turn a variant down when either side is short', () => {
    const few = flatWorld([
      anchor,
      ...fan(3, 'good', 20, 4, { ...meat, nova: 2 }),
      ...fan(9, 'looser', 30, 4, { ...meat, nova: 3 }),
    ]);
    const { candidates, rejections } = made(few, 'constraint', 'anchor_leaf');
    expect(candidates).toEqual([]);
    expect(rejections.map(({ detail }) => detail)).toEqual([
      '3 complements are vegan, NOVA at most 2 and 9 are not; 4 and 4 needed',
      '3 complements are vegetarian, NOVA at most 2 and 9 are not; 4 and 4 needed',
      '12 complements are vegan, NOVA at most 3 and 0 are not; 4 and 4 needed',
      '12 complements are vegetarian, NOVA at most 3 and 0 are not; 4 and 4 needed',
    ]);
  });
});

describe('the candidates of a cultural composition', () => {
  const categories = ['Fish', 'Meat', 'Spice', 'Grain', 'Dairy'];
  const items: Item[] = [
    { ...anchor, region: 'Japanese;universal' },
    { name: 'two_homes', angle: 90, region: 'Japanese;South_Asian' },
    { name: 'no_home', angle: 90 },
    { name: 'far_home', angle: 90, region: 'Mediterranean' },
    ...fan(10, 'top', 1, 1, { category: 'Fish' }),
    ...categories.map((category, i) => ({
      name: `next${category.slice(0, 3).toLowerCase()}`,
      angle: 20 + i,
      category,
    })),
    ...fan(30, 'low', 100, 2, { category: 'Legume' }),
  ];

  it('are new categories from the top and a spread over the tail', () => {
    const { candidates } = made(flatWorld(items, { Japanese: 0 }), 'cultural_composition', 'anchor_leaf');
    expect(candidates[0]!.region).toBe('Japanese');
    expect(candidates[0]!.choices.slice(0, 4)).toEqual(['topaa', 'nextmea', 'nextspi', 'nextgra']);
    expect(candidates[0]!.choices[4]).toBe('lowbd');
  });

  it('need exactly one cuisine, and a direction for it', () => {
    const world = flatWorld(items, { Japanese: 0 });
    const rule = (name: string) => made(world, 'cultural_composition', name).rejections[0];
    expect(rule('two_homes')).toMatchObject({ rule: 'single_cuisine' });
    expect(rule('no_home')).toMatchObject({ rule: 'single_cuisine' });
    expect(rule('far_home')).toMatchObject({
      rule: 'direction',
      detail: 'the environment has no direction Mediterranean',
    });
  });
});

describe('the compilation of a panel', () => {
  const compile = (environment: Environment, design: Partial<CompileDesign>) =>
    compileTaskSet({
      environment,
      kernels: referenceMapKernels,
      design: { ...RELEASED_DESIGN, ...design },
      seed: 's',
      first: null,
    });

  it('says which rule emptied a pool', () => {
    const world = flatWorld([
      ...fan(7, 'x', 10, 5, { region: 'Japanese' }),
      ...fan(7, 'y', 10, 5, { region: 'South_Asian' }),
    ]);
    expect(() => compile(world, { families: ['substitution'] })).toThrow(
      /substitution: none of 14 eligible ingredients gives a candidate; turned down by pool 14/,
    );
  });

  it('says that no category is large enough before any rule is tried', () => {
    const world = flatWorld([anchor, ...fan(5, 'x', 10, 5)]);
    expect(() => compile(world, { families: ['substitution'] })).toThrow(
      /substitution: no category has 13 eligible ingredients, .* the largest, Herb, has 6/,
    );
  });

  it('says which stratum is short and what took its candidates', () => {
    const world = flatWorld(fan(40, 'x', 0, 2));
    const design = { families: ['substitution'] as const, perStratum: 8, categoryCap: 20 };
    expect(() => compile(world, design)).toThrow(
      /stratum 3: 4 of 8 tasks; of 10 candidates 0 have an anchor already used, 6 are beyond 20 of one category/,
    );
    expect(() => compile(world, { ...design, categoryCap: 99 })).toThrow(/covers 1 categories, 8 needed/);
  });

  it('names the task whose optimum is shared, or drops it first', () => {
    const twins = [...fan(16, 'x', 0, 10), ...fan(16, 'y', 0, 10)];
    const design = {
      families: ['substitution'] as const,
      perStratum: 1,
      leastCategories: 1,
      substitution: { ...RELEASED_DESIGN.substitution, keep: 8 },
    };
    expect(() => compile(flatWorld(twins), design)).toThrow(
      /fb-executable-substitution-00\d \(anchor \w+\): \d+ portfolios score 10000/,
    );
    const sieved = compile(flatWorld(twins), { ...design, scoreability: 'before' });
    expect(sieved.document.tasks.every((task) => task.optimal_margin_bps > 0)).toBe(true);
    expect(sieved.families[0]!.rejections.some(({ rule }) => rule === 'tied_optimum')).toBe(true);
  });

  it('needs tags', () => {
    expect(() => compile({ ...flatWorld([anchor]), tags: null }, {})).toThrow(/tag table/);
  });
});
