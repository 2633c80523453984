import { canonicalJson } from '../io/canonical.js';
import { type PyValue, parsePyJson, pyDigest, pyFloat, pySealed } from '../io/pyjson.js';
import { RELEASED_CORE_ROWS_SHA256 } from '../tasks/released-digests.js';
import { PORTFOLIOS, requiredFamilies, type Task } from '../tasks/task.js';
import { BEST_BPS } from '../tasks/task-row.js';
import { fail } from '../util/error.js';
import { pairwiseMean } from '../util/mean.js';
import { singleModelInference } from './interval.js';
import { parserName } from './parser.js';
import { parserFields } from './parser-contract.js';
import type { Submission } from './submission.js';

const REPORT_SCHEMA = 'flavourbench-lab-report-v1';
const SCORING = 'exact-selection-lookup-bps-v1; equal-family macro mean';
export const REPORT_SEED = 20260821n;

export interface ReportInference {
  readonly resamples: number;
  readonly flips: number;
  readonly seed: bigint;
}

export interface ReportOptions {
  readonly tasks: readonly Task[];
  readonly submission: Submission;
  /** `task_set_semantic_sha256` of the tasks. */
  readonly taskSetSha256: string;
  /** Digest that the caller holds the tasks to; a report on any set but the released core is comparable only with it. */
  readonly expectedTaskSetSha256?: string;
  readonly inference?: ReportInference;
  /** States the contract of parser v3 too, but over the released core, whose reports have the released form; true unless given. */
  readonly bindsParser?: boolean;
}

interface FamilyResult {
  readonly family: string;
  readonly tasks: number;
  readonly valid: number;
  readonly score: number | null;
  readonly diagnostic: number | null;
}

export interface Report {
  readonly comparable: boolean;
  readonly score: number | null;
  readonly diagnostic: number | null;
  readonly interval: readonly [number, number] | null;
  readonly families: readonly FamilyResult[];
  readonly coverage: {
    readonly tasks: number;
    readonly submitted: number;
    readonly valid: number;
    readonly missing: number;
    readonly invalid: number;
  };
  /** The released form (collection 2.4), sealed. */
  readonly document: { readonly [key: string]: PyValue | undefined };
  /** The rows of `per_task`. */
  readonly perTask: readonly PyValue[];
}

const optional = (value: number | null) => (value === null ? null : pyFloat(value));

function perTaskRow(task: Task, code: number | null): { [key: string]: PyValue } {
  const valid = code !== null && code >= 0;
  const bps = valid ? task.scores[code]! : 0;
  return {
    task_id: task.id,
    family: task.family,
    anchor_ingredient: task.anchor,
    status: code === null ? 'missing' : valid ? 'valid' : 'invalid',
    observed_selection: valid ? PORTFOLIOS[code]! : null,
    optimal_selection: PORTFOLIOS[task.optimal]!,
    parseable: valid,
    score_bps: bps,
    score: pyFloat(bps / 100),
    optimal: bps === BEST_BPS,
  };
}

/** Places of the tasks of each family. Errors: SCHEMA_INVALID for another family, STRATUM_EMPTY for one without tasks. */
function familyPlaces(tasks: readonly Task[], families: readonly string[]): readonly (readonly number[])[] {
  const hint = `A score is the mean of ${families.join(', ')}: give tasks of these, or rank what you have with \`infer\`.`;
  const other = tasks.find((task) => !families.includes(task.family));
  if (other !== undefined) {
    fail(
      'SCHEMA_INVALID',
      null,
      `task ${other.id} is of family ${other.family}; a report scores ${families.join(', ')} only`,
      hint,
    );
  }
  return families.map((family) => {
    const places = tasks.flatMap((task, i) => (task.family === family ? [i] : []));
    if (places.length > 0) return places;
    return fail('STRATUM_EMPTY', null, `no task of family ${family} among ${tasks.length}`, hint);
  });
}

/**
 * Makes the laboratory report of one submission (collection 2.4): the mean of the published three families, or of all families of a
 * world that has none of them. The score is given only when every task has a readable answer
 * and the task set is held to a digest: that of the released core, or the one expected.
 * Errors: STRATUM_EMPTY, SCHEMA_INVALID; CLUSTER_DUPLICATE where inference meets two tasks of one anchor.
 */
