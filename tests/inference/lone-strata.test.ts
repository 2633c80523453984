import { describe, expect, it } from 'vitest';
import { createEngine } from '../../src/engine/index.js';
import { runInference } from '../../src/inference/infer.js';
import { narrowReasons } from '../../src/inference/intervals/lone-strata.js';
import { smallMatrix } from '../support/small-matrix.js';

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

it('an inference counts the draws that left a stratum empty, by weight where it goes through all of them', async () => {
  const families = ['x', 'x', 'x', 'y', 'y', 'y'];
  const matrix = smallMatrix({
    rows: [
      [3, 1, 4, 1, 5, 9],
      [2, 7, 1, 8, 2, 8],
    ],
    families,
  });
  const engine = await createEngine({ backend: 'reference' });
  // All six draws fall into one of two strata of three clusters: 2 x 3^6 of 6^6.
  const share = (2 * 3 ** 6) / (6 ** 6 - 2 * 3 ** 6);
  const all = await runInference({ matrix, plan: { draws: 1000, flips: 100, bootstrap: 'enumerated' }, engine });
  expect(all.emptied).toBeCloseTo(share, 12);
  expect(all.warnings).toContainEqual(expect.stringContaining('3.1 % of the bootstrap draws left a stratum empty'));
  const drawn = await runInference({ matrix, plan: { draws: 1000, flips: 100, bootstrap: 'drawn' }, engine });
  expect(drawn.emptied).toBe(drawn.redraws / 1000);
  expect(Math.abs(drawn.emptied - share)).toBeLessThan(0.03);
  await engine.close();
});
