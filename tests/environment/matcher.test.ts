import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { foldName } from '../../src/environment/asked-name.js';
import { nameMatcher } from '../../src/environment/matcher.js';
import { stem } from '../../src/environment/name-words.js';
import { openPantry } from '../../src/environment/pantry/pantry.js';

const names = [
  'tomato',
  'sun_dried_tomato',
  'cherry_tomato',
  'black_pepper',
  'bell_pepper',
  'pepper_sauce',
  'olive_oil',
  'ground_beef',
  'beef',
  'jalapeno',
  'blackberry',
  'molasses',
  'soy_sauce',
  'extra_firm_tofu_block',
];
const variants = new Map([
  ['aubergine', 0],
  ['shoyu', 12],
]);
const matcher = nameMatcher({ name: 'x', names, variants });

describe('the name matcher', () => {
  it.each([
    ['tomato', 'tomato', 'exact'],
    ['  Olive Oil ', 'olive_oil', 'exact'],
    ['Jalapeño', 'jalapeno', 'exact'],
    ['ground beef', 'ground_beef', 'exact'],
    ['Shoyu', 'soy_sauce', 'variant'],
    ['freshly chopped tomato', 'tomato', 'preparation'],
    ['large shoyu', 'soy_sauce', 'preparation'],
    ['minced beef', 'beef', 'preparation'],
    ['tomatoes', 'tomato', 'plural'],
    ['blackberries', 'blackberry', 'plural'],
    ['molasses', 'molasses', 'exact'],
    ['diced tomatoes', 'tomato', 'preparation'],
    ['italian olive oil', 'olive_oil', 'words'],
    ['extra firm tofu', 'extra_firm_tofu_block', 'words'],
    ['red bell pepper flakes', 'bell_pepper', 'words'],
    ['sweet soy glaze sauce', 'soy_sauce', 'words'],
    ['smoked firm tofu block', 'extra_firm_tofu_block', 'overlap'],
  ])('takes %j for %s (%s)', (asked, name, how) => {
    const match = matcher.match(asked);
    expect([match.name, match.how]).toEqual([name, how]);
    expect(names[match.row]).toBe(name);
  });

  it('prefers the name whose last word is meant, and lists the others', () => {
    const match = matcher.match('pepper');
    expect(match.how).toBe('words');
    expect([match.name, ...match.others]).toEqual(['black_pepper', 'bell_pepper']);
  });

  it.each(['cherry sun tomato paste', 'pepper paste', 'beef stock'])('takes %j for no part of it', (asked) => {
    expect(() => matcher.match(asked)).toThrow(/is not an ingredient/);
  });

  it('suggests spellings when nothing fits', () => {
    expect(() => matcher.match('tomahto')).toThrow(
      expect.objectContaining({
        code: 'INGREDIENT_UNKNOWN',
        hint: expect.stringContaining('tomato'),
      }),
    );
    expect(() => matcher.match('')).toThrow(/not an ingredient/);
    expect(() => matcher.match('fresh')).toThrow(/not an ingredient/);
    expect(() => matcher.match('x'.repeat(1e6))).toThrow(/not an ingredient/);
  });

  it('matches names that are not in underscore form', () => {
    const own = nameMatcher({
      name: 'y',
      names: ['Sea Salt', 'Crème fraîche'],
      variants: new Map(),
    });
    expect(own.match('creme fraiche')).toMatchObject({ row: 1, how: 'exact' });
    expect(own.match('Sea Salt')).toMatchObject({ row: 0, how: 'exact' });
  });

  it('folds case, accents and punctuation', () => {
    expect(foldName(' Crème-fraîche  (30 %) ')).toBe('creme_fraiche_30');
  });
});

/** What a cook means, written by hand: null where the pantry has nothing that is it. */
const PANTRY_NAMES: readonly (readonly [string, string | null])[] = [
  ['2 tbsp extra-virgin olive oil', 'olive_oil'],
  ['3 cloves of garlic, minced', 'garlic'],
  ['10 cloves', 'clove'],
  ['½ cup brown sugar, packed', 'brown_sugar'],
  ['1 (14 oz) can chopped tomatoes', 'tomato'],
  ['thumb-sized piece of ginger', 'ginger'],
  ['ginger, 1 inch piece', 'ginger'],
  ['butter or margarine', 'butter'],
  ['tuna in oil', 'bluefin_tuna'],
  ['aubergine (eggplant)', 'aubergine'],
  ['onions, red', 'red_onion'],
  ['pepper, black', 'black_pepper'],
  ['red peppers', 'red_bell_pepper'],
  ['green peppers', 'green_bell_pepper'],
  ['Crème Fraîche (30 %)', 'creme_fraiche'],
  ['jalapeños', 'jalapeno'],
  ["goat's cheese", 'chevre'],
  ['sweet potatoes', 'sweet_potato'],
  ['potatoes', 'potato'],
  ['anchovies', 'anchovy_fillet'],
  ['blackberries', 'blackberry'],
  ['curry leaves', 'curry_leaf'],
  ['fresh basil leaves, torn', 'basil'],
  ['mangoes', 'mango'],
  ['radishes', 'radish'],
  ['olives, green', 'green_olive'],
  ['chick peas', 'chickpea'],
  ['chicken breast fillets', 'chicken_breast'],
  ['chicken breasts without skin', 'chicken_breast'],
  ['unsalted peanuts', 'peanut'],
  ['peanut butter, no sugar added', 'peanut_butter_natural'],
  ['dairy-free dark chocolate', 'dark_chocolate'],
  ['veggie burgers', 'veggie_burger_patty'],
  ['free-range eggs', 'hen_egg'],
  ['sugar-free chocolate', null],
  ['chocolate (no sugar)', null],
  ['alcohol-free beer', null],
  ['non-dairy creamer', null],
  ['milk, dairy free', null],
  ['fat-free milk', null],
  ['low-fat milk', null],
  ['egg substitute', null],
  ['vegan mayonnaise', null],
  ['gluten-free flour', null],
  ['cashew butter', null],
  ['almond flour', null],
  ['salt and pepper', null],
];

