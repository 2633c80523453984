import { describe, expect, it } from 'vitest';
import { RELEASED_DESIGN } from '../../../src/tasks/compile/compile-design.js';
import { checkDesign, designBlock, designFrom } from '../../../src/tasks/compile/design-file.js';

describe('a design', () => {
  it('is read back from its own block in a document', () => {
    const other = {
      ...RELEASED_DESIGN,
      families: ['pairing', 'constraint'] as const,
      perStratum: 7,
      categoryCap: 3,
      excludedAnchors: ['salt'],
      scoreability: 'before' as const,
      constraint: {
        ...RELEASED_DESIGN.constraint,
        window: 20,
        variants: [{ flag: 'vegan' as const, nova: 1 }],
      },
    };
    for (const design of [RELEASED_DESIGN, other]) {
      const block = JSON.parse(JSON.stringify(designBlock(design)));
      expect(designFrom(block, 'block')).toEqual(design);
    }
  });

  it('keeps the released value of what is left out', () => {
    const design = designFrom({ pairing: { least_spread: 0.1 } }, 'x.json');
    expect(design).toEqual({
      ...RELEASED_DESIGN,
      pairing: { ...RELEASED_DESIGN.pairing, spread: 0.1 },
    });
  });

  it.each([
    [{ per_stratum: 3 }, /x\.json: per_stratum: is not a known key/],
    [{ strata: 0 }, /x\.json: strata/],
    [{ families: ['dessert'] }, /families\[0\].*, found "dessert"/],
    [{ tasks_per_family: 7 }, /tasks_per_family: 7; 4 strata of 40 tasks make 160/],
    [{ version: 'other' }, /version.*found "other"/],
    [{ pairing: { ranked_kept: 3 } }, /pairing\.ranked_kept: 3; 8 choices/],
    [{ constraint: { invalid_window: 1 } }, /invalid_window: 1; 4 choices/],
    [
      { constraint: { variants: [1, 1].map(() => ({ flag: 'vegan', maximum_nova: 2 })) } },
      /"vegan, NOVA at most 2" stands twice/,
    ],
    [{ cultural_composition: { low_window: 3 } }, /low_window: 3; 4 choices/],
    [{ cultural_composition: { cuisines: [] } }, /cuisines/],
    [{ choices_per_task: 17 }, /2 to 16/],
    [{ selection_size: 8 }, /selection_size: 8 of 8/],
    [{ families: ['pairing', 'pairing'] }, /has one twice/],
    [{ constraint: { valid: 3 } }, /1 feasible portfolios, least_feasible is 4/],
    [{ constraint: { valid: 8 } }, /8 valid of 8 choices/],
    [{ cultural_composition: { high: 8 } }, /high: 8 of 8/],
    ['text', /the document: an object expected, found "text"/],
  ])('is refused with %j', (value, message) => {
    expect(() => checkDesign(designFrom(value, 'x.json'))).toThrow(message);
  });
});
