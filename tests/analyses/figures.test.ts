import { describe, expect, it } from 'vitest';
import { checkpoints } from '../../src/analyses/checkpoints/checkpoints.js';
import { drawCheckpoints } from '../../src/analyses/checkpoints/figure.js';
import type { CheckpointResult } from '../../src/analyses/checkpoints/other-maps.js';
import { drawPrecision } from '../../src/analyses/precision/figure.js';
import { precision } from '../../src/analyses/precision/precision.js';
import type { PrecisionSize } from '../../src/analyses/precision/subsets.js';
import type { SubstitutionCoverage, SubstitutionResult } from '../../src/analyses/substitutions/check.js';
import { drawSubstitutions } from '../../src/analyses/substitutions/figure.js';
import { substitutions } from '../../src/analyses/substitutions/substitutions.js';
import { drawWeights } from '../../src/analyses/weights/figure.js';

const ranked = (ids: readonly string[]) =>
  ids.map((id, k) => ({ modelId: id, name: id, short: id, rank: k + 1, rankTied: false }));
const SCREEN = { theme: 'light', size: 'screen' } as const;

describe('figures of the analyses', () => {
  it('give every model its own row, even when labels are cut alike', () => {
    const stem = `${'a'.repeat(30)}-${'b'.repeat(40)}`;
    const models = [`${stem}1${'c'.repeat(30)}`, `${stem}2${'c'.repeat(30)}`];
    const svg = drawWeights(
      {
        grid_points: 1,
        rank_spearman: [1, 1, 1],
        pair_order_agreement: [1, 1, 1],
        least_alike: [20, 30, 50],
        leaders: {},
        rank_ranges: Object.fromEntries(models.map((model) => [model, [1, 2] as const])),
      },
      { theme: 'light', size: 'screen', models: ranked(models) },
    );
    const heights = new Set([...svg.matchAll(/<circle [^>]*cy="([\d.]+)"/g)].map(([, y]) => y));
    expect(heights.size).toBe(2);
  });

  it('label only those sizes of a precision figure that have room', () => {
    const summary = { mean: 1, median: 1, p2_5: 1, p97_5: 1 };
    const metrics = new Proxy({}, { get: () => summary }) as PrecisionSize['metrics'];
    const size = (tasks: number) => ({ tasks, per_stratum: tasks / 6, draws: 1, metrics });
    const svg = drawPrecision([510, 516, 522, 528, 30, 534].map(size), SCREEN);
    const labelled = [510, 516, 522, 528, 30, 534].filter((n) => svg.includes(`>${n}</text>`));
    expect(labelled).toContain(534);
    expect(labelled).toContain(30);
    expect(labelled).not.toContain(528);
  });

  it('name the first five models where there are more than five', () => {
    const summary = { mean: 1, median: 1, p2_5: 1, p97_5: 1 };
    const metrics = new Proxy({}, { get: () => summary }) as PrecisionSize['metrics'];
    const sizes = [6, 12].map((tasks) => ({ tasks, per_stratum: 1, draws: 1, metrics }));
    const words = (models: number) =>
      precision.words({
        plan: { sizes: [6], draws: 1, rng: 'philox' },
        results: { sizes },
        models: ranked(Array.from({ length: models }, (_, m) => `m${m}`)),
      });
    expect(words(6)).toContain(', 100% of the first five at the median, and');
    expect(words(5)).toContain('(1.000 to 1.000) and m0 leads');
  });

  it('show percentiles below chance in full', () => {
    const estimate = { pairs: 4, sources: 2, percentile: 0.12, interval: [0.05, 0.2] as const };
    const result = {
      space: 'x',
      all: { ...estimate, exceedances: 10, p: 1, holm_p: 1, significant: false },
      novel: null,
      vocabulary: { hit_at_10: 0, chance: { hit_at_10: 0.1 } },
    } as unknown as SubstitutionResult;
    const coverage = { test_events: 4, mapped_events: 4, unique_pairs: 4, sources: 2 } as SubstitutionCoverage;
    const plan = { environments: [], draws: 1, min_group: 20, alpha: 0.05, rng: 'philox' } as const;
    const words = (spaces: readonly SubstitutionResult[]) =>
      substitutions.words({ plan, results: { coverage, spaces }, models: [] });
    expect(drawSubstitutions([result], SCREEN)).toContain('>0.0</text>');
    expect(words([result])).toContain('It does not show that similarity agrees');
    const found = { ...result.all, percentile: 0.9, significant: true };
    const both = [result, { ...result, space: 'y', all: found }];
    expect(words(both)).toContain(
      'It shows that similarity in y agrees with what people did, and does not show it for the others',
    );
  });

  it('leave an undefined correlation out', () => {
    const spread = { median: 1, low: 1, high: 1 };
    const result = {
      checkpoint: 'x',
      task_maps: { rank_median: 1, same_optimum_rate: 1 },
      board: [],
      rank_spearman: null,
      pair_order_agreement: 1,
      leader: 'a',
      leader_kept: true,
      bootstrap: { rank_spearman: spread, pair_order_agreement: spread },
    } as unknown as CheckpointResult;
    expect(drawCheckpoints([result], { ...SCREEN, models: [] })).not.toContain('NaN');
    const outcome = {
      plan: { checkpoints: ['x'], draws: 1, rng: 'philox' } as const,
      results: { checkpoints: [result] },
      models: [],
    };
    expect(checkpoints.words(outcome)).toContain('a rank correlation of undefined');
  });
});
