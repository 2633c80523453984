import { describe, expect, it } from 'vitest';
import {
  closestMode,
  compareOnAxis,
  culturalProfile,
  flavourCorrelations,
  onFactor,
} from '../../src/environment/axes.js';
import { allCategoriesDiffer, dietMisses, meetsDiet } from '../../src/environment/diet.js';
import { type Environment, unitRows } from '../../src/environment/environment.js';
import { importEnvironment } from '../../src/environment/import-environment.js';
import { morph, paretoNavigate } from '../../src/environment/morph.js';
import { levelOf, neighbours, pairingScore, similarity } from '../../src/environment/similarity.js';
import { folderWith, npy, smallCheckpoint, smallRuntime } from '../support/environment-files.js';
import { freshFolder } from '../support/folders.js';

const load = async (files: Record<string, string | Buffer>): Promise<Environment> =>
  (await importEnvironment({ home: freshFolder(), name: 'small', folder: folderWith(files) })).environment;
const modes = {
  'mode_poles.npy': npy({ shape: [2, 4], values: [0, 0, 0, 3, 1, 1, 0, 0] }),
  'factor_dirs.npy': npy({ shape: [1, 4], values: [1, 0, 0, 0] }),
};
const small = await load({ ...smallRuntime(), ...modes });
const row = (name: string) => small.names.indexOf(name);
const names = (list: readonly { name: string }[]) => list.map(({ name }) => name);

describe('rows of length 1', () => {
  it('keep a row of zeros as it is', () => {
    const units = unitRows(Float32Array.of(3, 4, 0, 0, 0, 0), 3);
    expect([...units]).toEqual([0.6, 0.8, 0, 0, 0, 0]);
  });
});

describe('the similarity of ingredients', () => {
  it('is the cosine of their vectors', () => {
    expect(similarity(small, row('apple'), row('basil'))).toBeCloseTo(0.6, 7);
    expect(similarity(small, row('basil'), row('cherry_tomato'))).toBeCloseTo(0.48, 7);
    expect(similarity(small, row('egg'), row('egg'))).toBeCloseTo(1, 15);
  });

  it('ranks neighbours without the row itself, ties in row order', () => {
    expect(names(neighbours(small, row('apple'), 3))).toEqual(['basil', 'egg', 'cherry_tomato']);
    expect(names(neighbours(small, row('apple'), 99)).slice(2)).toEqual(['cherry_tomato', 'dill', 'sea_salt']);
  });

  it('labels a pair against all pairs', () => {
    const cosines = small.names.flatMap((_, a) =>
      small.names.slice(a + 1).map((__, j) => similarity(small, a, a + 1 + j)),
    );
    cosines.sort((x, y) => x - y);
    const pair = pairingScore(small, row('apple'), row('sea_salt'));
    expect(pair.level).toBe('very low');
    expect(pair.p10).toBeCloseTo(cosines[1]! + 0.4 * (cosines[2]! - cosines[1]!), 12);
    expect(pair.p90).toBeCloseTo(cosines[12]! + 0.6 * (cosines[13]! - cosines[12]!), 12);
    expect(pairingScore(small, row('basil'), row('egg')).level).toBe('very high');
  });
});

describe('the label of a value', () => {
  it.each([
    [0, 'very low'],
    [10, 'very low'],
    [37.9, 'low'],
    [38, 'moderate'],
    [50, 'moderate'],
    [62, 'moderate'],
    [62.1, 'high'],
    [90, 'very high'],
  ] as const)('that is %d between p10 = 10 and p90 = 90 is %s', (value, level) => {
    expect(levelOf(value, { p10: 10, p90: 90 })).toBe(level);
  });
});

