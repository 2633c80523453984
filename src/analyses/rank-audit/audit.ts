import type { ScoreMatrix } from '../../core/matrix.js';
import type { Engine } from '../../engine/engine.js';
import { runInference } from '../../inference/infer.js';
import type { InferencePlan } from '../../inference/plan.js';
import type { Inference } from '../../inference/result.js';
import { type ArrowColumn, columnsOf } from '../../io/arrow.js';
import { counted } from '../../util/format.js';

export interface RankAuditOptions {
  readonly matrix: ScoreMatrix;
  /** Choices to make otherwise; strata are the families unless given. */
  readonly plan?: Partial<InferencePlan>;
  readonly engine: Engine;
}

export interface AuditedModel {
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

/** Which parts of a leaderboard's order the data support: tie groups, rank intervals, separable pairs. */
export async function rankAudit(options: RankAuditOptions): Promise<{ audit: RankAudit; inference: Inference }> {
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

/** The audited models as columns. */
export function rankAuditColumns(audit: RankAudit): ArrowColumn[] {
  return columnsOf(audit.models, {
    model: ['text', (row) => row.model],
    score: ['float64', (row) => row.score],
    low: ['float64', (row) => row.low],
    high: ['float64', (row) => row.high],
    rank: ['int32', (row) => row.rank],
    rank_low: ['int32', (row) => row.rank_low],
    rank_high: ['int32', (row) => row.rank_high],
    group: ['int32', (row) => row.group],
    separable_from: ['int32', (row) => row.separable_from],
    separable_from_next: ['bool', (row) => row.separable_from_next],
  });
}

/** One paragraph: what the audit shows and what it does not. */
export function rankAuditWords(audit: RankAudit, alpha: number): string {
  const { models, pairs, tie_groups: groups } = audit;
  const steps = models.length - 1;
  const first = groups[0] ?? [];
  const widest = models.reduce((most, row) => Math.max(most, row.rank_high - row.rank_low), 0);
  if (steps === 0) return 'One model: there is no order to audit.';
  return [
    `A strict order of ${counted(models.length, 'model')} claims ${counted(steps, 'step')}; the data support ${audit.separable_steps} of them.`,
    `${audit.separable_pairs} of ${counted(pairs, 'pair')} can be told apart (paired sign flips over ${counted(audit.clusters, 'cluster')}, Holm, familywise ${alpha}).`,
    groups.length === 1
      ? 'All models form one tie group: no position in this order is established.'
      : `The order falls into ${groups.length} tie groups; ${first.length} model${first.length === 1 ? ' stands' : 's stand'} in the first.`,
    widest === 0 ? 'Every rank interval is one rank wide.' : `Rank intervals are up to ${widest + 1} ranks wide.`,
    audit.strata === 1
      ? 'Every task weighs the same in a score.'
      : `A score is the mean over ${audit.strata} families, which weigh the same whatever their size; inside one, tasks weigh the same.`,
    'A pair that cannot be told apart is not thereby equal: more tasks may separate it. The audit speaks of these tasks and scores as given; it does not say that they measure what they should.',
  ].join(' ');
}