export function labReport(options: ReportOptions): Report {
  const { tasks, submission, taskSetSha256, expectedTaskSetSha256, bindsParser = true } = options;
  const { codes } = submission;
  const scored = requiredFamilies(tasks.map(({ family }) => family));
  const places = familyPlaces(tasks, scored);
  const valid = codes.filter((code) => code !== null && code >= 0).length;
  const missing = codes.filter((code) => code === null).length;
  const official = taskSetSha256 === RELEASED_CORE_ROWS_SHA256;
  const bound = official || taskSetSha256 === expectedTaskSetSha256;
  const complete = valid === tasks.length;
  const points = (i: number) => tasks[i]!.scores[codes[i]!]! / 100;
  const families = scored.map((family, f): FamilyResult => {
    const list = places[f]!;
    const answered = list.filter((i) => codes[i] !== null && codes[i]! >= 0);
    const diagnostic = answered.length === 0 ? null : pairwiseMean(answered.map(points));
    const whole = answered.length === list.length;
    return {
      family,
      tasks: list.length,
      valid: answered.length,
      score: whole ? diagnostic : null,
      diagnostic,
    };
  });
  const means = families.map((family) => family.diagnostic);
  const diagnostic = means.some((mean) => mean === null) ? null : pairwiseMean(means as readonly number[]);
  const comparable = complete && bound;
  const chance = (i: number) => tasks[i]!.chance / 100;
  const inference =
    complete && options.inference !== undefined
      ? inferenceBlock(tasks, places, points, chance, options.inference)
      : null;
  const perTask = tasks.map((task, i) => perTaskRow(task, codes[i] as number | null));
  const coverage = {
    tasks: tasks.length,
    submitted: submission.submitted,
    valid,
    missing,
    invalid: tasks.length - valid - missing,
  };
  const releasedForm = submission.parser === 'v3' && (official || !bindsParser);
  const document = pySealed({
    schema_version: REPORT_SCHEMA,
    comparable,
    flavourbench_score: comparable ? optional(diagnostic) : null,
    diagnostic_valid_score: optional(diagnostic),
    coverage: { ...coverage, fraction_valid: pyFloat(valid / tasks.length) },
    families: families.map((family) => ({
      family: family.family,
      tasks: family.tasks,
      valid: family.valid,
      coverage: pyFloat(family.valid / family.tasks),
      score: optional(family.score),
      diagnostic_valid_score: optional(family.diagnostic),
    })),
    exact_chance_score: pyFloat(pairwiseMean(places.map((list) => pairwiseMean(list.map(chance))))),
    task_set_semantic_sha256: taskSetSha256,
    task_set_binding: official ? undefined : bound ? 'declared' : 'none',
    response_set_semantic_sha256: pyDigest(submission.rows, { lenient: true }),
    ...(submission.parser === 'v3'
      ? releasedForm
        ? { parser: parserName('v3') }
        : parserFields('v3')
      : { ...parserFields(submission.parser), inline_reasoning_answers: submission.reasoned }),
    ...(submission.asked.length === 0 || releasedForm ? {} : { asked: parsePyJson(canonicalJson(submission.asked)) }),
    scoring: SCORING,
    per_task: perTask,
    inference: inference?.block ?? null,
  });
  return {
    comparable,
    score: comparable ? diagnostic : null,
    diagnostic,
    interval: inference?.interval ?? null,
    families,
    coverage,
    document,
    perTask,
  };
}

function inferenceBlock(
  tasks: readonly Task[],
  places: readonly (readonly number[])[],
  points: (i: number) => number,
  chance: (i: number) => number,
  { resamples, flips, seed }: ReportInference,
): { block: PyValue; interval: readonly [number, number] } {
  const anchors = new Set<string>();
  for (const { id, anchor } of tasks) {
    if (anchors.has(anchor)) {
      fail(
        'CLUSTER_DUPLICATE',
        null,
        `task ${id} shares the anchor ${anchor || '(none)'} with another task`,
        'One task an anchor is what this interval assumes; use --no-inference or `infer`.',
      );
    }
    anchors.add(anchor);
  }
  const result = singleModelInference({
    scores: places.map((list) => Float64Array.from(list, points)),
    differences: places.map((list) => Float64Array.from(list, (i) => points(i) - chance(i))),
    resamples,
    flips,
    seed,
  });
  return {
    interval: result.interval,
    block: {
      bootstrap_resamples: resamples,
      sign_flip_resamples: flips,
      confidence_interval_95: result.interval.map(pyFloat),
      mean_difference_from_exact_chance: pyFloat(result.meanDifference),
      paired_sign_flip_p: pyFloat(result.p),
      independence_unit: 'anchor_ingredient',
      note: 'Single-model interval; not a simultaneous multi-model rank interval.',
    },
  };
}
