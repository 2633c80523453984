import { z } from 'zod';
import { type GapReport, gapWords, type MissingRule } from '../../core/gaps.js';
import { roundedWords } from '../../core/matrix-cells.js';
import { readingWords, type ScoreReading } from '../../core/matrix-logs.js';
import {
  DEFAULT_PLAN,
  type IntervalKind,
  inferencePlan,
  type Multiplicity,
  type StatedInferencePlan,
  statedInferencePlan,
  statedPlanShape,
  type TestKind,
} from '../../inference/plan.js';
import { type RepeatReport, repeatReport, repeatWords } from '../../inference/repeats.js';
import { type Inference, PAIR_DECISIONS } from '../../inference/result.js';
import type { FamilyWeights, StrataMode } from '../../inference/strata.js';
import { columnsOf, type TableColumn } from '../../io/arrow.js';
import type { LogOffer } from '../../logs/read-logs.js';
import { counted, thousands } from '../../util/format.js';
import type { Analysis, AnalysisRun } from '../analysis.js';
import { DECISION_OPTIONS, strataOption } from '../declared-options.js';
import type { AnalysisInputs } from '../inputs.js';
import { auditRanks, type RankAudit } from './audit.js';
import { auditSchema } from './audit-schema.js';
import { type CheckedClaim, checkClaims } from './claims.js';
import { visibleIn } from './visible.js';

interface RankAuditPlan extends StatedInferencePlan {
  readonly metric: string | null;
  readonly filter: string | null;
  readonly common_tasks: boolean;
  readonly fail_unless?: readonly string[];
}

export interface RankAuditResults extends RankAudit {
  /** What the files are, in words. */
  readonly source: string;
  /** How evaluation logs were read, one an evaluation. */
  readonly readings: readonly ScoreReading[];
  /** What could have been taken of them instead; absent where there is nothing else. */
  readonly offers?: readonly LogOffer[];
  /** Tasks left out because some model lacks them. */
  readonly tasks_dropped: number;
  readonly quantization: { readonly scale: number; readonly largest_error: number } | null;
  /** Which cells are there, where some are not; absent in documents of version 1. */
  readonly gaps?: GapReport | null;
  /** Claims that the call made, checked; absent where it made none. */
  readonly conditions?: readonly CheckedClaim[];
  /** What several attempts at a cell say; absent in documents of version 1. */
  readonly repeats?: RepeatReport | null;
}

export interface RankAuditOptions {
  readonly metric?: string;
  readonly filter?: string;
  readonly commonTasks?: boolean;
  readonly draws: number;
  readonly flips: number;
  readonly seed?: bigint;
  /** `family` unless given. */
  readonly strata?: StrataMode;
  readonly alpha: number;
  /** Chosen by the data unless given (decisions 2.6). */
  readonly test?: TestKind;
  readonly multiplicity?: Multiplicity;
  readonly interval?: IntervalKind;
  readonly margin?: number;
  readonly familyWeights?: FamilyWeights;
  readonly against?: string;
  /** What becomes of missing cells; withheld unless given (decisions 4.2). */
  readonly missing?: MissingRule;
  /** Claims `A > B` to check. */
  readonly failUnless?: readonly string[];
}

