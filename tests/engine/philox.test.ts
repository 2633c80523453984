import { describe, expect, it } from 'vitest';
import { mulHigh, philoxBlock, philoxDraw, philoxKey } from '../../src/engine/index.js';

describe('the generator philox4x32-10', () => {
  it.each([
    [
      [0, 0, 0, 0],
      [0, 0],
      ['6627e8d5', 'e169c58d', 'bc57ac4c', '9b00dbd8'],
    ],
    [
      [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff],
      [0xffffffff, 0xffffffff],
      ['408f276d', '41c83b0e', 'a20bc7c6', '6d5451fd'],
    ],
    [
      [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
      [0xa4093822, 0x299f31d0],
      ['d16cfe09', '94fdcceb', '5001e420', '24126ea1'],
    ],
  ])('gives the known answers of Random123 for %j', (counter, key, expected) => {
    const out = new Uint32Array(4);
    philoxBlock(counter, key, out);
    expect([...out].map((word) => word.toString(16).padStart(8, '0'))).toEqual(expected);
  });

  it('takes the high half of a product as 64-bit arithmetic does', () => {
    const numbers = [0, 1, 2, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xd2511f53, 0xffffffff];
    for (const a of numbers)
      for (const b of numbers) expect(mulHigh(a, b)).toBe(Number((BigInt(a) * BigInt(b)) >> 32n));
  });

  it('puts words, draw, stream and seed where the design says', () => {
    const seed = 0x0123456789abcdefn;
    const draw = 2 ** 32 + 5;
    const reader = philoxDraw({ seed, stream: 7, draw });
    const words = Array.from({ length: 9 }, () => reader.word());
    const block = new Uint32Array(4);
    const expected = [0, 1, 2].flatMap((counter) => {
      philoxBlock([counter, 5, 1, 7], [0x89abcdef, 0x01234567], block);
      return [...block];
    });
    expect(words).toEqual(expected.slice(0, 9));
    expect(philoxDraw({ seed, stream: 7, draw, offset: 8 }).word()).toBe(expected[8]);
  });

  it('draws indices, subsets and signs from the words in order', () => {
    const at = { seed: 20260820n, stream: 3, draw: 11 };
    const words = philoxDraw(at);
    const raw = Array.from({ length: 40 }, () => words.word());
    expect([...philoxDraw(at).indices(10, 40)]).toEqual(raw.map((word) => Math.floor((word * 10) / 2 ** 32)));
    const subset = philoxDraw(at).subset(12, 5);
    expect(new Set(subset).size).toBe(5);
    expect(subset[0]).toBe(Math.floor((raw[0]! * 12) / 2 ** 32));
    const signs = philoxDraw(at).signs(70);
    for (let c = 0; c < 70; c++) expect(signs[c]).toBe((raw[c >> 5]! >>> (c & 31)) & 1 ? 1 : -1);
  });

  // nilearn/nilearn#178: a missing bracket took 1 off every sign, so that flipped sums were not centred.
  it('draws signs that are -1 or 1 and nothing else, as many of one as of the other', () => {
    const signs = Array.from({ length: 200 }, (_, draw) => [
      ...philoxDraw({ seed: 5n, stream: 1, draw }).signs(100),
    ]).flat();
    expect(new Set(signs)).toEqual(new Set([-1, 1]));
    expect(Math.abs(signs.reduce((sum, sign) => sum + sign, 0))).toBeLessThan(4 * Math.sqrt(signs.length));
  });

  it('refuses seeds that are not unsigned 64-bit integers', () => {
    expect(() => philoxKey(-1n)).toThrow(/unsigned 64-bit/);
    expect(() => philoxKey(1n << 64n)).toThrow(/unsigned 64-bit/);
  });
});
