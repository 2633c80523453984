import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { CUISINES, dot, type Environment, unitRow } from '../../src/environment/environment.js';
import { openPantry } from '../../src/environment/pantry/pantry.js';
import { PANTRY_RECIPE } from '../../src/environment/pantry/pantry-recipe.js';
import { type Ingredient, readPantryTables } from '../../src/environment/pantry/pantry-tables.js';
import { hashedDirections } from '../../src/environment/pantry/pantry-vectors.js';
import { openEnvironment } from '../../src/environment/store.js';
import { sha256 } from '../../src/io/digest.js';

let pantry: Environment;
const { ingredients, notes, uses, dishes } = readPantryTables();
const byName = new Map(ingredients.map((ingredient) => [ingredient.name, ingredient]));
const of = (name: string): Ingredient => byName.get(name)!;

beforeAll(() => {
  pantry = openPantry();
});

function nearest(name: string, category: string, count: number): string[] {
  const row = pantry.names.indexOf(name);
  return pantry.names
    .map((other, i) => ({ other, i, sim: dot(unitRow(pantry, row), unitRow(pantry, i)) }))
    .filter(({ i }) => i !== row && pantry.tags![i]!.category === category)
    .sort((a, b) => b.sim - a.sim)
    .slice(0, count)
    .map(({ other }) => other);
}

describe('the tables of the pantry', () => {
  it('hold enough ingredients in every core category', () => {
    const count = new Map<string, number>();
    for (const { kind } of ingredients) count.set(kind.category, (count.get(kind.category) ?? 0) + 1);
    expect(ingredients.length).toBeGreaterThanOrEqual(1300);
    expect([...count.keys()].sort()).toEqual(
      'Beverage,Dairy,Fat/Oil,Fish,Fruit,Grain,Herb,Legume,Meat,Nut/Seed,Pantry,Seafood,Spice,Sweet,Vegetable'.split(
        ',',
      ),
    );
    for (const [category, members] of count) expect(members, category).toBeGreaterThanOrEqual(45);
  });

  it('use every note, use and kind they declare, and two ingredients or more a dish', () => {
    const used = new Set(ingredients.flatMap((i) => [...i.notes, ...i.uses]));
    expect([...notes.keys(), ...uses.keys()].filter((word) => !used.has(word))).toEqual([]);
    expect([...dishes].filter(([, made]) => made.length < 2)).toEqual([]);
    for (const { name, notes: own, regions } of ingredients) {
      expect(own.length, name).toBeGreaterThan(0);
      expect(regions.length, name).toBeGreaterThan(0);
    }
  });

  it('agree with what a cook knows about diets', () => {
    const diets: Record<string, string[]> = {
      vegan: ['maple_syrup', 'tahini', 'agave_syrup', 'hummus', 'soy_sauce', 'nori', 'dark_soy', 'sourdough'],
      vegetarian: ['honey', 'mead', 'ghee', 'hen_egg', 'mayonnaise', 'brioche', 'cheddar', 'milk_chocolate'],
      omnivore: [
        'oyster_sauce',
        'worcestershire_sauce',
        'fish_sauce',
        'kimchi',
        'gelatine_leaf',
        'marshmallow',
        'gummy_bear',
        'parmigiano_reggiano',
        'lard',
        'dashi',
        'thai_red_curry_paste',
        'shrimp_paste',
        'ponzu',
      ],
    };
    for (const [diet, names] of Object.entries(diets)) for (const name of names) expect(of(name).diet, name).toBe(diet);
    const wrong = ingredients.filter(({ diet, kind: { category } }) => {
      if (['Meat', 'Fish', 'Seafood'].includes(category)) return diet !== 'omnivore';
      if (category === 'Dairy') return diet === 'vegan';
      if (['Fruit', 'Herb'].includes(category)) return diet !== 'vegan';
      return false;
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it('agree with the NOVA groups', () => {
    for (const { name, kind, nova } of ingredients) {
      if (kind.category === 'Herb') expect(nova, name).toBe(1);
      if (kind.kind === 'spirit') expect(nova, name).toBe(4);
      if (['wine', 'beer_and_cider', 'cured_fish'].includes(kind.kind)) expect(nova, name).toBeGreaterThanOrEqual(3);
      if (kind.kind === 'sugar') expect(nova, name).toBe(2);
    }
    for (const [name, nova] of [
      ['butter', 2],
      ['cheddar', 3],
      ['margarine', 4],
      ['cola', 4],
      ['whole_milk', 1],
      ['instant_ramen', 4],
      ['sea_bass', 1],
      ['honey', 2],
    ] as const)
      expect(of(name).nova, name).toBe(nova);
  });
});

describe('the vectors of the pantry', () => {
  it('are the same bytes each time, finite, of length 1, all different', () => {
    const again = openPantry();
    expect(sha256(new Uint8Array(again.raw.buffer))).toBe(sha256(new Uint8Array(pantry.raw.buffer)));
    expect(again.identity).toEqual(pantry.identity);
    for (let row = 0; row < pantry.names.length; row += 1) {
      const unit = unitRow(pantry, row);
      expect(dot(unit, unit)).toBeCloseTo(1, 12);
    }
    const rows = new Set(pantry.names.map((_, row) => unitRow(pantry, row).join()));
    expect(rows.size).toBe(pantry.names.length);
  });

  it('are made of the bits of SHA-256', () => {
    const bytes = createHash('sha256').update('flavourbench-pantry/1\0note:smoky\x001').digest();
    const direction = hashedDirections(PANTRY_RECIPE)('note:smoky');
    const bits = Array.from({ length: 44 }, (_, i) => (((bytes[i >> 3]! >> (i & 7)) & 1) === 1 ? 1 : -1));
    expect([...direction.subarray(256)]).toEqual(bits);
  });

  it.each([
    ['rosemary', 'Herb', ['thyme', 'lemon_thyme', 'sage', 'myrtle']],
    ['lime', 'Fruit', ['calamansi', 'bitter_orange']],
    ['cod', 'Fish', ['haddock']],
    ['espresso', 'Beverage', ['turkish_coffee', 'filter_coffee']],
    ['rosemary', 'Meat', ['lamb_leg', 'lamb_chop']],
    ['basil', 'Dairy', ['mozzarella']],
    ['miso', 'Vegetable', ['wakame', 'nori']],
    ['strawberry', 'Dairy', ['clotted_cream']],
  ] as const)('put near %s, among %s, what a cook would', (name, category, expected) => {
    const found = nearest(name, category, 10);
    for (const other of expected) expect(found).toContain(other);
  });

  it('give every cuisine a direction its own ingredients lean to', () => {
    for (const cuisine of CUISINES) {
      const { unit, kind } = pantry.directions.get(cuisine)!;
      expect(kind).toBe('cuisine');
      const order = pantry.names
        .map((name, row) => ({ name, lean: dot(unitRow(pantry, row), unit) }))
        .sort((a, b) => b.lean - a.lean)
        .slice(0, 40);
      const own = order.filter(({ name }) => of(name).regions.includes(cuisine));
      expect(own.length, cuisine).toBeGreaterThanOrEqual(36);
    }
  });
});

describe('the name pantry', () => {
  it('opens without an import and has an identity of its tables', async () => {
    const opened = await openEnvironment({ home: '/nonexistent', name: 'pantry' });
    expect(opened.identity.kind).toBe('pantry');
    expect(opened.identity.sha256).toBe(pantry.identity.sha256);
    expect(opened.identity.files.map(({ path }) => path)).toContain('ingredients/herb.csv');
    expect(opened.variants.get('zucchini')).toBe(opened.names.indexOf('courgette'));
  });
});
