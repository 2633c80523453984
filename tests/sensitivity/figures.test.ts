import { describe, expect, it } from 'vitest';
import type { CheckpointResult } from '../../src/sensitivity/checkpoints.js';
import { checkpointsReport } from '../../src/sensitivity/checkpoints-report.js';
import type { PrecisionSize } from '../../src/sensitivity/precision.js';
import { precisionReport } from '../../src/sensitivity/precision-report.js';
import { shortName } from '../../src/sensitivity/report.js';
import { weightsReport } from '../../src/sensitivity/weights-report.js';

describe('figures of the analyses', () => {
  it('keep both ends of a long name, and no mark that turns a text around', () => {
    expect(shortName(`provider/${'x'.repeat(60)}-v2`)).toMatch(/^provider\/x+…x+-v2$/);
    expect([...shortName('🍋'.repeat(60))]).toHaveLength(34);
    expect(shortName('a\u202eb\u0000c')).toBe('a b c');
  });

  it('give every model its own row, even when labels are cut alike', () => {
    const stem = `${'a'.repeat(30)}-${'b'.repeat(40)}`;
    const models = [`${stem}1${'c'.repeat(30)}`, `${stem}2${'c'.repeat(30)}`];
    const svg = weightsReport(
      {
        grid_points: 1,
        rank_spearman: [1, 1, 1],
        pair_order_agreement: [1, 1, 1],
        least_alike: [20, 30, 50],
        leaders: {},
        rank_ranges: Object.fromEntries(models.map((model) => [model, [1, 2] as const])),
      },
      models,
    ).figure('light');
    const heights = new Set([...svg.matchAll(/<circle [^>]*cy="([\d.]+)"/g)].map(([, y]) => y));
    expect(heights.size).toBe(2);
  });

  it('label only sizes that have room', () => {
    const summary = { mean: 1, median: 1, p2_5: 1, p97_5: 1 };
    const metrics = new Proxy({}, { get: () => summary }) as PrecisionSize['metrics'];
    const size = (tasks: number) => ({ tasks, per_stratum: tasks / 6, draws: 1, metrics });
    const svg = precisionReport([510, 516, 522, 528, 30, 534].map(size)).figure('light');
    const labelled = [510, 516, 522, 528, 30, 534].filter((n) => svg.includes(`>${n}</text>`));
    expect(labelled).toContain(534);
    expect(labelled).toContain(30);
    expect(labelled).not.toContain(528);
  });

  it('draw no undefined correlation', () => {
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
    const report = checkpointsReport([result]);
    expect(report.figure('dark')).not.toContain('NaN');
    expect(report.words).toContain('a rank correlation of undefined');
  });
});
