import { z } from 'zod';
import type { ScoreMatrix } from '../core/matrix.js';
import { canonicalDigest, sealed } from '../io/canonical.js';
import { assertDigests } from '../io/document.js';
import { parseObject } from '../io/json.js';
import { parserName, type SetParser } from '../responses/parser.js';
import { parserFields, statedParser } from '../responses/parser-contract.js';
import { FlavourError, fail } from '../util/error.js';
import { checked, count, sha256Text } from '../util/schema.js';
import type { Witness } from '../witness/witness.js';
import { FROZEN_CHOICES, type InferencePlan, inferencePlan, type OpenPlan, statedPlanShape } from './plan.js';
import { type Deviation, deviations, plannedStanding, type Standing } from './standing.js';

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
  family_weights: z.record(z.string(), z.number().positive()).optional(),
});

/** What every plan that was frozen before an analysis states: its time, the tasks that are ranked, and the models. */
export const frozenPlanShape = {
  canonicalization: z.literal('RFC8785'),
  frozen_at: z.iso.datetime({ error: 'a time in UTC expected, such as 2026-08-20T00:00:00.000Z' }),
  core: z
    .object({ artifact_sha256: z.string(), tasks: count, tasks_sha256: sha256Text })
    .nullable()
    .describe('The tasks that are ranked; null where the plan leaves them open.'),
  models: z.array(z.string()).readonly().nullable().describe('The roster; null where the plan leaves it open.'),
  artifact_sha256: sha256Text,
};

/** The written form of an analysis plan (`plan.json`). */
const analysisPlanSchema = z.object({
  schema: z.literal(ANALYSIS_PLAN_SCHEMA),
  ...frozenPlanShape,
  parser: z.string().optional().describe('Parser of the answers, where there will be any; older plans leave it open.'),
  parser_sha256: sha256Text.optional().describe('Digest of its contract.'),
  plan: planned,
});

/** A plan of the analysis of a leaderboard, frozen before it is run. */
export type AnalysisPlan = Readonly<z.infer<typeof analysisPlanSchema>>;

/** Forms the digest of a set of tasks, the same in any order. */
export function tasksDigest(ids: readonly string[]): string {
  return canonicalDigest([...ids].sort());
}

/** A core as a plan fixes it. */
export interface PlannedCore {
  readonly artifactSha256: string;
  readonly ids: readonly string[];
}

/** Writes a core as a plan fixes it. */
export function frozenCore({ artifactSha256, ids }: PlannedCore): NonNullable<AnalysisPlan['core']> {
  return { artifact_sha256: artifactSha256, tasks: ids.length, tasks_sha256: tasksDigest(ids) };
}

/** Freezes a plan: what was left open of test, multiplicity and interval is what a leaderboard has by default. Errors: USAGE. */
export function freezeAnalysisPlan(options: {
  readonly core: PlannedCore | null;
  readonly models: readonly string[] | null;
  readonly plan: Partial<InferencePlan>;
  readonly parser?: SetParser;
  /** ISO 8601, UTC. */
  readonly at: string;
}): AnalysisPlan {
  const { core, models, parser, at } = options;
  const { draws, flips, seed, rng, strata, scheme, alpha, ...open } = inferencePlan(options.plan);
  const { test, multiplicity, interval, margin, against, missing, family_weights } = { ...FROZEN_CHOICES, ...open };
  return sealed({
    schema: ANALYSIS_PLAN_SCHEMA,
    canonicalization: 'RFC8785',
    frozen_at: at,
    core: core && frozenCore(core),
    models,
    ...(parser === undefined ? {} : parserFields(parser)),
    plan: {
      ...{ draws, flips, seed: seed.toString(), rng, strata, scheme, alpha },
      ...{ test, multiplicity, interval, margin, against, missing },
      ...(family_weights === undefined ? {} : { family_weights }),
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
  plannedParser(plan, file);
  return plan;
}

/** Gives the parser that a plan fixes; undefined where it leaves it open. Errors: SCHEMA_INVALID, DIGEST_MISMATCH (exit 4). */
export function plannedParser(plan: AnalysisPlan, file: string): SetParser | undefined {
  return plan.parser === undefined ? undefined : statedParser(plan, { file, path: 'parser' });
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

/** Lists every place where an inference is not as its plan has it. */
export function deviationsFrom(
  { core, models, parser, plan }: Pick<AnalysisPlan, 'core' | 'models' | 'parser' | 'plan'>,
  used: {
    readonly matrix: Pick<ScoreMatrix, 'models' | 'tasks'>;
    readonly plan: InferencePlan;
    /** Absent where scores were given, and no answers. */
    readonly parser?: SetParser;
  },
): readonly Deviation[] {
  const { found, hold } = deviations();
  if (core !== null) hold('core.tasks_sha256', core.tasks_sha256, tasksDigest(used.matrix.tasks));
  if (models !== null) hold('models', [...models].sort().join(', '), [...used.matrix.models].sort().join(', '));
  if (parser !== undefined && used.parser !== undefined) hold('parser', parser, parserName(used.parser));
  const fields = Object.keys(planned.shape) as (keyof AnalysisPlan['plan'])[];
  for (const field of fields) hold(field, statedText(plan[field]), statedText(used.plan[field]));
  return found;
}

/** A choice as deviations name it: families with their weights in order of their names. */
function statedText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value ?? 'none');
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([family, weight]) => `${family}=${weight}`)
    .join(',');
}

/** Says how an inference stands to a plan; without one it is exploratory. */
export function standingOf(
  plan: AnalysisPlan | null,
  used: Parameters<typeof deviationsFrom>[1],
  witnesses: readonly Witness[] = [],
): Standing {
  if (plan === null) return { kind: 'exploratory' };
  const open = (['core', 'models'] as const).filter((part) => plan[part] === null);
  return plannedStanding({ plan, open, deviations: deviationsFrom(plan, used), witnesses });
}
