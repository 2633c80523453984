import type { BoundedMatrix } from '../../core/gaps.js';
import type { ScoreMatrix } from '../../core/matrix.js';
import { pairCount, pairIndex } from '../../engine/design.js';
import type { Engine } from '../../engine/engine.js';
import { decisionWords } from '../../inference/decisions/decision-words.js';
import { runInference } from '../../inference/infer.js';
import { byRank } from '../../inference/model-ranks.js';
import type { InferencePlan } from '../../inference/plan.js';
import { type Inference, type ModelResult, PAIR_DECISIONS, type PairSummary } from '../../inference/result.js';

interface AuditOptions {
  readonly matrix: ScoreMatrix;
  /** The matrix with missing cells at the least and the greatest value (decisions 4.2). */
  readonly bounds?: Pick<BoundedMatrix, 'low' | 'high'>;
  /** Choices to make otherwise; strata are the families unless given. */
  readonly plan?: Partial<InferencePlan>;
  readonly engine: Engine;
  readonly signal?: AbortSignal;
}

type RankRange = readonly [number, number];

export interface AuditedModel {
  readonly model: string;
  readonly score: number;
  /** With missing cells at the least and the greatest value, `score` half-way; null where none are missing. */
  readonly score_bounds?: RankRange | null;
  readonly low: number;
  readonly high: number;
  readonly rank: number;
  readonly rank_tied?: boolean | null;
  /** Ranks the bootstrap gives this model: how its rank varies over draws. */
  readonly rank_low: number;
  readonly rank_high: number;
  /** Ranks the data allow it, right for all models at once (decisions 1.3); absent or null in documents of version 1. */
  readonly rank_set_simultaneous?: RankRange | null;
  /** The same for this model alone. */
  readonly rank_set_marginal?: RankRange | null;
  readonly letters?: string | null;
  /** Tie group, 1 for the best. */
  readonly group: number;
  /** Models it can be told apart from. */
  readonly separable_from: number;
  /** Models it is not told apart from, where letters do not say so. */
  readonly not_told_apart?: readonly string[] | null;
  /** Whether it can be told apart from the model one rank below; null for the last. */
  readonly separable_from_next: boolean | null;
}

/** Better, worse, mean difference and adjusted p of a pair that is told apart. */
interface SeparablePair {
  readonly higher: string;
  readonly lower: string;
  readonly difference: number;
  readonly holm_p: number;
  /** The p of the multiplicity in force; absent in documents of version 1, where it is Holm's. */
  readonly adjusted_p?: number;
}

/** What the design of an audit can show. */
export interface AuditedDesign {
  readonly effective_clusters: number | null;
  readonly strata: readonly { readonly label: string; readonly tasks: number; readonly clusters: number }[];
  /** Pairs by decision. */
  readonly decisions: PairSummary['decisions'];
  /** Differing clusters that the pairs that no scores could tell apart would take; null where there are none. */
  readonly clusters_needed: number | null;
}

export interface RankAudit {
  /** By rank, then id: best first. */
  readonly models: readonly AuditedModel[];
  readonly tie_groups: readonly (readonly string[])[];
  readonly pairs: number;
  readonly separable_pairs: number;
  /** Of the M - 1 steps a strict order claims, those that the data support. */
  readonly separable_steps: number;
  readonly separable: readonly SeparablePair[];
  readonly tasks: number;
  readonly clusters: number;
  readonly strata: number;
  /** Absent in documents of version 1. */
  readonly design?: AuditedDesign | null;
  /** What may be said, in plain words (decisions 6); absent in documents of version 1. */
  readonly sentences?: readonly string[] | null;
}

/** Finds which parts of a leaderboard's order the data support: rank sets, letters, separable pairs (decisions 1 to 3). */
export async function auditRanks(options: AuditOptions): Promise<{ audit: RankAudit; inference: Inference }> {
  const { matrix, bounds, engine, plan, signal } = options;
  const inference = await runInference({
    ...{ matrix, bounds, engine, signal },
    plan: { strata: 'family', ...plan },
    withoutPairs: true,
    otherTest: true,
    defaults: 'table',
  });
  return { audit: auditOf(inference), inference };
}

