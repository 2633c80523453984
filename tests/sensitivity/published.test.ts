import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  boardAgreement,
  ordinalRanksDescending,
  pairAgreement,
} from '../../src/sensitivity/board.js';
import { filterComparison } from '../../src/sensitivity/filter.js';
import { PROPERTIES } from '../../src/sensitivity/filter-property.js';
import { reliability } from '../../src/sensitivity/generalizability.js';
import { familyWeights } from '../../src/sensitivity/weights.js';
import { readCorePlan } from '../../src/tasks/coreplan.js';
import { averageSpearman } from '../../src/util/correlation.js';
import { FAMILIES, PANELS, releasedTasks } from '../support/golden-pool.js';
import { noShared, shared } from '../support/shared.js';

const PLAN = '2ba71c793c8d4b97eed863ee83fd770b429fdefdffebdeafb241672f634ee507';
const RELEASE = '0a20655c97aa1363c2266e247f3dd03b759d0f80bca9154c6619c5549b2fac99';

/**
 * Published values that follow from public inputs alone. What needs the raw responses or the Chem vectors cannot be checked
 * here; docs/sensitivity.md lists it with the commands that check it.
 */
describe.skipIf(noShared)('published values (released data needed)', () => {
  const published = noShared
    ? {}
    : (JSON.parse(readFileSync(shared('published/values.json'), 'utf8')) as Record<string, number>);
  const release = noShared
    ? { models: [] }
    : JSON.parse(
        readFileSync(
          shared(`data/release/flavourbench-complete-core-release-${RELEASE}.json`),
          'utf8',
        ),
      ).analysis;
  const models: string[] = release.models.map((row: { model_id: string }) => row.model_id);
  const released = [...release.models].sort(
    (a, b) => b.flavourbench_score - a.flavourbench_score,
  )[0]?.model_id as string;
  const near = (found: number | null, key: string) =>
    expect(Math.abs((found as number) - published[key]!), key).toBeLessThan(1e-9);

  it('family weights: the grid of 696, its correlations, leaders and every rank range', () => {
    const families = Float64Array.from(
      release.models.flatMap((row: { family_scores: Record<string, number> }) =>
        FAMILIES.map((family) => row.family_scores[family]),
      ),
    );
    const found = familyWeights({ models, families });
    expect(found.grid_points).toBe(published['robustness.weights.grid_points']);
    for (const [i, key] of ['minimum', 'median', 'maximum'].entries()) {
      near(found.rank_spearman[i]!, `robustness.weights.rank_spearman.${key}`);
      near(found.pair_order_agreement[i]!, `robustness.weights.pair_order_agreement.${key}`);
    }
    for (const model of models) {
      expect(found.rank_ranges[model], model).toEqual(
        published[`robustness.weights.rank_range.${model}`],
      );
      const leads = published[`robustness.weights.leader_grid_points.${model}`];
      expect(found.leaders[model], model).toBe(leads);
    }
    near(
      (found.leaders[released] as number) / found.grid_points,
      'robustness.weights.equal_weight_leader_retention_share',
    );
  });

  it('alternative summaries: agreement of the published boards, the optimum rate by exact counts', () => {
    const primary = models.map((_, m) => release.models[m].flavourbench_score as number);
    models.forEach((model, m) => {
      near(primary[m]!, `robustness.metric.flavourbench_score.value.${model}`);
    });
    for (const metric of ['chance_adjusted_gain', 'action_percentile', 'exact_optimum_rate']) {
      const at = `robustness.metric.${metric}`;
      const values = models.map((model) => published[`${at}.value.${model}`] as number);
      const exact = metric === 'exact_optimum_rate';
      const board = exact ? values.map((x) => Math.round((x / 100) * 534)) : values;
      const found = boardAgreement(models, board, primary);
      near(found.rank_spearman, `${at}.rank_spearman`);
      near(found.top_five_overlap, `${at}.top_five_overlap`);
      expect(found.leader).toBe(published[`${at}.point_leader`]);
      if (exact) expect(found.pair_order_agreement).toBeCloseTo(312 / 351, 12);
      else near(found.pair_order_agreement, `${at}.pair_order_agreement`);
    }
  });

  it('variance: components, coefficient and tasks from the published sums of squares', () => {
    const ss = (key: string) => published[`variance.sum_squares.${key}`] as number;
    const task = ['family', 'panel', 'family_by_panel', 'task_within_family_panel'].reduce(
      (sum, key) => sum + ss(key),
      0,
    );
    const found = reliability({
      model: ss('model'),
      task,
      interaction: ss('model_by_task'),
      models: 27,
      tasks: 534,
      target: 0.9,
    });
    near(found.components.model, 'variance.random_component.model');
    near(found.components.task, 'variance.random_component.task');
    near(found.relative_g, 'variance.relative_g_at_534');
    expect(found.tasks_for_target).toBe(published['variance.tasks_for_relative_g_0_90']);
    const total = task + ss('model') + ss('model_by_task');
    near(
      total / published['variance.total_sum_squares']!,
      'robustness.metric.flavourbench_score.rank_spearman',
    );
    for (const source of [
      ...['model', 'family', 'panel', 'family_by_panel'],
      ...['task_within_family_panel', 'model_by_task'],
    ]) {
      near(ss(source) / total, `variance.${source}`);
    }
    near(found.components.model_by_task, 'variance.random_component.model_by_task');
  });

  it('other reward models: ranks and agreement of all three published boards', () => {
    const original = models.map((_, m) => release.models[m].flavourbench_score as number);
    const rhos: number[] = [];
    const pairs: number[] = [];
    for (const checkpoint of ['cooc', 'core', 'chem']) {
      const at = `scorer.${checkpoint}`;
      const scores = models.map((model) => published[`${at}.model.${model}.score`] as number);
      rhos.push(averageSpearman(scores, original) as number);
      pairs.push(pairAgreement(scores, original));
      near(rhos.at(-1)!, `${at}.model_rank_spearman`);
      near(pairs.at(-1)!, `${at}.pair_order_agreement`);
      const leader = models[scores.indexOf(Math.max(...scores))];
      expect(leader).toBe(published[`${at}.point_leader`]);
      expect(leader === released).toBe(published[`${at}.point_leader_preserved`]);
      const ranks = ordinalRanksDescending(scores);
      models.forEach((model, m) => {
        expect(ranks[m], model).toBe(published[`${at}.model.${model}.point_rank`]);
        const own = FAMILIES.map((family) => published[`${at}.model.${model}.${family}_score`]!);
        expect(own.reduce((a, b) => a + b, 0) / 3).toBeCloseTo(scores[m]!, 9);
      });
      const shifts = scores.map((score, m) => Math.abs(score - original[m]!));
      near(Math.max(...shifts), `${at}.maximum_absolute_score_shift`);
      near(shifts.reduce((a, b) => a + b, 0) / 27, `${at}.mean_absolute_score_shift`);
    }
    near(Math.min(...rhos), 'scorer.minimum_model_rank_spearman');
    near(Math.max(...rhos), 'scorer.maximum_model_rank_spearman');
    near(Math.min(...pairs), 'scorer.minimum_pair_order_agreement');
    near(Math.max(...pairs), 'scorer.maximum_pair_order_agreement');
    const core = readCorePlan(
      shared(`data/plan/epicure-selection-joint-analysis-plan-${PLAN}.json`),
    );
    const tasks = releasedTasks();
    const needed = core.ids.flatMap((id) => [tasks.get(id)!.anchor, ...tasks.get(id)!.choices]);
    expect(new Set(needed).size).toBe(published['scorer.required_ingredients']);
  });

  it('selected against left-out tasks: 36 of the 42 comparisons, which need no answer', () => {
    const tasks = releasedTasks();
    const core = readCorePlan(
      shared(`data/plan/epicure-selection-joint-analysis-plan-${PLAN}.json`),
    );
    const candidates = [...tasks.values()].filter(({ family }) => FAMILIES.includes(family));
    const found = filterComparison({
      pool: {
        models: ['gate', 'other'],
        tasks: candidates,
        valid: new Uint8Array(2 * candidates.length).fill(1),
        scores: new Float64Array(2 * candidates.length),
      },
      maps: candidates.map(({ scores }) => scores),
      chance: candidates.map(({ chance }) => chance),
      margin: candidates.map(({ margin }) => margin),
      selected: new Set(core.ids),
      gateModel: 'gate',
      panels: PANELS,
      families: FAMILIES,
      draws: 20_000,
      alpha: 0.05,
      random: { kind: 'numpy', seed: 20260825n },
    });
    const checked = found.comparisons.filter((row) => row.characteristic !== PROPERTIES[5]);
    expect(checked).toHaveLength(36);
    for (const row of checked) {
      const name = row.characteristic === 'category' ? 'category_tv' : row.characteristic;
      const at = `robustness.selection.${row.panel}.${row.family}.${name}`;
      if (row.characteristic === 'category') {
        near(row.total_variation, `${at}.total_variation`);
      } else {
        near(row.standardized_difference, `${at}.standardized_difference`);
        near(row.selected_mean, `${at}.selected_mean`);
        near(row.other_mean, `${at}.not_selected_mean`);
      }
      expect(row.p, at).toBe(published[`${at}.p`]);
    }
    near(
      found.largest_standardized_difference,
      'robustness.maximum_absolute_selected_standardized_difference',
    );
    near(found.largest_total_variation, 'robustness.maximum_category_total_variation');
  });
});
