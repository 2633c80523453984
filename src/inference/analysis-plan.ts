import { z } from 'zod';
import type { ScoreMatrix } from '../core/matrix.js';
import { canonicalDigest, sealed } from '../io/canonical.js';
import { assertDigests } from '../io/document.js';
import { parseObject } from '../io/json.js';
import { FlavourError, fail } from '../util/error.js';
import { checked, count, sha256Text } from '../util/schema.js';
import { FROZEN_CHOICES, type InferencePlan, inferencePlan, type OpenPlan, statedPlanShape } from './plan.js';

const ANALYSIS_PLAN_SCHEMA = 'flavourbench-inference-plan/1';

/** What a plan fixes of an inference besides core and roster: everything that a call could choose after it has seen a score. */
const planned = z.object({
  ...statedPlanShape,
  seed: z.string().regex(/^\d{1,20}$/, { error: 'an unsigned 64-bit integer in quotes expected' }),
  test: statedPlanShape.test.unwrap(),
  multiplicity: statedPlanShape.multiplicity.unwrap(),
  interval: statedPlanShape.interval.unwrap(),
  margin: z.number().nullable(),
  against: z.string().nullable(),
  missing: z.enum(['withhold', 'common-tasks', 'bounds']),
});

/** The written form of an analysis plan (`plan.json`). */
const analysisPlanSchema = z.object({
  schema: z.literal(ANALYSIS_PLAN_SCHEMA),
  canonicalization: z.literal('RFC8785'),
  frozen_at: z.iso.datetime({ error: 'a time in UTC expected, such as 2026-08-20T00:00:00.000Z' }),
  core: z
    .object({ artifact_sha256: z.string(), tasks: count, tasks_sha256: sha256Text })
    .nullable()
    .describe('The tasks that are ranked; null where the plan leaves them open.'),
  models: z.array(z.string()).readonly().nullable().describe('The roster; null where the plan leaves it open.'),
  plan: planned,
  artifact_sha256: sha256Text,
});

/** A plan of the analysis of a leaderboard, frozen before it is run. */
export type AnalysisPlan = Readonly<z.infer<typeof analysisPlanSchema>>;

/** Forms the digest of a set of tasks, the same in any order. */
function tasksDigest(ids: readonly string[]): string {
  return canonicalDigest([...ids].sort());
}

/** Freezes a plan: what was left open of test, multiplicity and interval is what a leaderboard has by default. Errors: USAGE. */
export function freezeAnalysisPlan(options: {
  readonly core: { readonly artifactSha256: string; readonly ids: readonly string[] } | null;
  readonly models: readonly string[] | null;
  readonly plan: Partial<InferencePlan>;
  /** ISO 8601, UTC. */
  readonly at: string;
}): AnalysisPlan {
  const { core, models, at } = options;
  const { draws, flips, seed, rng, strata, scheme, alpha, ...open } = inferencePlan(options.plan);
  const { test, multiplicity, interval, margin, against, missing } = { ...FROZEN_CHOICES, ...open };
  return sealed({
    schema: ANALYSIS_PLAN_SCHEMA,
    canonicalization: 'RFC8785',
    frozen_at: at,
    core: core && { artifact_sha256: core.artifactSha256, tasks: core.ids.length, tasks_sha256: tasksDigest(core.ids) },
    models,
    plan: {
      ...{ draws, flips, seed: seed.toString(), rng, strata, scheme, alpha },
      ...{ test, multiplicity, interval, margin, against, missing },
    },
  });
}

const AS_FROZEN = 'Give the plan as `infer plan` wrote it.';

/** Reads a plan and proves its digest. Errors: SCHEMA_INVALID; DIGEST_MISMATCH (exit 4) for one that was changed. */
export function readAnalysisPlan(text: string, file: string): AnalysisPlan {
  const document = parseObject(text, { file });
  const plan = checked(analysisPlanSchema, document, { file }, AS_FROZEN);
  assertDigests(document, { file }, 'The plan was changed after it was frozen.');
  openPlanOf(plan, file);
  return plan;
}

/** Gives what a plan fixes in the form in which an inference is asked for. Errors: SCHEMA_INVALID where choices exclude each other. */
export function openPlanOf({ plan }: AnalysisPlan, file: string): OpenPlan {
  const { seed, ...rest } = plan;
  try {
    return inferencePlan({ ...rest, seed: BigInt(seed) });
  } catch (cause) {
    if (!(cause instanceof FlavourError)) throw cause;
    return fail('SCHEMA_INVALID', { file, path: 'plan' }, cause.message, AS_FROZEN, { cause });
  }
}

/** A place where an inference is not as its plan has it. */
const deviationSchema = z.object({ field: z.string(), planned: z.string(), used: z.string() });
export type Deviation = Readonly<z.infer<typeof deviationSchema>>;

/** Lists every place where an inference is not as its plan has it. */
export function deviationsFrom(
  { core, models, plan }: AnalysisPlan,
  used: { readonly matrix: Pick<ScoreMatrix, 'models' | 'tasks'>; readonly plan: InferencePlan },
): Deviation[] {
  const found: Deviation[] = [];
  const hold = (field: string, expected: string, is: string) => {
    if (expected !== is) found.push({ field, planned: expected, used: is });
  };
  if (core !== null) hold('core.tasks_sha256', core.tasks_sha256, tasksDigest(used.matrix.tasks));
  if (models !== null) hold('models', [...models].sort().join(', '), [...used.matrix.models].sort().join(', '));
  const fields = Object.keys(planned.shape) as (keyof AnalysisPlan['plan'])[];
  for (const field of fields) hold(field, String(plan[field]), String(used.plan[field]));
  return found;
}

/** How a result stands to a plan: made by one that was frozen before, or exploratory. */
export type Standing =
  | {
      readonly kind: 'planned';
      readonly plan_sha256: string;
      readonly frozen_at: string;
      /** Parts that the plan does not fix. */
      readonly open: readonly ('core' | 'models')[];
      readonly deviations: readonly Deviation[];
    }
  | { readonly kind: 'exploratory' };

/** Says how an inference stands to a plan; without one it is exploratory. */
export function standingOf(plan: AnalysisPlan | null, used: Parameters<typeof deviationsFrom>[1]): Standing {
  if (plan === null) return { kind: 'exploratory' };
  return {
    kind: 'planned',
    plan_sha256: plan.artifact_sha256,
    frozen_at: plan.frozen_at,
    open: (['core', 'models'] as const).filter((part) => plan[part] === null),
    deviations: deviationsFrom(plan, used),
  };
}

/** Says in words how a result stands to a plan. */
export function standingWords(standing: Standing): string {
  if (standing.kind === 'exploratory') return 'Exploratory: no plan was frozen before this analysis (see infer plan).';
  const { plan_sha256, frozen_at, open, deviations } = standing;
  const left = open.length === 0 ? '' : ` It leaves open: ${open.join(', ')}.`;
  const named = deviations.map(({ field, planned: was, used }) => `${field} ${used} instead of ${was}`);
  const kept = named.length === 0 ? 'it was kept' : `it was not kept: ${named.join('; ')}`;
  return `Planned: by plan ${plan_sha256} of ${frozen_at}; ${kept}.${left}`;
}
