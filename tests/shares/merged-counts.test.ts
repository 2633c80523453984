import { describe, expect, it } from 'vitest';
import { mergedShares } from '../../src/shares/shares.js';

const WORK = {
  what: 'flips',
  units: 4,
  key: () => 'k',
  lengths: () => ({ reached: 2, values: 1 }),
  most: (count: number) => ({ reached: count }),
  range: () => {
    throw new Error('all of it is in the parts');
  },
};

/** Two parts of the work, the second of them with these numbers. */
function merged(reached: readonly number[], value = 0.5) {
  const parts = [1, 2].map((index) => ({
    file: `part-${index}`,
    part: {
      ...{ version: '1', kernels: 'k', call: ['infer'], inputs: [], shard: { index, count: 2 } },
      pieces: [
        {
          ...{ what: 'flips', key: 'k', units: 4, first: 2 * (index - 1), count: 2 },
          arrays: {
            reached: Float64Array.from(index === 1 ? [0, 2] : reached),
            values: Float64Array.of(index === 1 ? -7.5 : value),
          },
        },
      ],
    },
  }));
  return mergedShares(parts).piecesNow(WORK);
}

describe('counts in a part', () => {
  it('are taken from none to as many as the part has units; values up to 2^53 either way', () => {
    expect(merged([0, 2], -(2 ** 53)).map(({ reached }) => [...reached!])).toEqual([
      [0, 2],
      [0, 2],
    ]);
  });

  it.each([-1, 0.5, 3, 1e17, Number.NaN, Number.POSITIVE_INFINITY])(
    'are refused with the file where no share could have them: %d',
    (count) => {
      expect(() => merged([0, count])).toThrow(
        expect.objectContaining({ code: 'PART_INVALID', where: expect.objectContaining({ file: 'part-2' }) }),
      );
    },
  );

  it('leave values finite', () => {
    for (const odd of [Number.NaN, 1e308, -1e17])
      expect(() => merged([0, 0], odd)).toThrow(expect.objectContaining({ code: 'PART_INVALID' }));
  });
});
