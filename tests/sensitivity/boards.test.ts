import { describe, expect, it } from 'vitest';
import { panelMajor } from '../../src/sensitivity/board.js';
import { generalizability } from '../../src/sensitivity/generalizability.js';
import { metricBoards } from '../../src/sensitivity/metrics.js';
import { familyWeights } from '../../src/sensitivity/weights.js';
import { expectedAnalyses, goldenA } from '../support/golden-analyses.js';
import { noShared } from '../support/shared.js';

const near = (found: number, wanted: number, label = '') =>
  expect(Math.abs(found - wanted) / Math.max(1, Math.abs(wanted)), label).toBeLessThan(1e-9);

describe.skipIf(noShared)('analyses of a board (released data needed)', () => {
  it('partitions the variance', () => {
    const found = generalizability({ matrix: goldenA().matrix });
    const { result } = expectedAnalyses().variance;
    near(found.grand_mean, result.grand_mean);
    near(found.total, result.total);
    for (const [source, ss] of Object.entries(found.sum_squares)) {
      near(ss, result.sum_squares[source], source);
    }
    for (const [name, value] of Object.entries(found.components)) {
      near(value, result.components[name], name);
    }
    near(found.relative_g!, result.relative_g_534);
    expect(found.tasks_for_target).toBe(result.tasks_for_g_0_90);
  });

  it('compares alternative summaries', () => {
    const { matrix, maps, actions } = goldenA();
    const boards = metricBoards({
      models: matrix.models,
      strata: panelMajor(matrix),
      maps,
      chance: matrix.chance!,
      actions,
    });
    const { rows } = expectedAnalyses().score_definitions;
    for (const { metric, values, agreement } of boards) {
      const wanted = rows[metric];
      values.forEach((value, m) => {
        near(value, wanted.values[m], `${metric} ${m}`);
      });
      if (metric === 'exact_optimum_rate') continue;
      near(agreement.rank_spearman, wanted.rank_spearman, metric);
      near(agreement.pair_order_agreement, wanted.pair_order_agreement, metric);
      expect(agreement.leader).toBe(wanted.leader);
      near(agreement.top_five_overlap, wanted.top_five_overlap, metric);
    }
  });

  it('walks the whole weight grid', () => {
    const { matrix } = goldenA();
    const strata = panelMajor(matrix);
    const families = new Float64Array(matrix.models.length * 3);
    matrix.models.forEach((_, m) => {
      strata.forEach(({ tasks }, s) => {
        let sum = 0;
        for (const t of tasks) sum += matrix.values[m * matrix.tasks.length + t]!;
        families[m * 3 + (s % 3)]! += sum / tasks.length / 2 / 100;
      });
    });
    const found = familyWeights({ models: matrix.models, families });
    const wanted = expectedAnalyses().weights;
    expect(found.grid_points).toBe(696);
    found.rank_spearman.forEach((x, i) => {
      near(x, wanted.rank_spearman[i]);
    });
    found.pair_order_agreement.forEach((x, i) => {
      near(x, wanted.pair_order_agreement[i]);
    });
    expect(found.leaders).toEqual(wanted.leader_grid_points);
    expect(found.rank_ranges).toEqual(wanted.rank_ranges);
  });
});

describe('a degenerate board', () => {
  it('has no coefficient when nothing varies', () => {
    const found = generalizability({
      matrix: {
        models: ['a', 'b'],
        tasks: ['s', 't'],
        panels: ['p', 'p'],
        families: ['f', 'f'],
        clusters: ['1', '2'],
        values: new Float64Array(4).fill(5),
        scale: 1,
      },
    });
    expect(found.relative_g).toBeNull();
    expect(found.tasks_for_target).toBeNull();
    expect(Object.values(found.fractions)).toEqual([0, 0, 0, 0, 0, 0]);
  });
});
