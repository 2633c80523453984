import { describe, expect, it } from 'vitest';
import { narrowReasons } from '../../src/inference/intervals/lone-strata.js';

describe('why intervals are too narrow', () => {
  const labels = ['all/x', 'all/y', 'all/z'];
  const design = { strata: 3, partStratum: Int32Array.of(0, 0, 1, 2) };

  it('names strata of one cluster, and nothing where there are none', () => {
    expect(narrowReasons({ design, labels, emptied: 0 })).toEqual([
      'strata "all/y", "all/z" have one cluster each: nothing shows how much clusters vary there, so every interval is too narrow',
    ]);
    const one = { strata: 2, partStratum: Int32Array.of(0, 0, 1) };
    expect(narrowReasons({ design: one, labels, emptied: 0.01 })).toEqual([
      'stratum "all/y" has one cluster: nothing shows how much clusters vary there, so every interval is too narrow',
    ]);
  });

  it('names draws that left a stratum empty past one in a hundred', () => {
    const wide = { strata: 1, partStratum: Int32Array.of(0, 0) };
    expect(narrowReasons({ design: wide, labels, emptied: 0.01 })).toEqual([]);
    expect(narrowReasons({ design: wide, labels, emptied: 0.0113 })).toEqual([
      '1.1 % of the bootstrap draws left a stratum empty and were made again or left out: strata have too few clusters to be drawn jointly, so every interval is too narrow',
    ]);
  });
});
