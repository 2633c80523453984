import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CompileDesign, RELEASED_DESIGN } from '../../../src/tasks/compile/compile-design.js';
import { type Selectable, selectFamily, stratify } from '../../../src/tasks/compile/select-tasks.js';

const design: CompileDesign = {
  ...RELEASED_DESIGN,
  perStratum: 3,
  categoryCap: 5,
  leastCategories: 3,
};

const pool = (count: number, categories: number): Selectable[] =>
  Array.from({ length: count }, (_, i) => ({
    family: 'pairing' as const,
    difficulty: (i * 7919) % 13,
    anchor: { name: `item_${String(i).padStart(3, '0')}`, category: `c${i % categories}` },
  }));

const select = (candidates: Selectable[], used: string[] = [], earlier: string[] = []) =>
  selectFamily({
    family: 'pairing',
    candidates,
    design,
    seed: 'seed',
    used: new Set(used),
    earlier: new Set(earlier),
    designPlace: 'the design',
  });

describe('the division of candidates into difficulty strata', () => {
  it('has the hardest first, ties by name, and strata of nearly equal size', () => {
    const strata = stratify(pool(50, 4), 4);
    expect(strata.map((stratum) => stratum.length)).toEqual([13, 12, 13, 12]);
    const flat = strata.flat();
    for (let i = 1; i < flat.length; i += 1) {
      const [a, b] = [flat[i - 1]!, flat[i]!];
      const ordered = a.difficulty > b.difficulty || (a.difficulty === b.difficulty && a.anchor.name < b.anchor.name);
      expect(ordered).toBe(true);
    }
  });
});

describe('the selection of the tasks of a family', () => {
  it('keeps counts, cap, uniqueness and numbering for any pool, in any input order', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 40, max: 120 }),
        fc.integer({ min: 4, max: 9 }),
        fc.array(fc.nat(39), { maxLength: 8 }),
        fc.infiniteStream(fc.nat()),
        (count, categories, usedPlaces, keys) => {
          const candidates = pool(count, categories);
          const used = usedPlaces.map((i) => candidates[i]!.anchor.name);
          const { selected, passedOver } = select(candidates, used);
          expect(selected.map(({ number }) => number)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
          expect(selected.map(({ stratum }) => stratum)).toEqual([1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]);
          const names = selected.map(({ candidate }) => candidate.anchor.name);
          expect(new Set([...names, ...used]).size).toBe(12 + new Set(used).size);
          const tally = new Map<string, number>();
          for (const { candidate } of selected) {
            const { category } = candidate.anchor;
            tally.set(category, (tally.get(category) ?? 0) + 1);
          }
          expect(Math.max(...tally.values())).toBeLessThanOrEqual(5);
          expect(passedOver).toHaveLength(count - 12);
          const shuffled = candidates
            .map((candidate) => ({ candidate, key: keys.next().value as number }))
            .sort((a, b) => a.key - b.key)
            .map(({ candidate }) => candidate);
          expect(select(shuffled, used).selected).toEqual(selected);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('takes anchors of an earlier panel only where novel ones run out', () => {
    const candidates = pool(24, 6);
    const earlier = candidates.slice(0, 20).map(({ anchor }) => anchor.name);
    const { selected } = select(candidates, [], earlier);
    const strata = stratify(candidates, 4);
    for (const [i, members] of strata.entries()) {
      const novel = members.filter(({ anchor }) => !earlier.includes(anchor.name));
      const taken = selected.filter(({ stratum }) => stratum === i + 1);
      const fresh = taken.filter(({ candidate }) => !earlier.includes(candidate.anchor.name));
      expect(fresh).toHaveLength(Math.min(3, novel.length));
    }
  });

  it('says why every other candidate was passed over', () => {
    const candidates = pool(60, 3);
    const { passedOver } = select(candidates, [candidates[0]!.anchor.name]);
    const reasons = new Set(passedOver.map(({ reason }) => reason));
    expect(reasons).toEqual(new Set(['anchor_used', 'stratum_full']));
  });
});
