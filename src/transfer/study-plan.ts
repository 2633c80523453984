import { canonicalDigest, sealed } from '../io/canonical.js';
import { readJson } from '../io/read-file.js';
import { DEFAULT_PARSER } from '../responses/parser.js';
import { parserFields } from '../responses/parser-contract.js';
import { fail } from '../util/error.js';
import { checked } from '../util/schema.js';
import { BASE, CONTROL, type Stage, TREATMENT } from './condition.js';
import { checkedStudyPlan, type StudyPlan, studyPlanSchema } from './study-plan-schema.js';
import { parseBase, STUDY_TRAINING } from './training-recipe.js';

export interface StudyPlanOptions {
  /** `MODEL@REVISION`. */
  readonly base: string;
  readonly seeds: readonly number[];
  /** Digests of the training files by name. */
  readonly data: ReadonlyMap<string, string>;
  /** Digest of the held-out task file, and of the public one where it will be used. */
  readonly primaryTasks: string;
  /** Digest of what the held-out tasks are by content (`tasksContent`). */
  readonly primaryContent: string;
  readonly secondaryTasks: string | null;
  /** Generator of the draws. */
  readonly rng: 'philox' | 'numpy';
  readonly alpha: number;
  readonly draws: number;
  readonly flips: number;
  readonly threshold: number;
  /** When it is frozen, ISO 8601, UTC. */
  readonly at: string;
}

/** Tells whether two plans fix the same, whenever they were frozen. */
export function sameStudy(a: StudyPlan, b: StudyPlan): boolean {
  const choices = ({ frozen_at: _, artifact_sha256: __, ...rest }: StudyPlan) => canonicalDigest(rest);
  return choices(a) === choices(b);
}

/** Freezes a study. Errors: USAGE for repeated seeds, an unpinned base model, or a value no plan can hold. */
export function freezeStudy(options: StudyPlanOptions): StudyPlan {
  const seeds = [...new Set(options.seeds)].sort((a, b) => a - b);
  if (seeds.length !== options.seeds.length) {
    fail('USAGE', null, `training seeds repeat: ${options.seeds.join(', ')}`, 'Give each seed once.');
  }
  const plan = sealed({
    schema: 'flavourbench-transfer-plan/2' as const,
    frozen_at: options.at,
    status: 'frozen_before_outcomes' as const,
    base_model: parseBase(options.base),
    conditions: [BASE, CONTROL, TREATMENT] as [typeof BASE, typeof CONTROL, typeof TREATMENT],
    seeds,
    estimand: 'mean over panel-family strata of treatment minus control, averaged over training seeds',
    data: Object.fromEntries(options.data),
    evaluation: {
      primary_tasks: options.primaryTasks,
      primary_content_sha256: options.primaryContent,
      secondary_tasks: options.secondaryTasks,
    },
    training: STUDY_TRAINING,
    decoding: { greedy: true as const, thinking: false as const, max_new_tokens: 64 },
    ...parserFields(DEFAULT_PARSER),
    unparseable: 'scored_zero_and_kept' as const,
    inference: {
      rng: options.rng,
      alpha: options.alpha,
      draws: options.draws,
      flips: options.flips,
      threshold_points: options.threshold,
      confirmatory_contrasts: 1 as const,
    },
    gates: [
      'every adapter has a training manifest that names this plan, its data and its files',
      'one software and one hardware state for all adapters',
      'the primary analysis is sealed before the secondary evaluation is opened',
      'no task of the primary evaluation is one of the secondary evaluation',
    ],
  });
  checked(studyPlanSchema, plan, {}, 'Nothing was frozen; give another value.', 'USAGE');
  return plan;
}

/** Reads a frozen plan and checks its digest. Errors: SCHEMA_INVALID, DIGEST_MISMATCH. */
export function readStudyPlan(path: string): StudyPlan {
  return checkedStudyPlan(readJson(path), path);
}

/**
 * Finds the file that a plan fixed for a stage, by its digest. Errors: USAGE when the plan has no secondary evaluation;
 * DIGEST_MISMATCH when no file is the planned one.
 */
export function plannedTaskFile(plan: StudyPlan, stage: Stage, files: ReadonlyMap<string, string>): string {
  const wanted = plan.evaluation[`${stage}_tasks`];
  if (wanted === null) {
    fail(
      'USAGE',
      null,
      'the plan has no secondary evaluation',
      'It was frozen without --secondary-tasks; a later evaluation needs a plan of its own.',
    );
  }
  const found = [...files].find(([, digest]) => digest === wanted);
  if (found) return found[0];
  fail(
    'DIGEST_MISMATCH',
    null,
    `the plan fixed task file ${wanted} for the ${stage} stage; ${[...files.keys()].join(', ')} has another digest`,
    'Give the evaluation file the study was frozen with.',
    { exit: 4 },
  );
}

/** What a recipe or a manifest says of one training run. */
interface PlannedRun {
  readonly condition: string;
  readonly seed: number;
  readonly base: { readonly id: string; readonly revision: string };
  readonly data: Readonly<Record<string, string>>;
}

/** Holds a training run against the plan it belongs to. Errors: VERIFY_FAILED naming what differs. */
export function assertPlannedRun(plan: StudyPlan, run: PlannedRun): void {
  const { conditions, seeds, base_model: base, data } = plan;
  const name = `${run.condition}, seed ${run.seed}`;
  const stray = Object.entries(run.data).find(([file, digest]) => data[file] !== digest)?.[0];
  const problem = !(conditions as readonly string[]).includes(run.condition)
    ? `condition ${run.condition} is not one of ${conditions.join(', ')}`
    : !seeds.includes(run.seed)
      ? `seed ${run.seed} is not one of ${seeds.join(', ')}`
      : run.base.id !== base.id || run.base.revision !== base.revision
        ? `base model ${run.base.id}@${run.base.revision} is not ${base.id}@${base.revision}`
        : stray === undefined
          ? undefined
          : `${stray} is not the file the plan fixed`;
  if (problem === undefined) return;
  fail(
    'VERIFY_FAILED',
    null,
    `${name}: ${problem}`,
    'A study trains what its plan says; another run needs another plan.',
    { exit: 4 },
  );
}

/** Holds training seeds against the plan. Errors: VERIFY_FAILED when they are not those of the plan. */
export function assertPlannedSeeds(plan: StudyPlan, seeds: readonly number[]): void {
  const found = [...seeds].sort((a, b) => a - b).join(', ');
  if (found === plan.seeds.join(', ')) return;
  fail(
    'VERIFY_FAILED',
    null,
    `the plan fixed training seeds ${plan.seeds.join(', ')}; found ${found}`,
    'Every planned seed is evaluated, and no other.',
    { exit: 4 },
  );
}