/** Finds in an inference which parts of its order are supported. */
export function auditOf(inference: Inference): RankAudit {
  const { models, pairTable } = inference;
  const ordered = byRank(models);
  const separable = separablePairs(inference);
  const apart = separableMarks(inference);
  const from = countSeparable(inference, apart);
  const audited = ordered.map((model, k): AuditedModel => {
    const next = ordered[k + 1];
    return {
      model: model.modelId,
      score: model.score,
      low: model.pointwise[0],
      high: model.pointwise[1],
      rank: model.rank,
      rank_low: model.rankInterval[0],
      rank_high: model.rankInterval[1],
      group: model.group,
      separable_from: from[model.index]!,
      separable_from_next: next ? apart[pairOf(model.index, next.index, models.length)] === 1 : null,
      ...(pairTable ? decisionsOf(model, models) : {}),
    };
  });
  const groups = Array.from({ length: audited.at(-1)?.group ?? 0 }, (_, g) =>
    audited.filter(({ group }) => group === g + 1).map(({ model }) => model),
  );
  return {
    models: audited,
    tie_groups: groups,
    pairs: pairCount(models.length),
    separable_pairs: inference.resolvedPairs,
    separable_steps: audited.filter(({ separable_from_next: step }) => step === true).length,
    separable,
    tasks: inference.tasks,
    clusters: inference.clusters,
    strata: inference.strata.length,
    ...(pairTable
      ? { design: designOf(inference), sentences: decisionWords(inference, ({ modelId }) => modelId) }
      : {}),
  };
}

const pairOf = (a: number, b: number, models: number): number =>
  a < b ? pairIndex(a, b, models) : pairIndex(b, a, models);

/** Marks the pairs that are told apart, in `pairIndex` order. */
function separableMarks({ pairs, pairTable }: Inference): Uint8Array {
  if (pairTable === null) return Uint8Array.from(pairs, ({ significant }) => Number(significant));
  const { decision } = pairTable;
  const marks = new Uint8Array(decision.length);
  for (let pair = 0; pair < marks.length; pair += 1)
    if (decision[pair] === HIGHER || decision[pair] === LOWER) marks[pair] = 1;
  return marks;
}

/** Counts, for each model, those it is told apart from. */
function countSeparable({ models }: Inference, apart: Uint8Array): Int32Array {
  const counts = new Int32Array(models.length);
  for (let i = 0, pair = 0; i < models.length; i += 1)
    for (let j = i + 1; j < models.length; j += 1, pair += 1) {
      counts[i]! += apart[pair]!;
      counts[j]! += apart[pair]!;
    }
  return counts;
}

const HIGHER = PAIR_DECISIONS.indexOf('higher');
const LOWER = PAIR_DECISIONS.indexOf('lower');

/** What version 2 says of a model beside. */
function decisionsOf(model: ModelResult, models: readonly ModelResult[]): Partial<AuditedModel> {
  const { letters, openWith } = model;
  return {
    score_bounds: model.scoreBounds,
    rank_tied: model.rankTied,
    rank_set_simultaneous: model.rankSet,
    rank_set_marginal: model.rankSetMarginal,
    letters,
    not_told_apart: letters === null ? (openWith?.map((m) => models[m]!.modelId) ?? null) : null,
  };
}

/**
 * Lists the pairs that are told apart, in the order of the rows; those of version 1 have their records only. Keys stand as the document has
 * them, which is then written as it is (`canonicalJson`).
 */
function separablePairs({ models, pairs, pairTable }: Inference): SeparablePair[] {
  if (pairTable === null)
    return pairs
      .filter(({ significant }) => significant)
      .map(({ left, right, meanDifference, holm }) => ({
        difference: Math.abs(meanDifference),
        higher: models[meanDifference > 0 ? left : right]!.modelId,
        holm_p: holm,
        lower: models[meanDifference > 0 ? right : left]!.modelId,
      }));
  const { left, right, difference, holm, adjusted, decision } = pairTable;
  const found: SeparablePair[] = [];
  decision.forEach((code, k) => {
    if (code !== HIGHER && code !== LOWER) return;
    const leftAbove = code === HIGHER;
    found.push({
      adjusted_p: adjusted[k]!,
      difference: Math.abs(difference[k]!),
      higher: models[leftAbove ? left[k]! : right[k]!]!.modelId,
      holm_p: holm[k]!,
      lower: models[leftAbove ? right[k]! : left[k]!]!.modelId,
    });
  });
  return found;
}

function designOf({ effectiveClusters, strata, pairSummary }: Inference): AuditedDesign {
  const { decisions, clustersNeeded } = pairSummary!;
  return { effective_clusters: effectiveClusters, strata, decisions, clusters_needed: clustersNeeded };
}
