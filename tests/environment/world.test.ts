import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { similarity } from '../../src/environment/similarity.js';
import { readWorld } from '../../src/environment/world.js';
import { freshFolder } from '../support/folders.js';

const folder = freshFolder();
let serial = 0;
type Json = Record<string, unknown>;
const item = (name: string, change: Json = {}): Json => ({
  name,
  category: 'thing',
  terms: { size: name.length },
  ...change,
});
const family = (change: Json = {}): Json => ({
  id: 'near',
  kind: 'near things',
  question: 'What is near `{anchor}`?',
  utility: { similarity: 1 },
  ...change,
});
const world = (change: Json = {}): Json => ({
  schema: 'flavourbench-world/1',
  name: 'small',
  about: 'a test',
  preamble: 'A test.',
  items: ['a', 'bb', 'ccc', 'dddd', 'e'].map((name) => item(name)),
  choices: 3,
  select: 2,
  families: [family()],
  ...change,
});
function read(document: unknown) {
  serial += 1;
  const path = join(folder, `w${serial}.json`);
  writeFileSync(path, typeof document === 'string' ? document : JSON.stringify(document));
  return readWorld(path);
}
const vectors = [
  [1, 0],
  [0, 2],
  [1, 1],
  [1, 0],
  [-1, 0],
];

describe('a world file', () => {
  it('places items by their vectors', () => {
    const items = ['a', 'b', 'c', 'd', 'e'].map((name, i) => item(name, { vector: vectors[i] }));
    const { environment } = read(world({ items }));
    expect([environment.identity.kind, environment.dims]).toEqual(['world', 2]);
    expect(similarity(environment, 0, 2)).toBeCloseTo(Math.SQRT1_2, 12);
    expect(similarity(environment, 0, 4)).toBe(-1);
  });

  it('places items by their standardised terms when there are no vectors', () => {
    const items = [1, 2, 3, 6].map((size, i) => item(`i${i}`, { terms: { size, same: 4 } }));
    const { environment, terms } = read(world({ items }));
    expect([...terms.get('size')!]).toEqual([1, 2, 3, 6]);
    const deviation = Math.sqrt((4 + 1 + 0 + 9) / 4);
    expect([...environment.raw]).toEqual([-2, -1, 0, 3].flatMap((away) => [Math.fround(away / deviation), 0]));
  });

  it('has another identity after one changed byte', () => {
    expect(read(world()).sha256).toBe(read(world()).sha256);
    expect(read(world({ about: 'a tesT' })).sha256).not.toBe(read(world()).sha256);
  });

  const context = { name: 'c', category: 'x', text: 'a case', terms: { size: 1 } };
  it.each<[string, unknown, RegExp]>([
    ['a key twice', '{"schema":1,"schema":2}', /"schema" stands twice/],
    ['another schema', world({ schema: 'x' }), /: schema: /],
    ['an unknown key', world({ extra: 1 }), /extra/],
    ['an item twice', world({ items: [...'aabcd'].map((name) => item(name)) }), /items\[1\]\.name: "a" is also item 0/],
    [
      'a name that no answer can name',
      world({ items: ['A b', 'b', 'c', 'd'].map((name) => item(name)) }),
      /items\[0\]\.name: lower-case words/,
    ],
    [
      'vectors of two widths',
      world({
        items: ['a', 'b', 'c', 'd'].map((name, i) => item(name, { vector: i === 2 ? [1] : [1, 2] })),
      }),
      /items\[2\]\.vector: "c" has 1 numbers, the first item has 2/,
    ],
    [
      'a number past float32',
      world({ items: ['a', 'b', 'c', 'd'].map((name) => item(name, { terms: { size: 1e300 } })) }),
      /items\[0\]\.terms\.size: a number in the range of float32, found 1e\+300/,
    ],
    ['as many members as choices', world({ select: 3 }), /: select: fewer members than choices/],
    ['synergy of a stranger', world({ synergy: [['a', 'zz', 1]] }), /synergy\[0\]: "zz" is not an item/],
    [
      'synergy twice',
      world({
        synergy: [
          ['a', 'bb', 1],
          ['bb', 'a', 2],
        ],
      }),
      /synergy\[1\]: "bb" and "a" stand twice/,
    ],
    ['synergy with itself', world({ synergy: [['a', 'a', 1]] }), /are one item/],
    ['a family twice', world({ families: [family(), family()] }), /families\[0\]\.id: "near" is used twice/],
    [
      'a weight on synergy that is not there',
      world({ families: [family({ utility: { similarity: 1, synergy: 0.5 } })] }),
      /states no synergy/,
    ],
    [
      'nothing to rank by',
      world({ families: [family({ utility: { coherence: 1 } })] }),
      /similarity or value must have a weight/,
    ],
    ['a value without terms', world({ families: [family({ utility: { value: 1 } })] }), /a value needs terms/],
    [
      'an unknown term',
      world({ families: [family({ utility: { value: 1, terms: { weight: 1 } } })] }),
      /families\[0\]\.utility\.terms: no item states the term "weight"/,
    ],
    [
      'similarity to a context',
      world({ families: [family({ contexts: [context], utility: { similarity: 1 } })] }),
      /a context is no item/,
    ],
    [
      'similarity without a space',
      world({ items: ['a', 'b', 'c', 'd'].map((name) => item(name, { terms: {} })) }),
      /need vectors or terms/,
    ],
    [
      'an unknown category',
      world({ families: [family({ pool: { thing: ['gadget'] } })] }),
      /no item is of category "gadget"/,
    ],
    [
      'fewer valid than members',
      world({ families: [family({ constraint: { valid: 1 } })] }),
      /1 valid choices, portfolios of 2/,
    ],
    ['nothing to reject', world({ families: [family({ constraint: { valid: 3 } })] }), /3 of 3 choices valid/],
    [
      'a mark that is not filled',
      world({ families: [family({ question: '{anchor} {region}' })] }),
      /\{region\} is not filled in/,
    ],
    ['a question without an anchor', world({ families: [family({ question: 'Which?' })] }), /\{anchor\} is missing/],
    [
      'a context twice',
      world({
        families: [family({ contexts: [context, context], utility: { value: 1, terms: { size: 1 } } })],
      }),
      /families\[0\]\.contexts\[1\]\.name: "c" is used twice/,
    ],
    [
      'a window narrower than what is taken from it',
      world({ choices: 4, families: [family({ constraint: { valid: 2, window: 1 } })] }),
      /1 violations, 2 choices are taken from them/,
    ],
    ['a line break in the wording', world({ preamble: 'a\nb' }), /preamble: one printable line/],
  ])('is refused with %s', (_, document, message) => {
    expect(() => read(document)).toThrow(message);
  });
});
