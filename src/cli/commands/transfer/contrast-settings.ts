import type { StudySettings } from '../../../analyses/contrast/study.js';
import { canonicalDigest } from '../../../io/canonical.js';
import type { Stage } from '../../../transfer/condition.js';
import { readStudyPlan, type StudyPlan } from '../../../transfer/study-plan.js';
import { fail } from '../../../util/error.js';

export interface SettingFlags {
  readonly stage: Stage;
  readonly plan?: string;
  readonly rng: 'philox' | 'numpy';
  readonly protocolSha256?: string;
  readonly seed?: bigint;
  readonly draws?: number;
  readonly flips?: number;
  readonly alpha?: number;
  readonly threshold?: number;
}

/** What fixes a study: a frozen plan, a named protocol, or the settings of this call. */
export interface Settings {
  readonly frozen: StudyPlan | undefined;
  readonly protocolSha256: string;
  readonly plan: StudySettings;
}

/** Published settings, and the seed where no protocol gives one. */
const DEFAULTS = { draws: 50_000, flips: 100_000, alpha: 0.05, threshold: 3 };
const SEED = 20_260_820n;

/** Decides the settings of a study. Errors: USAGE for options that a plan or protocol has already decided, and those of reading a plan. */
export function contrastSettings(flags: SettingFlags): Settings {
  const { stage, rng, protocolSha256 } = flags;
  if (protocolSha256 !== undefined && !/^[0-9a-f]{64}$/.test(protocolSha256)) {
    fail('USAGE', null, '--protocol-sha256 is not 64 lower-case hexadecimal digits');
  }
  if (flags.plan !== undefined) {
    refuse(flags, '--plan', ['seed', 'draws', 'flips', 'alpha', 'threshold', 'protocolSha256']);
    const frozen = readStudyPlan(flags.plan);
    const { draws, flips, alpha, threshold_points: threshold } = frozen.inference;
    const digest = frozen.artifact_sha256;
    const random = { kind: rng, protocolSha256: digest };
    const plan = { stage, draws, flips, alpha, threshold, random };
    return { frozen, protocolSha256: digest, plan };
  }
  const settings = {
    draws: flags.draws ?? DEFAULTS.draws,
    flips: flags.flips ?? DEFAULTS.flips,
    alpha: flags.alpha ?? DEFAULTS.alpha,
    threshold: flags.threshold ?? DEFAULTS.threshold,
  };
  if (!(settings.alpha > 0 && settings.alpha < 1)) {
    fail('USAGE', null, `--alpha ${settings.alpha} is not between 0 and 1`, 'Give 0.05 for five percent.');
  }
  if (settings.threshold < 0) {
    fail(
      'USAGE',
      null,
      `--threshold ${settings.threshold} is negative`,
      'A practical threshold is a number of points gained.',
    );
  }
  if (protocolSha256 !== undefined) {
    refuse(flags, '--protocol-sha256', ['seed']);
    const plan = { stage, ...settings, random: { kind: rng, protocolSha256 } };
    return { frozen: undefined, protocolSha256, plan };
  }
  if (rng === 'numpy') {
    fail('USAGE', null, '--rng numpy needs the digest that seeds its streams', 'Give --protocol-sha256 or --plan.');
  }
  const seed = flags.seed ?? SEED;
  return {
    frozen: undefined,
    protocolSha256: canonicalDigest({ ...settings, seed: seed.toString() }),
    plan: { stage, ...settings, random: { kind: 'philox', seed } },
  };
}

function refuse(flags: SettingFlags, by: string, keys: readonly (keyof SettingFlags)[]): void {
  const given = keys.find((key) => flags[key] !== undefined);
  if (given === undefined) return;
  const name = given === 'protocolSha256' ? 'protocol-sha256' : given;
  fail('USAGE', null, `--${name} is fixed by ${by}`, 'What was frozen before the outcomes is not chosen after them.');
}
