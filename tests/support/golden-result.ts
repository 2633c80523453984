import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Inference } from '../../src/inference/index.js';
import { shared } from './shared.js';

interface GoldenResult {
  models: {
    model_id: string;
    flavourbench_score: number;
    family_scores: Record<string, number>;
    score_standard_error: number;
    score_pointwise_95_ci: number[];
    score_simultaneous_95_ci: number[];
    point_estimate_rank: number;
    bootstrap_rank_95_interval: number[];
    statistical_rank_group: number;
    chance_comparison: {
      exact_chance_score: number;
      mean_difference: number;
      bootstrap_95_ci: number[];
      sign_flip_p: number;
      holm_p: number;
      holm_significant_above_chance: boolean;
    };
  }[];
  pairwise_comparisons: {
    mean_difference: number;
    bootstrap_95_ci: number[];
    cohen_dz: number | null;
    sign_flip_p: number;
    holm_p: number;
    holm_significant: boolean;
    direction: string;
  }[];
  resolved_pair_count: number;
  definitive_top_model_id: string | null;
  panel_replication: {
    score_pearson: number;
    rank_spearman: number;
    models: { panel_1: number; panel_2: number }[];
  } | null;
  inference: { max_t_critical_value: number; independent_cluster_count: number };
}

function near(found: ArrayLike<number>, expected: ArrayLike<number>, what: string): void {
  expect(found.length, what).toBe(expected.length);
  for (let i = 0; i < expected.length; i += 1)
    expect(Math.abs(found[i]! - expected[i]!), `${what}[${i}]`).toBeLessThanOrEqual(1e-9);
}

/** Asserts an inference against the reference's own result: integers and p-values equal, other floats to 1e-9. */
export function expectGolden(inference: Inference, folder: 'a' | 'c', strata: 'family' | 'panel-family'): void {
  const file = strata === 'family' ? 'result.json' : 'result_six_strata.json';
  const golden = JSON.parse(readFileSync(shared(`golden/${folder}/${file}`), 'utf8')) as GoldenResult;
  expect(inference.models.length).toBe(golden.models.length);
  golden.models.forEach((expected, m) => {
    const found = inference.models[m]!;
    const name = expected.model_id;
    expect(found.modelId).toBe(name);
    expect(found.rank, name).toBe(expected.point_estimate_rank);
    expect(found.rankInterval, name).toEqual(expected.bootstrap_rank_95_interval);
    expect(found.group, name).toBe(expected.statistical_rank_group);
    near([found.score], [expected.flavourbench_score], name);
    near([found.standardError], [expected.score_standard_error], name);
    near(found.pointwise, expected.score_pointwise_95_ci, name);
    near(found.simultaneous, expected.score_simultaneous_95_ci, name);
    const classes = strata === 'family' ? found.familyScores : found.stratumScores;
    expect(Object.keys(classes)).toEqual(Object.keys(expected.family_scores));
    near(Object.values(classes), Object.values(expected.family_scores), name);
    const chance = found.chance!;
    const reference = expected.chance_comparison;
    expect(chance.p, name).toBe(reference.sign_flip_p);
    expect(chance.holm, name).toBe(reference.holm_p);
    expect(chance.aboveChance, name).toBe(reference.holm_significant_above_chance);
    near([chance.score], [reference.exact_chance_score], name);
    near([chance.meanDifference], [reference.mean_difference], name);
    near(chance.interval, reference.bootstrap_95_ci, name);
  });
  expect(inference.pairs.length).toBe(golden.pairwise_comparisons.length);
  golden.pairwise_comparisons.forEach((expected, k) => {
    const found = inference.pairs[k]!;
    const name = `pair ${found.left}-${found.right}`;
    expect(found.p, name).toBe(expected.sign_flip_p);
    expect(found.holm, name).toBe(expected.holm_p);
    expect(found.significant, name).toBe(expected.holm_significant);
    expect(found.direction, name).toBe(expected.direction);
    near([found.meanDifference], [expected.mean_difference], name);
    near(found.interval, expected.bootstrap_95_ci, name);
    if (expected.cohen_dz === null) expect(found.dz, name).toBeNull();
    else near([found.dz!], [expected.cohen_dz], name);
  });
  expect(inference.resolvedPairs).toBe(golden.resolved_pair_count);
  expect(inference.top === null ? null : inference.models[inference.top]!.modelId).toBe(golden.definitive_top_model_id);
  expect(inference.clusters).toBe(golden.inference.independent_cluster_count);
  near([inference.bandCritical], [golden.inference.max_t_critical_value], 'critical value');
  if (golden.panel_replication) {
    const { scorePearson, rankSpearman, scores } = inference.replication!;
    near([scorePearson!], [golden.panel_replication.score_pearson], 'score correlation');
    near([rankSpearman!], [golden.panel_replication.rank_spearman], 'rank correlation');
    near(
      scores.flat(),
      golden.panel_replication.models.flatMap((m) => [m.panel_1, m.panel_2]),
      'panel scores',
    );
  }
}
