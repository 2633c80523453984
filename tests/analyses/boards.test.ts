import { describe, expect, it } from 'vitest';
import { decompose } from '../../src/analyses/generalizability/variance.js';
import { metricScores } from '../../src/analyses/metrics/scores.js';
import { familyWeights } from '../../src/analyses/weights/grid.js';
import { panelMajor, stratifiedScores } from '../../src/inference/rank-agreement.js';
import { expectedAnalyses, goldenA } from '../support/golden-analyses.js';
import { noShared } from '../support/shared.js';

const near = (found: number, wanted: number, label = '') =>
  expect(Math.abs(found - wanted) / Math.max(1, Math.abs(wanted)), label).toBeLessThan(1e-9);

describe.skipIf(noShared)('analyses of a leaderboard (released data needed)', () => {
  it('partition the variance into models, tasks and their parts', () => {
    const found = decompose({ matrix: goldenA().matrix });
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

  it('compare other summaries of an answer with the score', () => {
    const { matrix, maps, actions } = goldenA();
    const boards = metricScores({
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

  it('rank the models under every weight of the grid of families', () => {
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
    const found = familyWeights({ models: matrix.models, families, shared: false });
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

describe('a leaderboard of degenerate scores', () => {
  const columns = {
    tasks: ['1', '2', '3', '4', '5', '6'],
    panels: ['p', 'p', 'p', 'q', 'q', 'q'],
    families: ['f', 'g', 'h', 'f', 'g', 'h'],
  };

  it('ties models whose strata hold the same scores in another order', () => {
    const values = [
      [1111, 2222, 7, 3, 9999, 41],
      [41, 3, 1111, 9999, 7, 2222],
      [9999, 41, 3, 2222, 1111, 7],
    ];
    const strata = panelMajor(columns);
    const scores = stratifiedScores(
      {
        models: ['a', 'b', 'c'],
        tasks: columns.tasks,
        values: Float64Array.from(values.flat()),
        scale: 100,
      },
      strata,
    );
    expect(new Set(scores).size).toBe(1);
  });

  it('weighs strata of different sizes alike, whatever is counted', () => {
    const map = Uint16Array.from({ length: 56 }, (_, k) => (k === 0 ? 10_000 : 100 * k));
    const boards = metricScores({
      models: ['a'],
      strata: [
        { panel: 'p', family: 'f', tasks: Int32Array.of(0) },
        { panel: 'p', family: 'g', tasks: Int32Array.of(1, 2, 3) },
      ],
      maps: [map, map, map, map],
      chance: [2000, 2000, 2000, 2000],
      actions: Int32Array.of(0, 1, 1, 1),
    });
    expect(boards.map(({ values }) => values[0])).toEqual([50.5, 38.125, 50, 50]);
  });

  it('has no weights of one family', () => {
    expect(() => familyWeights({ models: ['a', 'b'], families: Float64Array.of(1, 2), shared: true })).toThrow(
      expect.objectContaining({ code: 'FAMILIES_TOO_FEW' }),
    );
  });

  it('has no reliability coefficient when nothing varies', () => {
    const found = decompose({
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