/** Which parts of a leaderboard's order do the data support? */
export const rankAudit: Analysis<RankAuditPlan, RankAuditResults, RankAuditOptions> = {
  name: 'rank-audit',
  summary: 'Which ranks a models x tasks matrix supports: rank sets, letters, pairs that are told apart.',
  needs: { inputs: ['audited'], words: 'a matrix, or evaluation logs of one kind' },
  options: [
    {
      flags: '--metric <name>',
      help: 'metric, scorer or named score of a log (default: the first a sample lists); of a table, rows to take by its text column metric',
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
    strataOption('family'),
    ...DECISION_OPTIONS,
    {
      flags: '--fail-unless <claim>',
      help: 'end with exit code 6 unless the data support "A > B"; may be given several times',
      kind: 'repeated',
    },
  ],
  schema: {
    id: 'flavourbench-rank-audit/2',
    earlier: ['flavourbench-rank-audit/1'],
    plan: z.looseObject({
      ...statedPlanShape,
      metric: z.string().nullable(),
      filter: z.string().nullable(),
      common_tasks: z.boolean(),
    }),
    results: auditSchema.extend({
      source: z.string(),
      readings: z.array(z.object({ family: z.string(), metric: z.string(), filter: z.string().nullable() })),
      offers: z
        .array(z.object({ family: z.string(), metrics: z.array(z.string()), filters: z.array(z.string()) }))
        .optional(),
      tasks_dropped: z.number(),
      quantization: z.object({ scale: z.number(), largest_error: z.number() }).nullable(),
      gaps: z.custom<GapReport>().nullish(),
      conditions: z.custom<readonly CheckedClaim[]>().optional(),
      repeats: z.custom<RepeatReport>().nullish(),
    }),
  },
  run: runAudit,
  columns: ({ results }) =>
    columnsOf(results.models, {
      model: ['text', (row) => row.model],
      score: ['float64', (row) => row.score],
      low: ['float64', (row) => row.low],
      high: ['float64', (row) => row.high],
      rank: ['int32', (row) => row.rank],
      rank_tied: ['bool', (row) => row.rank_tied ?? null],
      rank_set_low: ['int32', (row) => row.rank_set_simultaneous?.[0] ?? null],
      rank_set_high: ['int32', (row) => row.rank_set_simultaneous?.[1] ?? null],
      letters: ['text', (row) => row.letters ?? null],
      rank_low: ['int32', (row) => row.rank_low],
      rank_high: ['int32', (row) => row.rank_high],
      group: ['int32', (row) => row.group],
      separable_from: ['int32', (row) => row.separable_from],
      separable_from_next: ['bool', (row) => row.separable_from_next],
    }),
  words({ plan, results }) {
    const { readings, offers, tasks_dropped: dropped, quantization } = results;
    return [
      ...(readings.length > 0 ? [readingWords(readings, offers)] : []),
      ...orderWords(results, plan),
      ...(dropped > 0
        ? [`${counted(dropped, 'task')} that some model lacks ${dropped === 1 ? 'was' : 'were'} left out.`]
        : []),
      ...(results.repeats ? [repeatWords(results.repeats)] : []),
      ...(quantization ? [roundedWords({ scale: quantization.scale, largestError: quantization.largest_error })] : []),
    ].join(' ');
  },
  draw: async ({ results, plan: { alpha } }, options) =>
    (await import('./figure.js')).drawRankAudit(results, { ...options, alpha }),
};

/** An audit that has run, with the inference behind it. */
export interface AuditRun extends AnalysisRun<RankAuditPlan, RankAuditResults> {
  readonly inference: Inference;
  /** The true difference between two neighbours that these tasks find four times in five; null where it is not known. */
  readonly visible: number | null;
}

/** Audits the order of what the inputs give. Errors: those of the inputs and of the inference. */
export async function runAudit(
  inputs: AnalysisInputs,
  { metric, filter, commonTasks, failUnless, seed = DEFAULT_PLAN.seed, ...options }: RankAuditOptions,
  signal?: AbortSignal,
): Promise<AuditRun> {
  const {
    draws,
    flips,
    alpha,
    strata = 'family',
    test,
    multiplicity,
    interval,
    margin = null,
    against = null,
    familyWeights: family_weights,
  } = options;
  const missing = options.missing ?? (commonTasks ? 'common-tasks' : 'withhold');
  const open = { draws, flips, seed, alpha, strata, margin, against, missing } as const;
  const plan = inferencePlan({ ...open, ...defined({ test, multiplicity, interval, family_weights }) });
  const source = await inputs.audited();
  const { quantization, matrix, bounds, attempts } = source;
  const found = await auditRanks({ matrix, bounds, plan, engine: await inputs.engine(), signal });
  const conditions =
    failUnless === undefined
      ? null
      : checkClaims({ claims: failUnless, inference: found.inference, matrix, bounded: bounds !== undefined });
  return {
    plan: {
      ...statedInferencePlan(found.inference.plan),
      metric: metric ?? null,
      filter: filter ?? null,
      common_tasks: missing === 'common-tasks',
      ...(failUnless === undefined ? {} : { fail_unless: failUnless }),
    },
    results: {
      ...found.audit,
      source: source.kind,
      readings: source.readings,
      ...(source.offers === undefined ? {} : { offers: source.offers }),
      tasks_dropped: source.dropped,
      gaps: source.gaps ?? null,
      ...(conditions === null ? {} : { conditions }),
      repeats: attempts ? repeatReport({ matrix, attempts, strata, familyWeights: family_weights }) : null,
      quantization: quantization ? { scale: quantization.scale, largest_error: quantization.largestError } : null,
    },
    models: found.audit.models.map(({ model, rank, rank_tied }) => ({
      ...{ modelId: model, name: model, short: model, rank },
      rankTied: rank_tied ?? null,
    })),
    rng: 'philox',
    seed,
    streams: found.inference.streams,
    tables: { pairs: pairColumns(found.inference) },
    inference: found.inference,
    visible: bounds ? null : visibleIn(matrix, found.inference),
    warnings: [
      ...found.inference.warnings,
      ...source.warnings,
      ...(source.gaps ? [gapWords(source.gaps).replace(/\.$/, '')] : []),
    ],
  };
}

/** All pairs of models, in the order of the matrix: what the document lists are those that are told apart. */
function pairColumns({ models, pairTable }: Inference): TableColumn[] {
  const { left, right, difference, p, adjusted, decision } = pairTable!;
  const words = models.map(({ modelId }) => modelId);
  return [
    { name: 'left_model_id', kind: 'coded', values: left, words },
    { name: 'right_model_id', kind: 'coded', values: right, words },
    { name: 'mean_difference', kind: 'float64', values: difference },
    { name: 'sign_flip_p', kind: 'float64', values: p },
    { name: 'adjusted_p', kind: 'float64', values: adjusted },
    { name: 'decision', kind: 'coded', values: decision, words: PAIR_DECISIONS },
  ];
}

/** The keys that have a value. */
function defined<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/** What the data support of the order, and what that does not mean. */
function orderWords(results: RankAudit, plan: RankAuditPlan): string[] {
  const { models, pairs, sentences, strata } = results;
  if (models.length === 1) return ['One model: there is no order to audit.'];
  const widest = models.reduce((most, { rank_set_simultaneous: set }) => Math.max(most, set ? set[1] - set[0] : 0), 0);
  const steps = models.length - 1;
  const control = plan.multiplicity === 'max-t' ? 'step-down max-T' : 'Holm';
  return [
    ...(sentences ?? frozenWords(results, plan.alpha)),
    ...(sentences
      ? [
          `A strict order of ${counted(models.length, 'model')} claims ${counted(steps, 'step')}; the data support ${results.separable_steps} of them, and ${thousands(results.separable_pairs)} of ${counted(pairs, 'pair')} (${plan.test === 'centred' ? 'centred' : 'paired'} sign flips over ${counted(results.clusters, 'cluster')}, ${control}, familywise ${plan.alpha}).`,
          widest === 0
            ? 'Each model has one possible rank.'
            : `The ranks that the data allow a model reach over up to ${widest + 1} places.`,
        ]
      : []),
    strata === 1
      ? 'Every task weighs the same in a score.'
      : `A score is the mean over ${strata} ${plan.strata === 'panel-family' ? 'strata (a family in a panel)' : 'families'}, which weigh ${plan.family_weights === undefined ? 'the same' : 'as the call chose'} whatever their size; inside one, tasks weigh the same.`,
    'A pair that is not told apart is not thereby equal: more tasks may separate it. The audit speaks of these tasks and scores as given; it does not say that they measure what they should.',
  ];
}

/** The words of documents of version 1. */
function frozenWords(results: RankAudit, alpha: number): string[] {
  const { models, pairs, tie_groups: groups } = results;
  const first = groups[0] ?? [];
  const widest = models.reduce((most, row) => Math.max(most, row.rank_high - row.rank_low), 0);
  return [
    `A strict order of ${counted(models.length, 'model')} claims ${counted(models.length - 1, 'step')}; the data support ${results.separable_steps} of them.`,
    `${results.separable_pairs} of ${counted(pairs, 'pair')} can be told apart (paired sign flips over ${counted(results.clusters, 'cluster')}, Holm, familywise ${alpha}).`,
    groups.length === 1
      ? 'All models form one tie group: no position in this order is established.'
      : `The order falls into ${groups.length} tie groups; ${first.length} model${first.length === 1 ? ' stands' : 's stand'} in the first.`,
    `Rank intervals, which say how ranks vary over draws, are up to ${counted(widest + 1, 'rank')} wide.`,
  ];
}
