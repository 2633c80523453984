import { z } from 'zod';
import { type ErrorPlace, fail, shown } from '../util/error.js';
import { checked } from '../util/schema.js';
import { FROZEN_CHOICES, type PlanChoices } from './plan.js';
import type { Replication } from './replication.js';
import type {
  ChanceResult,
  Interval,
  Leaderboard,
  ModelResult,
  PairResult,
  PairVerdict,
  TestResult,
} from './result.js';

const interval = z.tuple([z.number(), z.number()]);
/** An interval stands under a key with its level, or without one where that is not 95 % (`intervalKey`). */
const ci = interval.optional();

const test = {
  sign_flip_p: z.number(),
  holm_p: z.number(),
  p_interval_99: interval.nullish(),
  exact_p: z.number().nullish(),
  holm_could_flip: z.boolean().nullish(),
  p_kind: z.enum(['exact', 'sampled', 'enumerated']).nullish(),
  exceedances: z.number().nullish(),
};

const chance = z.looseObject({
  exact_chance_score: z.number(),
  mean_difference: z.number(),
  bootstrap_95_ci: ci,
  bootstrap_ci: ci,
  holm_significant_above_chance: z.boolean(),
  ...test,
});

const scores = z.record(z.string(), z.number());

const model = z.looseObject({
  model_id: z.string(),
  model_name: z.string(),
  slot_id: z.string().nullable(),
  coverage: z.looseObject({ valid_scored: z.number(), scheduled: z.number(), valid_scored_per_family: scores }),
  flavourbench_score: z.number(),
  family_scores: scores,
  stratum_scores: scores.nullish(),
  score_standard_error: z.number(),
  score_pointwise_95_ci: ci,
  score_pointwise_ci: ci,
  score_simultaneous_95_ci: ci,
  score_simultaneous_ci: ci,
  point_estimate_rank: z.number(),
  bootstrap_rank_95_interval: ci,
  bootstrap_rank_interval: ci,
  statistical_rank_group: z.number(),
  rank_tied: z.boolean().nullish(),
  rank_set_simultaneous: interval.nullish(),
  rank_set_marginal: interval.nullish(),
  score_bounds: interval.nullish(),
  letters: z.string().nullish(),
  not_told_apart: z.array(z.string()).nullish(),
  interval_unbounded: z.boolean().nullish(),
  chance_comparison: chance.nullish(),
  degenerate: z.boolean().nullish(),
});

const pair = z.looseObject({
  left_index: z.number(),
  right_index: z.number(),
  mean_difference: z.number(),
  bootstrap_95_ci: ci,
  bootstrap_ci: ci,
  cohen_dz: z.number().nullable(),
  holm_significant: z.boolean(),
  direction: z.enum(['left_higher', 'right_higher', 'tie']),
  ...test,
  max_t_p: z.number().nullish(),
  max_t_step_p: z.number().nullish(),
  significant: z.boolean().nullish(),
  decision: z.enum(['higher', 'lower', 'open', 'identical', 'untestable', 'untested']).nullish(),
  floor: z.number().nullish(),
  differing_clusters: z.number().nullish(),
  untestable: z.enum(['by_design', 'differ_in_few']).nullish(),
  clusters_needed: z.number().nullish(),
  decision_could_turn: z.boolean().nullish(),
  equal_within: z.object({ p: z.number(), holm_p: z.number(), equal: z.boolean() }).nullish(),
  degenerate: z.boolean().nullish(),
});

const replication = z.looseObject({
  panels: z.tuple([z.string(), z.string()]),
  score_pearson: z.number().nullable(),
  rank_spearman: z.number().nullable(),
  models: z.array(z.record(z.string(), z.unknown())),
});

/** The `results` of inference.json, and the `analysis` of the published document, as far as they state a leaderboard. */
export const analysisSchema = z.looseObject({
  models: z.array(model).min(1),
  pairwise_comparisons: z.array(pair),
  resolved_pair_count: z.number(),
  definitive_top_model_id: z.string().nullable(),
  panel_replication: replication.nullish(),
  inference: z.looseObject({
    bootstrap_resamples: z.number(),
    permutation_resamples: z.number(),
    familywise_alpha: z.number(),
    max_t_critical_value: z.number(),
    seed: z.union([z.int().min(0), z.string().regex(/^\d{1,20}$/, { error: 'an unsigned 64-bit integer expected' })]),
    independent_cluster_count: z.number(),
    effective_clusters: z.number().nullish(),
    choices: z.record(z.string(), z.unknown()).nullish(),
  }),
});

export type Analysis = z.output<typeof analysisSchema>;

/** Reads the leaderboard that `results` or an `analysis` states. Errors: SCHEMA_INVALID with the field. */
export function readLeaderboard(value: unknown, place: ErrorPlace, hint?: string): Leaderboard {
  return leaderboardOf(checked(analysisSchema, value, place, hint), place, hint);
}

