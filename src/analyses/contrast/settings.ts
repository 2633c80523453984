import { canonicalDigest } from '../../io/canonical.js';
import type { Stage } from '../../transfer/condition.js';
import type { StudyPlan } from '../../transfer/study-plan-schema.js';
import { fail } from '../../util/error.js';
import type { StudySettings } from './study.js';

/** What a call says of the settings of a study. */
export interface ContrastFlags {
  readonly stage: Stage;
  /** Absent: that of the plan, else philox. */
  readonly rng?: 'philox' | 'numpy';
  readonly protocolSha256?: string;
  readonly seed?: bigint;
  readonly draws?: number;
  readonly flips?: number;
  readonly alpha?: number;
  readonly threshold?: number;
}

/** What fixes a study: a frozen plan, a named protocol, or the settings of this call. */
export interface ContrastSettings {
  readonly frozen: StudyPlan | undefined;
  readonly protocolSha256: string;
  readonly settings: StudySettings;
}

/** Published settings, and the seed where no protocol gives one. */
const DEFAULTS = { draws: 50_000, flips: 100_000, alpha: 0.05, threshold: 3 };
const SEED = 20_260_820n;

/**
 * Settles what fixes a study; `readPlan` reads the frozen plan that the call names. Errors: USAGE for options that a plan
 * or protocol has already decided, and for a value that is none; those of reading the plan.
 */
export function contrastSettings(flags: ContrastFlags, readPlan?: () => StudyPlan): ContrastSettings {
  const { stage, rng = 'philox', protocolSha256 } = flags;
  if (protocolSha256 !== undefined && !/^[0-9a-f]{64}$/.test(protocolSha256)) {
    fail('USAGE', null, '--protocol-sha256 is not 64 lower-case hexadecimal digits');
  }
  if (readPlan !== undefined) {
    assertOpen(flags, '--plan', ['seed', 'draws', 'flips', 'alpha', 'threshold', 'protocolSha256']);
    const frozen = readPlan();
    const { draws, flips, alpha, threshold_points: threshold, rng: planned } = frozen.inference;
    if (planned !== undefined) assertOpen(flags, '--plan', ['rng']);
    const digest = frozen.artifact_sha256;
    const random = { kind: planned ?? rng, protocolSha256: digest };
    return { frozen, protocolSha256: digest, settings: { stage, draws, flips, alpha, threshold, random } };
  }
  const chosen = {
    draws: flags.draws ?? DEFAULTS.draws,
    flips: flags.flips ?? DEFAULTS.flips,
    alpha: flags.alpha ?? DEFAULTS.alpha,
    threshold: flags.threshold ?? DEFAULTS.threshold,
  };
  if (!(chosen.alpha > 0 && chosen.alpha < 1)) {
    fail('USAGE', null, `--alpha ${chosen.alpha} is not between 0 and 1`, 'Give 0.05 for five percent.');
  }
  if (chosen.threshold < 0) {
    fail(
      'USAGE',
      null,
      `--threshold ${chosen.threshold} is negative`,
      'A practical threshold is a number of points gained.',
    );
  }
  if (protocolSha256 !== undefined) {
    assertOpen(flags, '--protocol-sha256', ['seed']);
    const settings = { stage, ...chosen, random: { kind: rng, protocolSha256 } };
    return { frozen: undefined, protocolSha256, settings };
  }
  if (rng === 'numpy') {
    fail('USAGE', null, '--rng numpy needs the digest that seeds its streams', 'Give --protocol-sha256 or --plan.');
  }
  const seed = flags.seed ?? SEED;
  return {
    frozen: undefined,
    protocolSha256: canonicalDigest({ ...chosen, seed: seed.toString() }),
    settings: { stage, ...chosen, random: { kind: 'philox', seed } },
  };
}

/** Errors: USAGE for an option of a call that `by` has already decided. */
function assertOpen(flags: ContrastFlags, by: string, keys: readonly (keyof ContrastFlags)[]): void {
  const given = keys.find((key) => flags[key] !== undefined);
  if (given === undefined) return;
  const name = given === 'protocolSha256' ? 'protocol-sha256' : given;
  fail('USAGE', null, `--${name} is fixed by ${by}`, 'What was frozen before the outcomes is not chosen after them.');
}
