import { type Command, Option } from 'commander';
import { DECISION_OPTIONS } from '../../../analyses/declared-options.js';
import {
  DEFAULT_PLAN,
  type InferencePlan,
  inferencePlan,
  type OpenPlan,
  type PlanSizes,
} from '../../../inference/plan.js';
import type { FamilyWeights } from '../../../inference/strata.js';
import { analysisOptions } from '../../analysis-options.js';
import { countOption, numberOption, seedOption } from '../../options.js';

const CHOSEN = ['test', 'multiplicity', 'interval', 'margin', 'against', 'missing'] as const;
const SIZES = ['draws', 'flips', 'seed', 'rng', 'strata', 'scheme', 'alpha'] as const;

/** The options of a call that say how an inference is made. */
export interface PlanFlags extends Omit<PlanSizes, 'seed'>, Partial<Pick<InferencePlan, (typeof CHOSEN)[number]>> {
  readonly seed?: bigint;
  readonly familyWeights?: FamilyWeights;
}

/** Adds the options that say how an inference is made. */
export function planOptions(command: Command): Command {
  const sized = command
    .option('--draws <n>', 'bootstrap draws', countOption, DEFAULT_PLAN.draws)
    .option('--flips <n>', 'sign-flip draws', countOption, DEFAULT_PLAN.flips)
    .option('--seed <n>', `seed, unsigned 64-bit (default: ${DEFAULT_PLAN.seed})`, seedOption)
    .addOption(
      new Option('--rng <name>', 'numpy replays the published streams')
        .choices(['philox', 'numpy'])
        .default(DEFAULT_PLAN.rng),
    )
    .addOption(
      new Option('--strata <name>', 'parts that weigh the same: panel-family or family')
        .choices(['panel-family', 'family'])
        .default(DEFAULT_PLAN.strata),
    )
    .addOption(
      new Option('--scheme <name>', 'bootstrap: over the whole set, joint, or inside strata, stratified')
        .choices(['joint', 'stratified'])
        .default(DEFAULT_PLAN.scheme),
    )
    .option('--alpha <x>', 'familywise error rate', numberOption, DEFAULT_PLAN.alpha);
  return analysisOptions(sized, DECISION_OPTIONS);
}

/**
 * Makes the plan that a call asks for. Where another plan was frozen before, its values stand wherever the call names none of its own: what
 * `given` says of an option. Errors: USAGE.
 */
export function planOf(flags: PlanFlags, frozen?: OpenPlan, given: (option: string) => boolean = () => true): OpenPlan {
  const seed = flags.seed ?? (frozen ?? DEFAULT_PLAN).seed;
  const asked = { ...flags, seed };
  const named = [...SIZES, ...CHOSEN].filter(
    (name) => asked[name] !== undefined && (frozen === undefined || name === 'seed' || given(name)),
  );
  const { familyWeights } = flags;
  return inferencePlan({
    ...frozen,
    ...Object.fromEntries(named.map((name) => [name, asked[name]])),
    ...(familyWeights === undefined ? {} : { family_weights: familyWeights }),
  });
}