/** Forms the leaderboard of an analysis. Errors: SCHEMA_INVALID for a field that only this leaderboard must have. */
export function leaderboardOf(analysis: Analysis, place: ErrorPlace, hint?: string): Leaderboard {
  const { models, inference, panel_replication: panels, definitive_top_model_id: top } = analysis;
  const wrong = (path: string, expected: string, found: unknown): never =>
    fail(
      'SCHEMA_INVALID',
      { ...place, path: joined(place, path) },
      `${expected} expected, found ${shown(found)}`,
      hint,
    );
  const range = (path: string, key: string, ...values: readonly (Interval | undefined)[]): Interval =>
    values.find((value) => value !== undefined) ?? wrong(`${path}.${key}`, 'two numbers', undefined);
  const alpha = inference.familywise_alpha;
  const flips = inference.permutation_resamples;
  const leader = top === null ? null : models.findIndex(({ model_id }) => model_id === top);
  if (leader === -1) wrong('definitive_top_model_id', 'the id of a model', top);
  const { scheduled, valid_scored_per_family } = models[0]!.coverage;

  const testOf = (row: z.output<typeof chance> | z.output<typeof pair>): Omit<TestResult, 'significant'> => ({
    exceedances: row.exceedances ?? Math.round(row.sign_flip_p * (flips + 1)) - 1,
    p: row.sign_flip_p,
    holm: row.holm_p,
    pInterval99: row.p_interval_99 ?? null,
    holmCouldFlip: row.holm_could_flip ?? null,
    exactP: row.exact_p ?? null,
    pKind: row.p_kind ?? null,
  });
  const chanceOf = (row: z.output<typeof chance>, path: string): ChanceResult => ({
    ...testOf(row),
    significant: row.holm_p < alpha,
    score: row.exact_chance_score,
    meanDifference: row.mean_difference,
    interval: range(path, 'bootstrap_95_ci', row.bootstrap_95_ci, row.bootstrap_ci),
    aboveChance: row.holm_significant_above_chance,
  });
  const index = new Map(models.map(({ model_id }, m) => [model_id, m]));
  const modelOf = (row: z.output<typeof model>, m: number): ModelResult => {
    const path = `models[${m}]`;
    return {
      index: m,
      modelId: row.model_id,
      name: row.model_name,
      slotId: row.slot_id,
      score: row.flavourbench_score,
      scoreBounds: row.score_bounds ?? null,
      familyScores: row.family_scores,
      stratumScores: row.stratum_scores ?? {},
      standardError: row.score_standard_error,
      pointwise: range(path, 'score_pointwise_95_ci', row.score_pointwise_95_ci, row.score_pointwise_ci),
      simultaneous: range(path, 'score_simultaneous_95_ci', row.score_simultaneous_95_ci, row.score_simultaneous_ci),
      unbounded: row.interval_unbounded ?? null,
      rank: row.point_estimate_rank,
      rankTied: row.rank_tied ?? null,
      rankInterval: range(
        path,
        'bootstrap_rank_95_interval',
        row.bootstrap_rank_95_interval,
        row.bootstrap_rank_interval,
      ),
      rankSet: row.rank_set_simultaneous ?? null,
      rankSetMarginal: row.rank_set_marginal ?? null,
      letters: row.letters ?? null,
      openWith:
        row.not_told_apart?.map((id) => index.get(id) ?? wrong(`${path}.not_told_apart`, 'ids of models', id)) ?? null,
      group: row.statistical_rank_group,
      chance: row.chance_comparison ? chanceOf(row.chance_comparison, `${path}.chance_comparison`) : null,
      degenerate: row.degenerate ?? row.score_standard_error === 0,
    };
  };
  const pairOf = (row: z.output<typeof pair>, index: number): PairResult => ({
    ...testOf(row),
    significant: row.significant ?? row.holm_significant,
    left: row.left_index,
    right: row.right_index,
    meanDifference: row.mean_difference,
    interval: range(`pairwise_comparisons[${index}]`, 'bootstrap_95_ci', row.bootstrap_95_ci, row.bootstrap_ci),
    dz: row.cohen_dz,
    maxTP: row.max_t_p ?? null,
    maxTStepP: row.max_t_step_p ?? null,
    verdict: verdictOf(row),
    equalWithin: row.equal_within
      ? { p: row.equal_within.p, holm: row.equal_within.holm_p, equal: row.equal_within.equal }
      : null,
    direction: row.direction,
    degenerate: row.degenerate ?? null,
  });
  const replicationOf = (stated: z.output<typeof replication>): Replication => ({
    panels: stated.panels,
    scorePearson: stated.score_pearson,
    rankSpearman: stated.rank_spearman,
    scores: stated.models.map((row, m) => {
      const score = (panel: string): number => {
        const value = row[panel];
        return typeof value === 'number' ? value : wrong(`panel_replication.models[${m}].${panel}`, 'a number', value);
      };
      return [score(stated.panels[0]), score(stated.panels[1])];
    }),
  });
  return {
    plan: {
      ...FROZEN_CHOICES,
      ...(inference.choices as Partial<PlanChoices> | null | undefined),
      draws: inference.bootstrap_resamples,
      flips,
      alpha,
      seed: BigInt(inference.seed),
    },
    tasks: scheduled,
    tasksPerFamily: valid_scored_per_family,
    clusters: inference.independent_cluster_count,
    effectiveClusters: inference.effective_clusters ?? null,
    models: models.map(modelOf),
    pairs: analysis.pairwise_comparisons.map(pairOf),
    replication: panels ? replicationOf(panels) : null,
    bandCritical: inference.max_t_critical_value,
    resolvedPairs: analysis.resolved_pair_count,
    top: leader,
  };
}

/** The verdict that a pair states; null in version 1. */
function verdictOf(row: z.output<typeof pair>): PairVerdict | null {
  if (!row.decision) return null;
  return {
    decision: row.decision,
    differingClusters: row.differing_clusters ?? 0,
    floor: row.floor ?? 1,
    untestable: row.untestable ?? null,
    clustersNeeded: row.clusters_needed ?? null,
    couldTurn: row.decision_could_turn ?? false,
  };
}

const joined = ({ path = '' }: ErrorPlace, inner: string): string => (path === '' ? inner : `${path}.${inner}`);
