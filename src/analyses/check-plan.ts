import { z } from 'zod';
import { frozenCore, frozenPlanShape, type PlannedCore, tasksDigest } from '../inference/analysis-plan.js';
import { deviations, plannedStanding, type Standing } from '../inference/standing.js';
import { sealed } from '../io/canonical.js';
import { assertDigests } from '../io/document.js';
import { type JsonObject, parseObject } from '../io/json.js';
import { parserNamed, type SetParser } from '../responses/parser.js';
import { parserFields, statedParser } from '../responses/parser-contract.js';
import { fail } from '../util/error.js';
import { checked, sha256Text } from '../util/schema.js';
import type { Witness } from '../witness/witness.js';
import { type AnalysisOption, optionName, RNG, randomOf, SEED } from './declared-options.js';
import type { AnyAnalysis } from './list.js';

export const CHECK_PLAN_SCHEMA = 'flavourbench-check-plan/1';

/** Inputs that a plan fixes by their digests: what is compared with the leaderboard, and not the leaderboard itself. */
const FIXED_ROLES: ReadonlySet<string> = new Set(['maps', 'substitutions', 'substitutions_train', 'environment']);

interface FixedInput {
  readonly role: string;
  readonly sha256: string;
}

/** The written form of a plan of one check of `sensitivity`. */
const checkPlanSchema = z.object({
  schema: z.literal(CHECK_PLAN_SCHEMA),
  ...frozenPlanShape,
  check: z.string(),
  parser: z
    .string()
    .optional()
    .describe('Parser of the answers, where the check reads any; plans that name none leave it open.'),
  parser_sha256: sha256Text.optional().describe('Digest of its contract.'),
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  inputs: z.array(z.object({ role: z.string(), sha256: sha256Text })).readonly(),
});

/** A plan of a check that was frozen before it was run (collection 10.1). */
export type CheckPlan = Readonly<z.infer<typeof checkPlanSchema>>;

const keyOf = (option: AnalysisOption) => optionName(option).replaceAll('-', '_');

/** The options of a call as documents name them; what the call leaves open is what the analysis has by default. */
function statedOptions(
  { options, planned }: AnyAnalysis,
  given: Readonly<Record<string, unknown>>,
): CheckPlan['options'] {
  const camel = (option: AnalysisOption) =>
    optionName(option).replace(/-([a-z])/g, (_, one: string) => one.toUpperCase());
  const rng = given.rng === 'numpy' ? ('numpy' as const) : ('philox' as const);
  return Object.fromEntries(
    options.map((option) => {
      const value = given[camel(option)];
      if (option === RNG) return ['rng', rng];
      if (option === SEED)
        return [
          'seed',
          randomOf({ rng, ...(typeof value === 'bigint' ? { seed: value } : {}) }, planned!.seed).seed.toString(),
        ];
      const open = planned!.defaults[keyOf(option)]?.(rng) ?? option.default;
      return [keyOf(option), (value ?? open) as string | number | boolean];
    }),
  );
}

/** Freezes a plan of a check. */
export function freezeCheckPlan(options: {
  readonly analysis: AnyAnalysis;
  /** The options of the call, by their names in code. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly inputs: readonly FixedInput[];
  readonly core: PlannedCore | null;
  readonly models: readonly string[] | null;
  /** Of the answers; a check that reads none fixes none. */
  readonly parser: SetParser;
  /** ISO 8601, UTC. */
  readonly at: string;
}): CheckPlan {
  const { analysis, given, inputs, core, models, parser, at } = options;
  return sealed({
    schema: CHECK_PLAN_SCHEMA,
    canonicalization: 'RFC8785',
    frozen_at: at,
    check: analysis.name,
    core: core && frozenCore(core),
    models,
    ...(analysis.needs.inputs.includes('answers') ? parserFields(parser) : {}),
    options: statedOptions(analysis, given),
    inputs: inputs.map(({ role, sha256 }) => ({ role, sha256 })),
  });
}

/**
 * Reads a plan of a check and proves its digest. Errors: SCHEMA_INVALID; DIGEST_MISMATCH (exit 4) for one that was changed, or that fixes a parser
 * of other rules.
 */
export function readCheckPlan(text: string, file: string): CheckPlan {
  const document = parseObject(text, { file });
  const plan = checked(checkPlanSchema, document, { file }, 'Give the plan as `sensitivity plan` wrote it.');
  assertDigests(document, { file }, 'The plan was changed after it was frozen.');
  if (plan.parser !== undefined || plan.parser_sha256 !== undefined) statedParser(plan, { file, path: 'parser' });
  return plan;
}

/** Gives the options that a plan fixes, by their names in code. */
export function plannedOptions({ options, parser }: CheckPlan): Readonly<Record<string, unknown>> {
  return Object.fromEntries([
    ...Object.entries(options).map(([key, value]) => [
      key.replace(/_([a-z])/g, (_, one: string) => one.toUpperCase()),
      key === 'seed' ? BigInt(value) : value,
    ]),
    ...(parser === undefined ? [] : [['parser', parserNamed(parser)]]),
  ]);
}

/** A check that was run, as its document states it. */
export interface UsedCheck {
  readonly analysis: AnyAnalysis;
  readonly plan: JsonObject;
  readonly seed: string | null;
  readonly inputs: readonly FixedInput[];
  /** Name of the parser of its answers; undefined where it read none. */
  readonly parser: string | undefined;
  /** The leaderboard that it is about; null for a check of none. */
  readonly matrix: { readonly models: readonly string[]; readonly tasks: readonly string[] } | null;
}

/** Files of a role, and identities of environments, in text order. */
function digestsOf({ plan, inputs }: Pick<UsedCheck, 'plan' | 'inputs'>, role: string): string {
  const spaces = role === 'environment' && Array.isArray(plan.environments) ? (plan.environments as FixedInput[]) : [];
  const files = inputs.filter((input) => input.role === role);
  return [...new Set([...files, ...spaces].map(({ sha256 }) => sha256))].sort().join(', ');
}

/** Says how a check stands to a plan; without one it is exploratory. Errors: USAGE for the plan of another check. */
export function checkStanding(plan: CheckPlan | null, used: UsedCheck, witnesses: readonly Witness[] = []): Standing {
  if (plan === null) return { kind: 'exploratory' };
  if (plan.check !== used.analysis.name)
    fail(
      'USAGE',
      null,
      `the plan is one of ${plan.check}, not of ${used.analysis.name}`,
      'Give the plan of this check.',
    );
  const { found, hold } = deviations();
  const { matrix } = used;
  if (matrix !== null && plan.core !== null)
    hold('core.tasks_sha256', plan.core.tasks_sha256, tasksDigest(matrix.tasks));
  if (matrix !== null && plan.models !== null)
    hold('models', [...plan.models].sort().join(', '), [...matrix.models].sort().join(', '));
  if (plan.parser !== undefined) hold('parser', plan.parser, used.parser ?? 'none');
  for (const [key, value] of Object.entries(plan.options))
    hold(key, String(value), String(key === 'seed' ? used.seed : used.plan[key]));
  for (const role of FIXED_ROLES) hold(role, digestsOf({ plan: {}, inputs: plan.inputs }, role), digestsOf(used, role));
  const silent = matrix === null ? [] : (['core', 'models'] as const).filter((part) => plan[part] === null);
  const open = [...silent, ...(plan.parser === undefined && used.parser !== undefined ? ['parser'] : [])];
  return plannedStanding({ plan, open, deviations: found, witnesses });
}
