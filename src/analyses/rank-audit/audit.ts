import type { BoundedMatrix } from '../../core/gaps.js';
import type { ScoreMatrix } from '../../core/matrix.js';
import type { Engine } from '../../engine/engine.js';
import { decisionWords } from '../../inference/decisions/decision-words.js';
import { runInference } from '../../inference/infer.js';
import type { InferencePlan } from '../../inference/plan.js';
import type { Inference, PairDecision } from '../../inference/result.js';

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
  readonly decisions: Readonly<Record<PairDecision, number>>;
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
    defaults: 'table',
  });
  return { audit: auditOf(inference), inference };
}

function auditOf(inference: Inference): RankAudit {
  const { models, pairs, plan } = inference;
  const version2 = plan.order === 'model-id';
  const ordered = [...models].sort((a, b) => a.rank - b.rank || (version2 && a.modelId < b.modelId ? -1 : 1));
  const apart = models.map(() => new Set<number>());
  for (const { left, right, significant } of pairs) {
    if (!significant) continue;
    apart[left]?.add(right);
    apart[right]?.add(left);
  }
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
      separable_from: apart[model.index]?.size ?? 0,
      separable_from_next: next ? (apart[model.index]?.has(next.index) ?? false) : null,
      ...(version2
        ? {
            score_bounds: model.scoreBounds,
            rank_tied: model.rankTied,
            rank_set_simultaneous: model.rankSet,
            rank_set_marginal: model.rankSetMarginal,
            letters: model.letters,
            not_told_apart:
              model.letters === null ? (model.openWith?.map((index) => models[index]!.modelId) ?? null) : null,
          }
        : {}),
    };
  });
  const groups = Array.from({ length: audited.at(-1)?.group ?? 0 }, (_, g) =>
    audited.filter(({ group }) => group === g + 1).map(({ model }) => model),
  );
  return {
    models: audited,
    tie_groups: groups,
    pairs: pairs.length,
    separable_pairs: inference.resolvedPairs,
    separable_steps: audited.filter(({ separable_from_next: step }) => step === true).length,
    separable: pairs
      .filter(({ significant }) => significant)
      .map((pair) => {
        const up = pair.meanDifference > 0;
        return {
          higher: models[up ? pair.left : pair.right]!.modelId,
          lower: models[up ? pair.right : pair.left]!.modelId,
          difference: Math.abs(pair.meanDifference),
          holm_p: pair.holm,
          ...(version2
            ? { adjusted_p: plan.multiplicity === 'max-t' ? (pair.maxTStepP ?? pair.holm) : pair.holm }
            : {}),
        };
      }),
    tasks: inference.tasks,
    clusters: inference.clusters,
    strata: inference.strata.length,
    ...(version2 ? { design: designOf(inference), sentences: decisionWords(inference, ({ modelId }) => modelId) } : {}),
  };
}

function designOf({ effectiveClusters, strata, pairs }: Inference): AuditedDesign {
  const decisions = { higher: 0, lower: 0, open: 0, identical: 0, untestable: 0, untested: 0 };
  let needed: number | null = null;
  for (const { verdict } of pairs) {
    if (verdict === null) continue;
    decisions[verdict.decision] += 1;
    if (verdict.clustersNeeded !== null) needed = Math.max(needed ?? 0, verdict.clustersNeeded);
  }
  return { effective_clusters: effectiveClusters, strata, decisions, clusters_needed: needed };
}
