import { describe, expect, it } from 'vitest';
import { compareOnAxis, culturalProfile, flavourCorrelations, onFactor } from '../../src/environment/axes.js';
import { CUISINES } from '../../src/environment/environment.js';
import { importEnvironment } from '../../src/environment/import-environment.js';
import { nameMatcher } from '../../src/environment/matcher.js';
import { morph, paretoNavigate } from '../../src/environment/morph.js';
import { findPairings } from '../../src/environment/pairings.js';
import { neighbours, pairingScore } from '../../src/environment/similarity.js';
import { sha256 } from '../../src/io/digest.js';
import { readInput } from '../../src/io/file.js';
import { freshFolder } from '../support/folders.js';
import { noShared, noSharedReason, shared } from '../support/shared.js';

const tags = () => shared('data/bundle/ingredient_tags.csv');
const load = async (folder: string, given: object) =>
  (await importEnvironment({ home: freshFolder(), name: 'x', folder: shared(folder), given })).environment;

describe.skipIf(noShared)(`released files (${noSharedReason})`, async () => {
  const cooc = noShared ? null! : await load('data/checkpoints/cooc', { tags: tags() });
  const core = noShared
    ? null!
    : await load('data/checkpoints/core', {
        tags: tags(),
        directions: shared('data/bundle/supervised_directions.npz'),
      });
  const row = (name: string) => cooc.names.indexOf(name);
  const rounded = (list: readonly { name: string; value: number }[]) =>
    list.map(({ name, value }) => [name, Number(value.toFixed(4))]);

  it('load as both checkpoints, the frozen tags and the directions', () => {
    for (const environment of [cooc, core]) {
      expect(environment.identity.kind).toBe('checkpoint');
      expect([environment.names.length, environment.dims]).toEqual([1790, 300]);
      expect(environment.tags?.filter((each) => each?.vegan)).toHaveLength(1450);
      expect(environment.tags?.filter((each) => each?.nova === null)).toHaveLength(230);
      expect(environment.tags?.filter((each) => each?.foodGroup !== each?.category)).toEqual([]);
    }
    expect(cooc.names).toEqual(core.names);
    expect([...cooc.directions.keys()]).not.toContain('Eastern_European');
    expect(core.directions.size).toBe(38);
    expect(CUISINES.every((name) => core.directions.get(name)?.kind === 'cuisine')).toBe(true);
  });

  it('have the digests of the registry', () => {
    const files = new Map(cooc.identity.files.map(({ path, sha256: digest }) => [path, digest]));
    expect(files.get('embeddings.safetensors')).toMatch(/^5ce3bdd03deb8cc8/);
    expect(files.get('vocab.json')).toMatch(/^5a10278cd71eeb66/);
    expect(files.get('ingredient_tags.csv')).toMatch(/^8f52e83a072069f4/);
    expect(sha256(readInput(shared('data/bundle/ingredient_list.csv')))).toMatch(/^31f46abfce52a186/);
  });

  it('give the neighbours, labels, profiles and paths that numpy gives', () => {
    expect(rounded(neighbours(cooc, row('basil'), 5))).toEqual([
      ['parsley', 0.4518],
      ['olive_oil', 0.4412],
      ['parmesan_cheese', 0.4408],
      ['black_pepper', 0.418],
      ['white_wine', 0.3937],
    ]);
    const pair = pairingScore(cooc, row('basil'), row('tomato'));
    expect(pair.value).toBeCloseTo(0.3186513611864541, 12);
    expect(pair.p10).toBeCloseTo(0.0182644, 6);
    expect(pair.p90).toBeCloseTo(0.18838321, 7);
    expect(pair.level).toBe('very high');
    expect(
      culturalProfile(cooc, row('soy_sauce'))
        .map(({ cuisine }) => cuisine)
        .slice(0, 3),
    ).toEqual(['East_Asian', 'Southeast_Asian', 'Japanese']);
    const target = cooc.directions.get('East_Asian')!.unit;
    expect(rounded(morph(cooc, { seed: row('basil'), target, degrees: 45, count: 4 }))).toEqual([
      ['garlic', 0.4963],
      ['black_pepper', 0.4743],
      ['oyster_mushroom', 0.4677],
      ['chili_pepper', 0.4655],
    ]);
    const path = paretoNavigate(cooc, {
      seed: row('basil'),
      target: cooc.directions.get('Japanese')!.unit,
    });
    expect(path.map(({ name }) => name)).toEqual(['shrimp', 'garlic', 'black_pepper', 'olive_oil', 'parsley']);
    const axis = compareOnAxis(core, {
      axis: 'cf_sweet',
      first: row('honey'),
      second: row('lemon'),
    });
    expect(axis.delta).toBeCloseTo(-0.02419668941022449 - 0.001794258688840587, 12);
    expect(axis.spread.p10).toBeCloseTo(-0.07626482, 7);
    expect(onFactor(core, { row: row('honey'), factor: 'cf_sweet' }).percentile).toBeCloseTo(0.6210173281162661, 12);
    const axes = flavourCorrelations(core);
    expect([axes.length, axes[0]?.first, axes[0]?.second]).toEqual([40, 'cf_citrus', 'cf_woody']);
    expect(axes[0]?.cosine).toBeCloseTo(0.8447768461810194, 12);
  });

  it('give pairings that keep the diet and share no word with the seed', () => {
    const rule = { diet: 'vegan', maximumNova: 2 } as const;
    const { primaries } = findPairings(cooc, { seeds: [row('tomato')], rule });
    expect(primaries).toHaveLength(8);
    for (const each of primaries.flatMap((primary) => [primary, ...primary.secondaries])) {
      const tag = cooc.tags![each.row]!;
      expect(tag.vegan && tag.nova !== null && tag.nova <= 2).toBe(true);
      expect(each.name.split('_')).not.toContain('tomato');
    }
  });

  it('are found by forgiving names', () => {
    const { match } = nameMatcher(cooc);
    expect(match('Fresh basil').name).toBe('basil');
    expect(match('Tomatoes').name).toBe('tomato');
    for (const name of cooc.names) expect(match(name)).toMatchObject({ name, how: 'exact' });
  });
});
