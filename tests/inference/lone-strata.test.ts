import { describe, expect, it } from 'vitest';
import { narrowReasons } from '../../src/inference/intervals/lone-strata.js';

describe('why intervals are too narrow', () => {
  const labels = ['all/x', 'all/y', 'all/z'];
  const design = { strata: 3, partStratum: Int32Array.of(0, 0, 1, 2) };

  it('names strata of one cluster, and nothing where there are none', () => {
    expect(narrowReasons({ design, labels, draws: 1000, redraws: 0 })).toEqual([
      '2 strata, "all/y", "all/z" have one cluster each: nothing shows how much clusters vary there, so every interval is too narrow',
    ]);
    const one = { strata: 2, partStratum: Int32Array.of(0, 0, 1) };
    expect(narrowReasons({ design: one, labels, draws: 1000, redraws: 10 })).toEqual([
      'the stratum "all/y" has one cluster: nothing shows how much clusters vary there, so every interval is too narrow',
    ]);
  });

  it('counts redraws past one in a hundred draws', () => {
    const wide = { strata: 1, partStratum: Int32Array.of(0, 0) };
    expect(narrowReasons({ design: wide, labels, draws: 1000, redraws: 10 })).toEqual([]);
    expect(narrowReasons({ design: wide, labels, draws: 1000, redraws: 11 })).toEqual([
      '11 draws left a stratum empty and were made again (1.1 % of 1,000): strata have too few clusters to be drawn jointly, so every interval is too narrow',
    ]);
  });
});
