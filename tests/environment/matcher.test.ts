import { describe, expect, it } from 'vitest';
import { foldName, nameMatcher } from '../../src/environment/matcher.js';

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
    ['cherry sun tomato paste', 'cherry_tomato', 'words'],
    ['smoked firm tofu block', 'extra_firm_tofu_block', 'overlap'],
  ])('takes %j for %s (%s)', (asked, name, how) => {
    const match = matcher.match(asked);
    expect([match.name, match.how]).toEqual([name, how]);
    expect(names[match.row]).toBe(name);
  });

  it('prefers the name whose last word is meant, and lists the others', () => {
    const match = matcher.match('pepper');
    expect(match.how).toBe('words');
    expect([match.name, ...match.others]).toEqual(['black_pepper', 'bell_pepper', 'pepper_sauce']);
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
