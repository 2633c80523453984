import { describe, expect, it } from 'vitest';
import { clusterNumbers } from '../../src/inference/decisions/effective-clusters.js';
import { designOf } from '../support/golden-design.js';

const numbers = (stratum: number[], cluster: number[]) =>
  clusterNumbers(designOf({ table: [stratum.map(() => 1)], stratum, cluster, ranked: 1 }));

describe('the clusters of a design (decisions 2.1)', () => {
  it.each([1, 7, 49, 50, 1000])('count exactly as many as there are where %d weigh the same', (n) => {
    const each = Array.from({ length: n }, (_, t) => t);
    expect(
      numbers(
        each.map(() => 0),
        each,
      ),
    ).toEqual({
      clusters: n,
      byStratum: Int32Array.of(n),
      effective: n,
    });
  });

  it('count by tasks where one stratum has clusters of 1, 2 and 3 tasks: 36 / 14', () => {
    expect(numbers([0, 0, 0, 0, 0, 0], [0, 1, 1, 2, 2, 2]).effective).toBe(36 / 14);
  });

  it('count by the weight of their tasks where strata differ in size', () => {
    // Stratum 0: clusters 0 and 1; stratum 1: clusters 1, 2, 2, 3. Weights in 1/8: 2, 2 + 1, 2, 1.
    const found = numbers([0, 0, 1, 1, 1, 1], [0, 1, 1, 2, 2, 3]);
    expect([...found.byStratum]).toEqual([2, 3]);
    expect(found.effective).toBe(64 / (4 + 9 + 4 + 1));
  });

  it('stay finite where the sizes of strata have no common factor', () => {
    const sizes = [97, 101, 103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179, 181];
    const stratum = sizes.flatMap((n, s) => Array.from({ length: n }, () => s));
    const found = numbers(stratum, stratum);
    expect(found.effective).toBe(sizes.length);
    expect([...found.byStratum]).toEqual(sizes.map(() => 1));
  });
});
