import type { ScoreMatrix } from '../../core/matrix.js';
import type { Engine } from '../../engine/engine.js';
import { runInference } from '../../inference/infer.js';
import type { InferencePlan } from '../../inference/plan.js';
import type { Inference } from '../../inference/result.js';

interface AuditOptions {
  readonly matrix: ScoreMatrix;
  /** Choices to make otherwise; strata are the families unless given. */
  readonly plan?: Partial<InferencePlan>;
  readonly engine: Engine;
}

interface AuditedModel {
  readonly model: string;
  readonly score: number;
  readonly low: number;
  readonly high: number;
  readonly rank: number;
  /** Ranks the bootstrap gives this model. */
  readonly rank_low: number;
  readonly rank_high: number;
  /** Tie group, 1 for the best. */
  readonly group: number;
  /** Models it can be told apart from. */
  readonly separable_from: number;
  /** Whether it can be told apart from the model one rank below; null for the last. */
  readonly separable_from_next: boolean | null;
}

export interface RankAudit {
  /** By rank, best first. */
  readonly models: readonly AuditedModel[];
  readonly tie_groups: readonly (readonly string[])[];
  readonly pairs: number;
  readonly separable_pairs: number;
  /** Of the M - 1 steps a strict order claims, those that the data support. */
  readonly separable_steps: number;
  /** Better, worse, mean difference, Holm p, of every separable pair. */
  readonly separable: readonly {
    readonly higher: string;
    readonly lower: string;
    readonly difference: number;
    readonly holm_p: number;
  }[];
  readonly tasks: number;
  readonly clusters: number;
  readonly strata: number;
}

/** Finds which parts of a leaderboard's order the data support: tie groups, rank intervals, separable pairs. */
export async function auditRanks(options: AuditOptions): Promise<{ audit: RankAudit; inference: Inference }> {
  const { matrix, engine, plan } = options;
  const inference = await runInference({ matrix, engine, plan: { strata: 'family', ...plan } });
  return { audit: auditOf(inference), inference };
}

function auditOf(inference: Inference): RankAudit {
  const { models, pairs } = inference;
  const ordered = [...models].sort((a, b) => a.rank - b.rank);
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
        };
      }),
    tasks: inference.tasks,
    clusters: inference.clusters,
    strata: inference.strata.length,
  };
}