describe('named directions', () => {
  it('give a cultural profile, largest first', () => {
    expect(culturalProfile(small, row('dill'))).toEqual([
      { cuisine: 'Japanese', value: 1 },
      { cuisine: 'Mediterranean', value: 0 },
    ]);
  });

  it('compare two ingredients: second minus first', () => {
    const made = compareOnAxis(small, {
      axis: 'cf_sweet',
      first: row('sea_salt'),
      second: row('apple'),
    });
    expect(made.first.value).toBeCloseTo(-Math.SQRT1_2, 7);
    expect(made.delta).toBeCloseTo(1 + Math.SQRT1_2, 7);
    expect([made.first.level, made.second.level]).toEqual(['very low', 'very high']);
  });

  it('have correlations with one another', () => {
    expect(flavourCorrelations(small)).toEqual([
      { first: 'cf_sweet', second: 'cf_fruity', cosine: expect.closeTo(Math.SQRT1_2, 7) },
    ]);
    expect(flavourCorrelations(small, 0.8)).toEqual([]);
  });

  it('read modes and factors where there are such', async () => {
    expect(closestMode(small, row('dill'))).toEqual({ name: 'mode_0', value: 1 });
    expect(closestMode(small, row('basil'))?.name).toBe('mode_1');
    expect(onFactor(small, { row: row('apple'), factor: 'factor_0' })).toEqual({
      value: 1,
      percentile: 1,
    });
    expect(onFactor(small, { row: row('sea_salt'), factor: 'factor_0' }).percentile).toBe(0);
    expect(closestMode(await load(smallRuntime()), 0)).toBeNull();
  });

  it('that do not exist are refused with the list of those that do', async () => {
    expect(() => onFactor(small, { row: 0, factor: 'cf_umami' })).toThrow(/no direction "cf_umami"/);
    const bare = { ...smallCheckpoint() };
    delete bare['cuisine_poles.json'];
    const space = await load(bare);
    expect(() => culturalProfile(space, 0)).toThrow(/has no cuisine directions/);
  });
});

describe('the operation morph', () => {
  const turn = (degrees: number) =>
    morph(small, {
      seed: row('apple'),
      target: small.directions.get('Japanese')!.unit,
      degrees,
      count: 5,
    });

  it('turns by an angle in the plane of ingredient and target', () => {
    expect(turn(0)).toEqual(neighbours(small, row('apple'), 5));
    expect(turn(90)[0]).toMatchObject({ name: 'dill', value: expect.closeTo(1, 12) });
    expect(turn(60)[0]).toMatchObject({
      name: 'dill',
      value: expect.closeTo(Math.sin(Math.PI / 3), 12),
    });
  });

  it('refuses a target in the direction of the ingredient', () => {
    const target = small.directions.get('cf_sweet')!.unit;
    expect(() => morph(small, { seed: row('apple'), target, degrees: 10, count: 1 })).toThrow(/no way to turn/);
  });
});

describe('the frontier between a direction and an ingredient', () => {
  it('keeps what is nearer than everything farther along', () => {
    const target = small.directions.get('Japanese')!.unit;
    const made = paretoNavigate(small, { seed: row('apple'), target });
    expect(names(made)).toEqual(['egg', 'basil']);
    expect(made[0]!.projection).toBeGreaterThan(made[1]!.projection);
    expect(made[0]!.proximity).toBeLessThan(made[1]!.proximity);
  });
});

describe('the feasibility of a portfolio', () => {
  const tags = small.tags!;
  it('needs the flag and a known NOVA level within the limit', () => {
    const rule = { diet: 'vegan', maximumNova: 1 } as const;
    expect(small.names.filter((_, i) => meetsDiet(tags[i]!, rule))).toEqual(['apple', 'basil', 'cherry_tomato']);
    expect(dietMisses(small, row('egg'), rule)).toEqual(['not vegan', 'no NOVA level']);
    expect(dietMisses(small, row('sea_salt'), rule)).toEqual(['NOVA 2 above 1']);
    expect(dietMisses(small, row('dill'), { diet: 'vegan', maximumNova: null })).toEqual([]);
  });

  it('asks different categories of a composition', () => {
    expect(allCategoriesDiffer(small, [0, 1, 2])).toBe(true);
    expect(allCategoriesDiffer(small, [0, 1, 3])).toBe(false);
  });

  it('cannot be told without tags', async () => {
    const bare = await load(smallCheckpoint());
    expect(() => allCategoriesDiffer(bare, [0])).toThrow(/composition feasibility needs a tag table/);
    expect(names(neighbours(bare, 0, 1))).toEqual(['basil']);
  });
});
