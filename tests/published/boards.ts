import { expect, it } from 'vitest';
import { reliability } from '../../src/analyses/generalizability/variance.js';
import { rosterOmission } from '../../src/analyses/roster/omission.js';
import { familyWeights } from '../../src/analyses/weights/grid.js';
import { pairAgreement, rankAgreement } from '../../src/inference/rank-agreement.js';
import { FAMILIES, PANELS } from '../support/golden-pool.js';
import type { Document, PublicInputs } from './inputs.js';
import type { PublishedValues } from './values.js';

const STATISTICS = ['mean', 'median', 'p2_5', 'p97_5'] as const;

/** What whole task sets and the published board fix: precision at full size, variance, omissions, score definitions, weights. */
export function boardValues(
  published: PublishedValues,
  inputs: PublicInputs,
  analysis: (name: string) => Document,
): void {
  it('precision: the plan, and the whole core, whichever answers fill it', () => {
    const { seed, plan, results } = analysis('precision');
    published.constant(Number(seed), 'stability.seed');
    published.constant(plan.draws, 'stability.replicates');
    published.constant([...plan.sizes, 534], 'stability.task_counts');
    for (const { tasks, per_stratum, draws, metrics } of results.sizes) {
      published.equal(per_stratum, `stability.${tasks}.tasks_per_stratum`);
      published.constant(draws, `stability.${tasks}.replicates`);
      if (tasks !== 534) continue;
      for (const [metric, summary] of Object.entries<Record<string, number>>(metrics)) {
        for (const statistic of STATISTICS) {
          published.near(summary[statistic], `stability.534.${metric}.${statistic}`);
        }
      }
    }
  });

  it('variance: what the board fixes, and all that follows from the published sums', () => {
    const { models, ids, scores, panels } = inputs;
    const grand = scores.reduce((a, b) => a + b, 0) / 27;
    const mean = (of: (m: number) => number) => ids.reduce((sum, _, m) => sum + of(m), 0) / 27;
    const spread = (means: readonly number[], cells: number) =>
      cells * means.reduce((sum, x) => sum + (x - grand) ** 2, 0);
    const sums = {
      model: spread(scores, 534),
      family: spread(
        FAMILIES.map((family) => mean((m) => models[m]!.family_scores[family]!)),
        27 * 178,
      ),
      panel: spread(
        ['panel_1', 'panel_2'].map((panel) => mean((m) => panels[m]![panel]!)),
        27 * 267,
      ),
    };
    published.near(grand, 'variance.grand_mean');
    for (const [source, sum] of Object.entries(sums)) {
      published.near(sum, `variance.sum_squares.${source}`, 'inputs', 1e-6);
    }
    const at = (source: string) => published.at(`variance.sum_squares.${source}`);
    const nested = ['family', 'panel', 'family_by_panel', 'task_within_family_panel'];
    const task = nested.reduce((sum, source) => sum + at(source), 0);
    const total = task + at('model') + at('model_by_task');
    published.near(total, 'variance.total_sum_squares', 'values', 1e-6);
    for (const source of [...nested, 'model', 'model_by_task']) {
      published.near(at(source) / total, `variance.${source}`, 'values');
    }
    const found = reliability({
      ...{ model: at('model'), task, interaction: at('model_by_task') },
      ...{ models: 27, tasks: 534, target: 0.9 },
    });
    for (const component of ['model', 'task', 'model_by_task'] as const) {
      published.near(found.components[component], `variance.random_component.${component}`, 'values');
    }
    published.near(found.relative_g, 'variance.relative_g_at_534', 'values');
    published.equal(found.tasks_for_target, 'variance.tasks_for_relative_g_0_90', 'values');
  });

  it('omissions: the leaders of the board, and what follows from the published overlaps', () => {
    const { ids, scores } = inputs;
    const best = (skip: string) =>
      ids.reduce((top, id, m) => {
        const other = ids.indexOf(top);
        return id !== skip && (top === skip || scores[m]! > scores[other]!) ? id : top;
      });
    const kept = (id: string) => published.at(`roster.${id}.selected_task_overlap`);
    for (const id of ids) {
      const at = `roster.${id}`;
      published.equal(best(id), `${at}.official_point_leader`);
      published.near(kept(id) / 534, `${at}.retained_fraction`, 'values');
      published.equal(
        published.at<string>(`${at}.leave_one_out_point_leader`) === best(id),
        `${at}.point_leader_preserved`,
        'values',
      );
    }
    const [least] = [...ids].sort((a, b) => kept(a) - kept(b) || (a < b ? -1 : 1));
    published.equal(least, 'roster.most_influential_omission', 'values');
  });

  it('omissions: what follows from the overlaps that are whole, and from the 89 tasks of panel 1 that Fable answered', () => {
    const { ids, scores, files, core } = inputs;
    const tasks = [...files.byId.values()].filter(({ family }) => FAMILIES.includes(family));
    const selected = new Set(core.ids);
    const fable = ids.indexOf('anthropic/claude-fable-5');
    expect(published.at('robustness.validity_gate.panel_1.pairing.fable_valid_tasks')).toBe(core.strata[0]!.ids.length);
    // Tasks that were left out: of the one stratum for Fable's sake, of the others for that of two models.
    const lost = ({ panel, family }: { panel: string; family: string }) =>
      panel === 'panel_1' && family === 'pairing' ? [fable] : [0, 1];
    const pool = {
      models: ids,
      tasks,
      valid: Uint8Array.from(
        ids.flatMap((_, m) => tasks.map((t) => (!selected.has(t.id) && lost(t).includes(m) ? 0 : 1))),
      ),
      scores: Float64Array.from(ids.flatMap((_, m) => tasks.map(() => 100 * scores[m]!))),
    };
    const { seed } = core;
    const perStratum = core.strata[0]!.ids.length;
    const { omissions } = rosterOmission({ pool, panels: PANELS, families: FAMILIES, seed, perStratum });
    for (const row of omissions.filter(({ omitted }) => omitted !== ids[fable])) {
      const at = `roster.${row.omitted}`;
      const follows = (found: unknown, key: string) => published.equal(found, `${at}.${key}`, 'values');
      follows(row.least_available, 'minimum_available_tasks_per_stratum');
      expect(row.kept_tasks).toBe(534);
      if (published.at(`${at}.selected_task_overlap`) !== 534) continue;
      follows(row.rank_spearman, 'rank_spearman');
      follows(row.pair_order_agreement, 'pair_order_agreement');
      follows(row.mean_absolute_shift, 'mean_absolute_score_shift');
      follows(row.maximum_absolute_shift, 'maximum_absolute_score_shift');
      follows(row.leader, 'leave_one_out_point_leader');
    }
  });

  it('alternative summaries: agreement of the published boards, the optimum rate also by exact counts', () => {
    const { ids, scores } = inputs;
    for (const metric of [
      ...['flavourbench_score', 'chance_adjusted_gain', 'action_percentile', 'exact_optimum_rate'],
    ]) {
      const at = `robustness.metric.${metric}`;
      const own = metric === 'flavourbench_score';
      const basis = own ? 'inputs' : 'values';
      for (const [m, id] of own ? ids.entries() : []) {
        published.near(scores[m], `${at}.value.${id}`, 'inputs', 1e-9, 'document');
      }
      const board = own ? scores : ids.map((id) => published.at(`${at}.value.${id}`));
      const found = rankAgreement(ids, board, scores);
      published.near(found.rank_spearman, `${at}.rank_spearman`, basis);
      published.near(found.pair_order_agreement, `${at}.pair_order_agreement`, basis);
      published.near(found.top_five_overlap, `${at}.top_five_overlap`, basis);
      published.equal(found.leader, `${at}.point_leader`, basis);
    }
    const counts = ids.map((id) => Math.round(published.at(`robustness.metric.exact_optimum_rate.value.${id}`) * 5.34));
    expect(pairAgreement(counts, scores)).toBeCloseTo(312 / 351, 12);
  });

  it('family weights: the grid of 696, its correlations, leaders and every rank range', () => {
    const { models, ids, leader } = inputs;
    const families = Float64Array.from(
      models.flatMap(({ family_scores }) => FAMILIES.map((family) => family_scores[family]!)),
    );
    const found = familyWeights({ models: ids, families, shared: false });
    const at = 'robustness.weights';
    published.equal(found.grid_points, `${at}.grid_points`);
    for (const [i, key] of ['minimum', 'median', 'maximum'].entries()) {
      published.near(found.rank_spearman[i]!, `${at}.rank_spearman.${key}`);
      published.near(found.pair_order_agreement[i]!, `${at}.pair_order_agreement.${key}`);
    }
    for (const id of ids) published.equal(found.rank_ranges[id], `${at}.rank_range.${id}`);
    for (const [id, points] of Object.entries(found.leaders)) {
      published.equal(points, `${at}.leader_grid_points.${id}`);
    }
    published.near(found.leaders[leader]! / found.grid_points, `${at}.equal_weight_leader_retention_share`);
  });
}
