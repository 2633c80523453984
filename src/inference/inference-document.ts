import type { ScoreMatrix } from '../core/matrix.js';
import { canonicalDigest } from '../io/canonical.js';
import { envelope, type InputFile, type RunFacts, type WrittenEnvelope } from '../io/envelope.js';
import type { SetParser } from '../responses/parser.js';
import { responseParserFields } from '../responses/parser-contract.js';
import { RNG_ID } from '../util/version.js';
import { CHANCE_PART, jsonRecord, modelColumns, pairColumns, replicationColumns, replicationRows } from './columns.js';
import { EQUAL_PART } from './decision-columns.js';
import { FROZEN_CHOICES, isFrozen, type StatedInferencePlan, statedInferencePlan } from './plan.js';
import type { Inference, ModelResult } from './result.js';
import type { ResultColumn } from './result-column.js';
import type { Standing } from './standing.js';

/** Schema id of a document by version: one whose plan names no choice is of version 1. */
export const INFERENCE_SCHEMAS = { 1: 'flavourbench-inference/1', 2: 'flavourbench-inference/2' } as const;

export interface DocumentOptions {
  readonly matrix: ScoreMatrix;
  readonly inference: Inference;
  /** Digest of the core plan, where the columns came from one. */
  readonly corePlanSha256?: string;
  /** The cells come from answers, not from a ready matrix. */
  readonly fromAnswers?: boolean;
  /** Parser of the answers, and how many of them held reasoning that it passed over; documents of version 1 name v3 by saying nothing. */
  readonly parser?: SetParser;
  readonly reasoned?: number;
  /** Facts about rounding, where a real-valued matrix was quantised. */
  readonly quantization?: { readonly scale: number; readonly largestError: number };
}

export interface InferenceDocumentOptions extends DocumentOptions {
  readonly inputs: readonly InputFile[];
  /** How the result stands to a plan; absent where another document says it. */
  readonly standing?: Standing;
  readonly run: RunFacts;
}

/** What of results depends on how `infer` was called and not on the answers. */
const OF_THE_CALL: ReadonlySet<string> = new Set([
  'model_name',
  'slot_id',
  'plan_sha256',
  'failure_handling',
  'response_artifact_count',
  'completed',
  'parseable',
  'response_parser',
  'response_parser_sha256',
  'inline_reasoning_answers',
]);

/** Tells whether a field of results depends on how `infer` was called and not on the answers. */
export function isOfTheCall(key: string): boolean {
  return OF_THE_CALL.has(key);
}

/** Forms the digest of results without what depends on how `infer` was called: the same for one leaderboard however it was asked for. */
export function inferenceDigest(results: object): string {
  return canonicalDigest(JSON.parse(JSON.stringify(results, (key, value) => (isOfTheCall(key) ? undefined : value))));
}

/** Writes inference.json: the envelope around `inferenceResults`, and its exact text. */
export function inferenceDocument(
  options: InferenceDocumentOptions,
): WrittenEnvelope<StatedInferencePlan, Record<string, unknown>> {
  const { plan, streams } = options.inference;
  return envelope({
    schema: INFERENCE_SCHEMAS[isFrozen(options.inference.plan) ? 1 : 2],
    plan: statedInferencePlan(plan),
    inputs: options.inputs,
    rng: RNG_ID[plan.rng],
    seed: plan.seed,
    streams,
    results: inferenceResults(options),
    standing: options.standing,
    run: options.run,
  });
}

/**
 * Makes the `results` of inference.json: the released `analysis` (collection 3.1) with our additions under keys of their own.
 * Released fields that the inputs cannot give are null.
 */
