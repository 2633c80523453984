import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pairCount, pairIndex } from '../../src/engine/design.js';
import { compactLetters, unresolvedWith } from '../../src/inference/decisions/letters.js';

const isApart = (apart: ArrayLike<number>, a: number, b: number, n: number) =>
  Boolean(apart[a < b ? pairIndex(a, b, n) : pairIndex(b, a, n)]);

/** All maximal sets by looking at every subset, each by rank. */
function everySubset(order: readonly number[], apart: readonly number[]): number[][] {
  const n = order.length;
  const together = (set: readonly number[]) =>
    set.every((a, x) => set.slice(x + 1).every((b) => !isApart(apart, a, b, n)));
  const sets: number[][] = [];
  for (let k = 1; k < 2 ** n; k += 1) {
    const set = order.filter((_, place) => (k >> place) & 1);
    if (!together(set)) continue;
    if (order.some((model) => !set.includes(model) && together([...set, model]))) continue;
    sets.push(set);
  }
  return sets;
}

const graph = fc.integer({ min: 1, max: 9 }).chain((n) =>
  fc.record({
    order: fc.shuffledSubarray(
      Array.from({ length: n }, (_, m) => m),
      { minLength: n, maxLength: n },
    ),
    apart: fc.array(fc.integer({ min: 0, max: 1 }), { minLength: pairCount(n), maxLength: pairCount(n) }),
  }),
);

describe('the compact letter display (decisions 1.6)', () => {
  it('has one letter for each maximal set of models not told apart, of any graph', () => {
    fc.assert(
      fc.property(graph, ({ order, apart }) => {
        const places = (sets: readonly (readonly number[])[]) => sets.map((set) => set.map((m) => order.indexOf(m)));
        const found = compactLetters({ order, apart });
        const expected = places(everySubset(order, apart));
        expect(places(found.sets)).toEqual(
          expected.sort((a, b) => (a.join().localeCompare(b.join(), 'en', { numeric: true }) < 0 ? -1 : 1)),
        );
        expect(found.complete).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('lets two models share a letter exactly where they are not told apart', () => {
    fc.assert(
      fc.property(graph, ({ order, apart }) => {
        const { letters } = compactLetters({ order, apart });
        const n = order.length;
        for (let a = 0; a < n; a += 1)
          for (let b = a + 1; b < n; b += 1) {
            const shared = [...letters![a]!].some((letter) => letters![b]!.includes(letter));
            expect(shared).toBe(!isApart(apart, a, b, n));
          }
        expect(unresolvedWith({ order, apart }, 0)).toEqual(order.filter((m) => m !== 0 && !isApart(apart, 0, m, n)));
      }),
      { numRuns: 200 },
    );
  });

  it('gives a to the set of the best model and goes down the ranks: overlapping neighbours', () => {
    // Ranks: model 2, 0, 3, 1. Only places next to each other are not told apart.
    const order = [2, 0, 3, 1];
    const apart = new Uint8Array(pairCount(4)).fill(1);
    for (const [a, b] of [
      [0, 2],
      [0, 3],
      [1, 3],
    ] as const)
      apart[pairIndex(a, b, 4)] = 0;
    expect(compactLetters({ order, apart }).letters).toEqual(['ab', 'c', 'a', 'bc']);
  });

  it('gives all one letter where nobody is told apart, 1,024 models', () => {
    const order = Array.from({ length: 1024 }, (_, m) => m);
    const { letters, complete } = compactLetters({ order, apart: new Uint8Array(pairCount(1024)) });
    expect(new Set(letters)).toEqual(new Set(['a']));
    expect(complete).toBe(true);
  });

  it('has no letters past 26 sets, and lists none for 27 models that are all told apart', () => {
    const order = Array.from({ length: 27 }, (_, m) => m);
    const found = compactLetters({ order, apart: new Uint8Array(pairCount(27)).fill(1) });
    expect(found.letters).toBeNull();
    expect(found.sets).toHaveLength(27);
    expect(unresolvedWith({ order, apart: new Uint8Array(pairCount(27)).fill(1) }, 5)).toEqual([]);
  });

  it('gives up where there are 3^20 sets: 20 threes of which each is told apart inside', () => {
    const order = Array.from({ length: 60 }, (_, m) => m);
    const apart = new Uint8Array(pairCount(60));
    for (let a = 0; a < 60; a += 1)
      for (let b = a + 1; b < 60; b += 1) if (Math.floor(a / 3) === Math.floor(b / 3)) apart[pairIndex(a, b, 60)] = 1;
    const found = compactLetters({ order, apart });
    expect(found.letters).toBeNull();
    expect(found.complete).toBe(false);
    expect(found.sets).toHaveLength(27);
  });
});