describe('names as people write them', () => {
  const pantry = openPantry();
  const kitchen = nameMatcher(pantry);
  const taken = (asked: string): string | null => {
    try {
      return kitchen.match(asked).name;
    } catch (error) {
      expect(error).toMatchObject({ code: 'INGREDIENT_UNKNOWN' });
      return null;
    }
  };

  it('takes every name of the case file for the most specific one, and none for its opposite', () => {
    const asked = readFileSync('fixtures/cases/embeddings/names-asked.txt', 'utf8').trimEnd().split('\n');
    expect(asked.map((name) => [name, taken(name)])).toEqual([
      ['peanut butter', 'peanut_butter_natural'],
      ['vegan butter', null],
      ['chicken-free nuggets', null],
      ['3 spring onions, thinly sliced', 'scallion'],
      ['bay leaves', 'bay_leaf'],
      ['peppers', 'red_bell_pepper'],
      ['cherries', 'sweet_cherry'],
    ]);
  });

  it.each(PANTRY_NAMES)('takes %j of the pantry for %j', (asked, name) => {
    expect(taken(asked)).toBe(name);
  });

  it.each([
    'free',
    'no',
    'without',
    'non',
    '()',
    ',',
    '3',
    '½',
    'of',
    'vegan',
    'no no no',
    'x-free and',
    'a (b',
    '-less',
    'peppers peppers',
    '\u0000',
    '🍎',
  ])('answers %j with a name or a refusal', (asked) => {
    const name = taken(asked);
    expect(name === null || pantry.names.includes(name)).toBe(true);
    expect(kitchen.suggest(asked, 3).length).toBeLessThanOrEqual(3);
  });

  it('offers no opposite as the nearest spelling, and says why it was not taken', () => {
    const refused = expect.objectContaining({
      message: expect.stringContaining('does not say or prove what it is without'),
      hint: expect.not.stringMatching(/[ ,](?:butter|garlic_butter|cultured_butter)[,.]/),
    });
    expect(() => kitchen.match('vegan butter')).toThrow(refused);
  });

  it.each([
    ['sugar', ['sugar_free_gum', 'brown_sugar'], 'brown_sugar'],
    ['milk', ['non_dairy_milk', 'milk_chocolate'], null],
    ['non-dairy milk', ['milk', 'non_dairy_milk'], 'non_dairy_milk'],
    ['chicken', ['chicken_free_nuggets', 'vegan_chicken'], null],
    ['chicken-free nuggets', ['chicken_nuggets', 'vegan_chicken_nuggets'], null],
    ['vegan nuggets', ['chicken_nuggets', 'vegan_wheat_nuggets'], 'vegan_wheat_nuggets'],
    ['vegan butter', ['butter', 'plant_based_butter'], 'plant_based_butter'],
    ['butter', ['vegan_butter', 'peanut_butter', 'peanut'], null],
    ['peanut butter', ['butter', 'peanut'], null],
    ['unsalted butter', ['salted_butter', 'butter_salted'], null],
    ['beer without alcohol', ['beer', 'alcohol_free_beer'], 'alcohol_free_beer'],
    ['sugarless gum', ['sugar_gum', 'sugar_free_gum'], 'sugar_free_gum'],
    ['crab', ['imitation_crab'], null],
    ['green olives', ['black_olive'], null],
    ['dried apricots', ['fresh_apricot'], null],
    ['potato', ['sweet_potato', 'potato_starch'], null],
    ['apple', ['apple_juice', 'crab_apple'], null],
    ['smørrebrød', ['smorrebrod'], 'smorrebrod'],
    ['bœuf', ['boeuf'], 'boeuf'],
  ])('takes %j among %j for %j', (asked, own, name) => {
    const small = nameMatcher({ name: 'z', names: own, variants: new Map() });
    if (name === null) expect(() => small.match(asked)).toThrow(/is not an ingredient/);
    else expect(small.match(asked).name).toBe(name);
  });

  it.each([
    ['cherries', 'cherry'],
    ['cookies', 'cookie'],
    ['leaves', 'leaf'],
    ['loaves', 'loaf'],
    ['cloves', 'clove'],
    ['olives', 'olive'],
    ['chives', 'chive'],
    ['tomatoes', 'tomato'],
    ['pistachios', 'pistachio'],
    ['sloes', 'sloe'],
    ['peaches', 'peach'],
    ['quiches', 'quiche'],
    ['radishes', 'radish'],
    ['cheeses', 'cheese'],
    ['octopuses', 'octopus'],
    ['geese', 'goose'],
    ['chillies', 'chilli'],
    ['pies', 'pie'],
  ])('%s and %s have one form', (plural, singular) => {
    expect(stem(plural)).toBe(stem(singular));
  });

  it.each(['hummus', 'asparagus', 'cassis', 'couscous', 'watercress'])('%s is no plural', (word) => {
    expect(stem(word)).toBe(word);
  });
});