export function inferenceResults(options: DocumentOptions): Record<string, unknown> {
  const { inference, matrix, fromAnswers } = options;
  const { plan, tasksPerFamily } = inference;
  const chance = inference.models.some((model) => model.chance !== null);
  const models = modelColumns(inference);
  const pairs = pairColumns(inference);
  const version = isFrozen(plan) ? 1 : 2;
  return {
    schema_version: `flavourbench-selection-common-core-analysis-v${version}`,
    status: null,
    plan_sha256: options.corePlanSha256 ?? null,
    estimand: `${inference.models.length}-model ${Object.keys(tasksPerFamily).length}-family mean of ${inference.strata.length} ${inference.strata.some(({ weight }) => weight !== undefined) ? 'weighted' : 'equally weighted'} strata (${plan.strata})`,
    quality_scope: null,
    failure_handling: fromAnswers ? 'no failed or unparseable cell enters the analytic matrix' : null,
    dnf_rows_emitted: false,
    models: inference.models.map((model) => modelRecord(models, model, options)),
    pairwise_comparisons: inference.pairs.map((pair) => ({
      ...jsonRecord(pairs, pair),
      ...(version === 2 && pair.equalWithin === null ? { [EQUAL_PART]: null } : {}),
      shared_valid_tasks_per_family: tasksPerFamily,
    })),
    resolved_pair_count: inference.resolvedPairs,
    definitive_top_model_id: inference.top === null ? null : matrix.models[inference.top],
    panel_replication: replicationRecord(inference),
    ...(options.parser === undefined || (options.parser === 'v3' && version === 1)
      ? {}
      : { ...responseParserFields(options.parser), inline_reasoning_answers: options.reasoned ?? 0 }),
    response_artifact_count: fromAnswers ? matrix.values.length : null,
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
      strata: statedStrata(inference),
      ...(version === 1 ? {} : { effective_clusters: inference.effectiveClusters, choices: choicesOf(plan) }),
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

/** The record of a model: its columns, and what every model of the document has alike. */
function modelRecord(
  columns: readonly ResultColumn<ModelResult>[],
  model: ModelResult,
  { inference, fromAnswers }: DocumentOptions,
): Record<string, unknown> {
  const { coverage, ...record } = jsonRecord(columns, model);
  const answered = fromAnswers ? inference.tasks : null;
  return {
    ...record,
    ...(isFrozen(inference.plan)
      ? {}
      : { not_told_apart: model.openWith?.map((index) => inference.models[index]!.modelId) ?? null }),
    score_status: 'scored_complete_common_core',
    coverage: {
      ...(coverage as object),
      completed: answered,
      parseable: answered,
      valid_scored_per_family: inference.tasksPerFamily,
    },
    ...(model.chance === null ? { [CHANCE_PART]: null } : {}),
    ...(isFrozen(inference.plan) ? {} : absentRanges(model)),
  };
}

/** The ranges of a model that there are not, null as a whole. */
function absentRanges({ rankSet, rankSetMarginal, scoreBounds }: ModelResult): Record<string, null> {
  return {
    ...(rankSet === null ? { rank_set_simultaneous: null } : {}),
    ...(rankSetMarginal === null ? { rank_set_marginal: null } : {}),
    ...(scoreBounds === null ? { score_bounds: null } : {}),
  };
}

/** Strata as documents state them: those of version 1 count no clusters in them. */
export function statedStrata({ plan, strata }: Inference): readonly object[] {
  return isFrozen(plan) ? strata.map(({ label, tasks }) => ({ label, tasks })) : strata;
}

/** The choices of a plan, without its sizes. */
function choicesOf(plan: Inference['plan']): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(plan).filter(([name]) => name in FROZEN_CHOICES || name === 'family_weights'),
  );
}

function replicationRecord(inference: Inference): Record<string, unknown> | null {
  const { replication } = inference;
  if (replication === null) return null;
  // Whatever the panels are called, `model_id` and `difference` are ours: they are set last.
  const [id, ...rest] = replicationColumns(inference);
  const columns = [...rest.slice(0, 2), id!, ...rest.slice(2)];
  return {
    status: 'descriptive_replication_diagnostic',
    panels: replication.panels,
    score_pearson: replication.scorePearson,
    rank_spearman: replication.rankSpearman,
    models: replicationRows(inference).map((row) => jsonRecord(columns, row)),
  };
}
