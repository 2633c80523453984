import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { openWasmMapKernels } from '../../src/engine/wasm/maps.js';
import { compareMaps, type MapComparison } from '../../src/tasks/maps-compare.js';
import { type MapRow, readMapFile } from '../../src/tasks/maps-read.js';
import { rescoreMaps } from '../../src/tasks/maps-rescore.js';
import { sharedCheckpoint } from '../support/checkpoint.js';
import { noShared, shared } from '../support/shared.js';

/** Published agreement of two public checkpoints with the released maps. */
const PUBLISHED = {
  cooc: {
    rank: 0.7515037593984963,
    quartiles: [0.6467684021543985, 0.8899474100124943],
    range: [0.22986594295553517, 0.9999999999999999],
    pearson: 0.7398033796126902,
    pearsonMedian: 0.7911708805832027,
    optima: 0.3838951310861423,
    shift: 3.291995719636169,
  },
  core: {
    rank: 0.6723518850987432,
    quartiles: [0.5804340396445661, 0.8286774921492105],
    range: [-0.055148667122351336, 0.9999999999999999],
    pearson: 0.6579540160512313,
    pearsonMedian: 0.7258079447411191,
    optima: 0.3146067415730337,
    shift: 3.5228173488496517,
  },
} as const;

describe.skipIf(noShared)('rescoring the 534 released tasks', () => {
  const original = new Map<string, MapRow[]>();
  const rescored = new Map<string, readonly MapRow[]>();

  beforeAll(() => {
    const kernels = openWasmMapKernels();
    const rows = [...readMapFile(shared('golden/lab/tasks-534.jsonl')).rows];
    for (const name of ['cooc', 'core'] as const) {
      const result = rescoreMaps({ environment: sharedCheckpoint(name), kernels, rows });
      expect(result.skipped).toEqual([]);
      expect(result.ingredients).toBe(1220);
      original.set(name, rows);
      rescored.set(name, result.rows);
    }
  });

  it('gives the Cooc maps of the float32 run within one basis point', () => {
    const golden = JSON.parse(
      readFileSync(shared('golden/public_cooc_score_maps.json'), 'utf8'),
    ) as Record<string, Record<string, number>>;
    let off = 0;
    for (const { id, keys, scores } of rescored.get('cooc')!) {
      keys.forEach((key, i) => {
        const difference = Math.abs(scores[i]! - golden[id]![key]!);
        expect(difference).toBeLessThanOrEqual(1);
        off += difference;
      });
    }
    expect(rescored.get('cooc')).toHaveLength(Object.keys(golden).length);
    expect(off).toBeLessThan(60);
  });

  it.each(['cooc', 'core'] as const)('agrees with the published %s figures', (name) => {
    const { summary }: MapComparison = compareMaps(original.get(name)!, rescored.get(name)!);
    const published = PUBLISHED[name];
    expect(summary.tasks).toBe(534);
    expect(summary.rank_median).toBeCloseTo(published.rank, 12);
    summary.rank_quartiles.forEach((q, i) => {
      expect(q).toBeCloseTo(published.quartiles[i]!, 4);
    });
    summary.rank_95.forEach((q, i) => {
      expect(q).toBeCloseTo(published.range[i]!, 4);
    });
    expect(summary.same_optimum_rate).toBe(published.optima);
    expect(Math.abs(summary.pearson_mean - published.pearson)).toBeLessThan(5e-7);
    expect(Math.abs(summary.pearson_median - published.pearsonMedian)).toBeLessThan(1e-5);
    expect(Math.abs(summary.mean_absolute_chance_shift - published.shift)).toBeLessThan(1e-5);
  });
});
