import { z } from 'zod';
import { gapWords } from '../../core/gaps.js';
import { roundedWords } from '../../core/matrix-cells.js';
import { readingWords, type ScoreReading } from '../../core/matrix-logs.js';
import { DEFAULT_PLAN, inferencePlan, type StatedInferencePlan, statedInferencePlan } from '../../inference/plan.js';
import { columnsOf } from '../../io/arrow.js';
import { counted } from '../../util/format.js';
import type { Analysis } from '../analysis.js';
import { auditRanks, type RankAudit } from './audit.js';

interface RankAuditPlan extends StatedInferencePlan {
  readonly metric: string | null;
  readonly filter: string | null;
  readonly common_tasks: boolean;
}

export interface RankAuditResults extends RankAudit {
  /** What the files are, in words. */
  readonly source: string;
  /** How evaluation logs were read, one an evaluation. */
  readonly readings: readonly ScoreReading[];
  /** Tasks left out because some model lacks them. */
  readonly tasks_dropped: number;
  readonly quantization: { readonly scale: number; readonly largest_error: number } | null;
}

export interface RankAuditOptions {
  readonly metric?: string;
  readonly filter?: string;
  readonly commonTasks?: boolean;
  readonly draws: number;
  readonly flips: number;
  readonly seed?: bigint;
  readonly alpha: number;
}

/** Which parts of a leaderboard's order do the data support? */
export const rankAudit: Analysis<RankAuditPlan, RankAuditResults, RankAuditOptions> = {
  name: 'rank-audit',
  summary: 'Which ranks a models x tasks matrix supports: tie groups, rank intervals, separable pairs.',
  needs: { inputs: ['audited'], words: 'a matrix, or evaluation logs of one kind' },
  options: [
    {
      flags: '--metric <name>',
      help: 'metric, scorer or named score of a log (default: the first a sample lists)',
      kind: 'text',
    },
    {
      flags: '--filter <name>',
      help: 'filter of an lm-evaluation-harness log (default: the first in a file)',
      kind: 'text',
    },
    { flags: '--common-tasks', help: 'old spelling of --missing common-tasks', kind: 'on' },
    { flags: '--draws <n>', help: 'bootstrap draws', kind: 'count', default: DEFAULT_PLAN.draws },
    { flags: '--flips <n>', help: 'sign-flip draws', kind: 'count', default: DEFAULT_PLAN.flips },
    { flags: '--seed <n>', help: `seed, unsigned 64-bit (default: ${DEFAULT_PLAN.seed})`, kind: 'seed' },
    { flags: '--alpha <x>', help: 'familywise error rate', kind: 'number', default: DEFAULT_PLAN.alpha },
  ],
  schema: {
    id: 'flavourbench-rank-audit/1',
    plan: z.object({
      draws: z.number(),
      flips: z.number(),
      seed: z.string(),
      rng: z.enum(['philox', 'numpy']),
      strata: z.enum(['panel-family', 'family']),
      scheme: z.enum(['joint', 'stratified']),
      alpha: z.number(),
      metric: z.string().nullable(),
      filter: z.string().nullable(),
      common_tasks: z.boolean(),
    }),
    results: z.object({
      models: z.array(
        z.object({
          model: z.string(),
          score: z.number(),
          low: z.number(),
          high: z.number(),
          rank: z.number(),
          rank_low: z.number(),
          rank_high: z.number(),
          group: z.number(),
          separable_from: z.number(),
          separable_from_next: z.boolean().nullable(),
        }),
      ),
      tie_groups: z.array(z.array(z.string())),
      pairs: z.number(),
      separable_pairs: z.number(),
      separable_steps: z.number(),
      separable: z.array(
        z.object({ higher: z.string(), lower: z.string(), difference: z.number(), holm_p: z.number() }),
      ),
      tasks: z.number(),
      clusters: z.number(),
      strata: z.number(),
      source: z.string(),
      readings: z.array(z.object({ family: z.string(), metric: z.string(), filter: z.string().nullable() })),
      tasks_dropped: z.number(),
      quantization: z.object({ scale: z.number(), largest_error: z.number() }).nullable(),
    }),
  },
  async run(inputs, { metric, filter, commonTasks, draws, flips, seed = DEFAULT_PLAN.seed, alpha }) {
    const plan = inferencePlan({ draws, flips, seed, alpha, strata: 'family' });
    const source = await inputs.audited();
    const found = await auditRanks({ matrix: source.matrix, plan, engine: await inputs.engine() });
    const { quantization } = source;
    return {
      plan: {
        ...statedInferencePlan(plan),
        metric: metric ?? null,
        filter: filter ?? null,
        common_tasks: commonTasks === true,
      },
      results: {
        ...found.audit,
        source: source.kind,
        readings: source.readings,
        tasks_dropped: source.dropped,
        quantization: quantization ? { scale: quantization.scale, largest_error: quantization.largestError } : null,
      },
      models: found.audit.models.map(({ model, rank }) => ({ modelId: model, name: model, short: model, rank })),
      rng: 'philox',
      seed,
      streams: found.inference.streams,
      warnings: [
        ...found.inference.warnings,
        ...source.warnings,
        ...(source.gaps ? [gapWords(source.gaps).replace(/\.$/, '')] : []),
      ],
    };
  },
  columns: ({ results }) =>
    columnsOf(results.models, {
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
    }),
  words({ plan, results }) {
    const { readings, tasks_dropped: dropped, quantization } = results;
    return [
      ...(readings.length > 0 ? [readingWords(readings)] : []),
      orderWords(results, plan.alpha),
      ...(dropped > 0
        ? [`${counted(dropped, 'task')} that some model lacks ${dropped === 1 ? 'was' : 'were'} left out.`]
        : []),
      ...(quantization ? [roundedWords({ scale: quantization.scale, largestError: quantization.largest_error })] : []),
    ].join(' ');
  },
  draw: async ({ results, plan: { alpha } }, options) =>
    (await import('./figure.js')).drawRankAudit(results, { ...options, alpha }),
};

/** What the data support of the order, and what that does not mean. */
function orderWords(results: RankAudit, alpha: number): string {
  const { models, pairs, tie_groups: groups } = results;
  const steps = models.length - 1;
  const first = groups[0] ?? [];
  const widest = models.reduce((most, row) => Math.max(most, row.rank_high - row.rank_low), 0);
  if (steps === 0) return 'One model: there is no order to audit.';
  return [
    `A strict order of ${counted(models.length, 'model')} claims ${counted(steps, 'step')}; the data support ${results.separable_steps} of them.`,
    `${results.separable_pairs} of ${counted(pairs, 'pair')} can be told apart (paired sign flips over ${counted(results.clusters, 'cluster')}, Holm, familywise ${alpha}).`,
    groups.length === 1
      ? 'All models form one tie group: no position in this order is established.'
      : `The order falls into ${groups.length} tie groups; ${first.length} model${first.length === 1 ? ' stands' : 's stand'} in the first.`,
    widest === 0 ? 'Every rank interval is one rank wide.' : `Rank intervals are up to ${widest + 1} ranks wide.`,
    results.strata === 1
      ? 'Every task weighs the same in a score.'
      : `A score is the mean over ${results.strata} families, which weigh the same whatever their size; inside one, tasks weigh the same.`,
    'A pair that cannot be told apart is not thereby equal: more tasks may separate it. The audit speaks of these tasks and scores as given; it does not say that they measure what they should.',
  ].join(' ');
}
