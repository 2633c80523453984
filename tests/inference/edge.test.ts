import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pairIndex } from '../../src/engine/design.js';
import { groups } from '../../src/inference/groups.js';
import { rankIntervals } from '../../src/inference/model-ranks.js';
import { holm } from '../../src/inference/p-values.js';
import { cohenDz } from '../../src/inference/pairs.js';
import { ordinalSpearman } from '../../src/util/correlation.js';
import { noShared, shared } from '../support/shared.js';

interface Edges {
  holm: { p: number[]; adjusted: number[] }[];
  cohen_dz: { values: number[]; dz: number | null }[];
  rank_intervals: { bootstrap: number[][]; intervals: Record<string, [number, number]> };
  groups: { points: number[]; significant_pairs: [number, number][]; groups_by_index: number[] }[];
  spearman: { x: number[]; y: number[]; [rule: string]: number | number[] };
}

/** Function-level vectors of the reference (golden edge cases). */
describe.skipIf(noShared)('the vectors of edge cases give', () => {
  const edges = noShared
    ? ({} as Edges)
    : (JSON.parse(readFileSync(shared('golden/edge_cases.json'), 'utf8')) as Edges);

  it('the Holm values', () => {
    expect(edges.holm.length).toBeGreaterThan(5);
    for (const { p, adjusted } of edges.holm) expect([...holm(p)]).toEqual(adjusted);
  });

  it("Cohen's dz, a constant difference by the exact rule", () => {
    expect(edges.cohen_dz.length).toBeGreaterThan(4);
    for (const { values, dz } of edges.cohen_dz) {
      const found = cohenDz(values, new Float64Array(values.length));
      const constant = values.every((value) => value === values[0]);
      if (constant) expect(found).toBe(values[0] === 0 ? 0 : null);
      else expect(found).toBeCloseTo(dz!, 12);
    }
  });

  it('the rank intervals', () => {
    const { bootstrap, intervals } = edges.rank_intervals;
    const models = bootstrap[0]!.length;
    const counts = new Uint32Array(models * models);
    for (const row of bootstrap) {
      const order = row.map((_, i) => i).sort((a, b) => row[b]! - row[a]! || a - b);
      order.forEach((model, k) => {
        counts[model * models + k]! += 1;
      });
    }
    const found = rankIntervals({ best: counts, worst: counts, models, draws: bootstrap.length, alpha: 0.05 });
    for (let m = 0; m < models; m += 1) expect([found[2 * m], found[2 * m + 1]]).toEqual(intervals[m]);
  });

  it('the groups', () => {
    expect(edges.groups.length).toBeGreaterThan(6);
    for (const { points, significant_pairs, groups_by_index } of edges.groups) {
      const n = points.length;
      const significant = new Array<boolean>((n * (n - 1)) / 2).fill(false);
      for (const [i, j] of significant_pairs) significant[pairIndex(i, j, n)] = true;
      const order = points.map((_, i) => i).sort((a, b) => points[b]! - points[a]! || a - b);
      expect([...groups({ order, significant })]).toEqual(groups_by_index);
    }
  });

  it('the rank correlation by ordinal ranks', () => {
    const { x, y, ...rules } = edges.spearman;
    const ordinal = Object.entries(rules).find(([rule]) => rule.startsWith('ordinal'));
    expect(ordinalSpearman(x, y)).toBeCloseTo(ordinal?.[1] as number, 14);
  });
});
