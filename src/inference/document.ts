import type { ScoreMatrix } from '../core/matrix.js';
import { type Envelope, envelope, type InputFile, type RunFacts } from '../io/envelope.js';
import { RNG_ID } from '../util/version.js';
import { type InferencePlanDocument, planDocument } from './plan.js';
import type { ChanceResult, Inference, ModelResult, PairResult, TestResult } from './result.js';

/** What is known about the ranked models beside their scores. */
export interface ModelNames {
  readonly modelId: string;
  readonly name: string | null;
  readonly slotId: string | null;
}

export interface DocumentOptions {
  readonly matrix: ScoreMatrix;
  readonly inference: Inference;
  /** Per model, in matrix order; absent: names are ids. */
  readonly names?: readonly ModelNames[];
  /** Digest of the core plan, where the columns came from one. */
  readonly corePlanSha256?: string;
  /** The cells come from answers, not from a ready matrix. */
  readonly fromAnswers?: boolean;
  /** Facts about rounding, where a real-valued matrix was quantised. */
  readonly quantization?: { readonly scale: number; readonly largestError: number };
}

export interface InferenceDocumentOptions extends DocumentOptions {
  readonly inputs: readonly InputFile[];
  readonly run: RunFacts;
}

/** inference.json: the envelope around `inferenceResults`, and its exact text. */
export function inferenceDocument(options: InferenceDocumentOptions): {
  document: Envelope<InferencePlanDocument, Record<string, unknown>>;
  text: string;
} {
  const { plan, streams } = options.inference;
  return envelope({
    schema: 'flavourbench-inference/1',
    plan: planDocument(plan),
    inputs: options.inputs,
    rng: RNG_ID[plan.rng],
    seed: plan.seed,
    streams,
    results: inferenceResults(options),
    run: options.run,
  });
}

/** `score_pointwise_95_ci` at alpha .05, `score_pointwise_ci` at any other. */
function keyed(alpha: number, before: string, after: string): string {
  return alpha === 0.05 ? `${before}_95_${after}` : `${before}_${after}`;
}

/**
 * The `results` of inference.json: the released `analysis` (collection 3.1) with our additions under keys of their own.
 * Released fields that the inputs cannot give are null.
 */
export function inferenceResults(options: DocumentOptions): Record<string, unknown> {
  const { inference, matrix } = options;
  const { plan } = inference;
  const chance = inference.models.some((model) => model.chance !== null);
  return {
    schema_version: 'flavourbench-selection-common-core-analysis-v1',
    status: null,
    plan_sha256: options.corePlanSha256 ?? null,
    estimand: `${inference.models.length}-model ${Object.keys(inference.tasksPerFamily).length}-family mean of ${inference.strata.length} equally weighted strata (${plan.strata})`,
    quality_scope: null,
    failure_handling: options.fromAnswers ? 'no failed or unparseable cell enters the analytic matrix' : null,
    dnf_rows_emitted: false,
    models: inference.models.map((model) => modelRecord(model, options)),
    pairwise_comparisons: inference.pairs.map((pair) => pairRecord(pair, options)),
    resolved_pair_count: inference.resolvedPairs,
    definitive_top_model_id: inference.top === null ? null : matrix.models[inference.top],
    panel_replication: replicationRecord(inference),
    response_artifact_count: options.fromAnswers ? matrix.values.length : null,
    response_artifact_set_sha256: null,
    inference: {
      bootstrap_resamples: plan.draws,
      permutation_resamples: plan.flips,
      familywise_alpha: plan.alpha,
      pairwise_hypotheses: inference.pairs.length,
      chance_hypotheses: chance ? inference.models.length : 0,
      max_t_critical_value: inference.bandCritical,
      seed: plan.seed.toString(),
      independence_unit: 'cluster',
      independent_cluster_count: inference.clusters,
      shared_anchor_tasks_move_together: true,
      complete_case_matrix: true,
      redrawn_resamples: inference.redraws,
      strata: inference.strata,
      flip_weights: inference.weights,
      quantization: options.quantization
        ? {
            scale: options.quantization.scale,
            largest_error: options.quantization.largestError,
          }
        : null,
    },
  };
}

function modelRecord(model: ModelResult, options: DocumentOptions): Record<string, unknown> {
  const { inference, names, fromAnswers } = options;
  const { alpha } = inference.plan;
  const known = names?.[model.index];
  return {
    model_id: model.modelId,
    model_name: known?.name ?? model.modelId,
    slot_id: known?.slotId ?? null,
    score_status: 'scored_complete_common_core',
    coverage: {
      scheduled: inference.tasks,
      completed: fromAnswers ? inference.tasks : null,
      parseable: fromAnswers ? inference.tasks : null,
      valid_scored: inference.tasks,
      valid_scored_rate: 1,
      valid_scored_per_family: inference.tasksPerFamily,
    },
    flavourbench_score: model.score,
    family_scores: model.familyScores,
    stratum_scores: model.stratumScores,
    score_standard_error: model.standardError,
    [keyed(alpha, 'score_pointwise', 'ci')]: model.pointwise,
    [keyed(alpha, 'score_simultaneous', 'ci')]: model.simultaneous,
    point_estimate_rank: model.rank,
    [keyed(alpha, 'bootstrap_rank', 'interval')]: model.rankInterval,
    statistical_rank_group: model.group,
    chance_comparison: model.chance && chanceRecord(model.chance, alpha),
    degenerate: model.degenerate,
  };
}

function testRecord(test: TestResult): Record<string, unknown> {
  return {
    sign_flip_p: test.p,
    holm_p: test.holm,
    p_interval_99: test.pInterval99,
    exact_p: test.exactP,
    holm_could_flip: test.holmCouldFlip,
  };
}

function chanceRecord(chance: ChanceResult, alpha: number): Record<string, unknown> {
  return {
    exact_chance_score: chance.score,
    mean_difference: chance.meanDifference,
    [keyed(alpha, 'bootstrap', 'ci')]: chance.interval,
    holm_significant_above_chance: chance.aboveChance,
    ...testRecord(chance),
  };
}

function pairRecord(pair: PairResult, { inference }: DocumentOptions): Record<string, unknown> {
  return {
    left_index: pair.left,
    right_index: pair.right,
    left_model_id: inference.models[pair.left]?.modelId,
    right_model_id: inference.models[pair.right]?.modelId,
    shared_valid_tasks: inference.tasks,
    shared_valid_tasks_per_family: inference.tasksPerFamily,
    mean_difference: pair.meanDifference,
    [keyed(inference.plan.alpha, 'bootstrap', 'ci')]: pair.interval,
    cohen_dz: pair.dz,
    holm_significant: pair.significant,
    direction: pair.direction,
    ...testRecord(pair),
    max_t_p: pair.maxTP,
    degenerate: pair.degenerate,
  };
}

function replicationRecord({ replication, models }: Inference): Record<string, unknown> | null {
  if (replication === null) return null;
  const [first, second] = replication.panels;
  return {
    status: 'descriptive_replication_diagnostic',
    panels: replication.panels,
    score_pearson: replication.scorePearson,
    rank_spearman: replication.rankSpearman,
    models: models.map((model, m) => {
      const a = replication.scores[2 * m]!;
      const b = replication.scores[2 * m + 1]!;
      // A panel may be called `difference`; its figure then stands in the Arrow table only.
      return { [first]: a, [second]: b, model_id: model.modelId, difference: b - a };
    }),
  };
}
