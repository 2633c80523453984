import { canonicalDigest } from '../io/canonical.js';
import { sha256 } from '../io/digest.js';
import type { Task } from '../tasks/task.js';
import { sameContent, type TaskContent } from '../tasks/task-content.js';
import { fail, shown } from '../util/error.js';
import { readSeal, sealedTasks } from './primary-seal.js';
import { assertSealedContent, type Seal, type SealedTask } from './seal-schema.js';
import type { StudyPlan } from './study-plan-schema.js';

/** What a call gives to open the secondary stage. */
interface OpeningOptions {
  readonly plan: StudyPlan | undefined;
  /** File of the seal of the primary stage. */
  readonly seal: string | undefined;
}

/** A plan and the seal of its primary stage. */
export interface OpenedStage {
  readonly plan: StudyPlan;
  readonly seal: Seal;
}

/**
 * Opens the secondary stage: it needs the plan that was sealed with tasks of its own, and the seal of the primary stage under that plan
 * (collection 10.3). Errors: PLAN_MISSING, SEAL_MISSING; USAGE for a plan without a secondary evaluation; TASKS_REUSED (exit 4) for one that
 * gives both stages the same file; DIGEST_MISMATCH (exit 4) for the seal of another plan, and those of reading it.
 */
export function openSecondary({ plan, seal: path }: OpeningOptions): OpenedStage {
  if (path === undefined)
    fail(
      'SEAL_MISSING',
      null,
      'the secondary stage needs the seal of the primary one',
      'Run the primary stage first, then give its seal with --seal FILE.',
    );
  const seal = readSeal(path);
  if (plan === undefined)
    fail(
      'PLAN_MISSING',
      null,
      'the secondary stage needs the plan that the study was frozen with: it fixes which tasks are those of the secondary evaluation',
      'Give the plan with --plan FILE; without one there is a primary stage alone.',
    );
  if (seal.protocol_sha256 !== plan.artifact_sha256)
    fail(
      'DIGEST_MISMATCH',
      { file: path, path: 'protocol_sha256' },
      `${seal.protocol_sha256} was sealed; this run is of ${plan.artifact_sha256}`,
      'Both stages must belong to one frozen plan.',
      { exit: 4 },
    );
  const { primary_tasks: first, secondary_tasks: second } = plan.evaluation;
  if (first === second)
    fail(
      'TASKS_REUSED',
      null,
      `the plan gives both stages task file ${first}`,
      'A secondary evaluation needs tasks of its own, fixed in a plan before any outcome.',
      { exit: 4 },
    );
  return { plan, seal };
}

/**
 * Gives the tasks of the primary stage as its seal lists them: those that the plan fixed by content. Where the seal is of version 1, which lists none,
 * or the plan is one that fixes the file alone, they come from that file; where it is given beside a list, the list is held against it. Errors:
 * SEAL_MISSING where neither proves them, DIGEST_MISMATCH (exit 4) for another file, or a list of other tasks.
 */
export function primaryTasks(
  { plan, seal }: OpenedStage,
  file: { readonly bytesSha256: string; readonly tasks: readonly Task[] } | undefined,
): readonly SealedTask[] {
  if (assertSealedContent(plan, seal) && file === undefined) return seal.tasks!;
  if (file === undefined)
    fail(
      'SEAL_MISSING',
      null,
      seal.tasks === undefined
        ? 'the seal is of version 1 and does not list the tasks of the primary stage'
        : 'the plan does not fix the tasks of the primary stage by content, so that nothing bears out the list of the seal',
      'Give the task file of the primary stage too, with --primary-tasks FILE.',
    );
  const ids = canonicalDigest(file.tasks.map(({ id }) => id));
  if (file.bytesSha256 !== plan.evaluation.primary_tasks || ids !== seal.tasks_sha256)
    fail(
      'DIGEST_MISMATCH',
      { path: '--primary-tasks' },
      'is not the task file that was sealed',
      'Give the evaluation file.',
      {
        exit: 4,
      },
    );
  const own = sealedTasks(file.tasks);
  if (seal.tasks !== undefined && canonicalDigest(seal.tasks) !== canonicalDigest(own))
    fail(
      'DIGEST_MISMATCH',
      { path: 'tasks' },
      'the seal lists other tasks than the file of the primary stage holds',
      'Give the seal as the primary stage wrote it.',
      { exit: 4 },
    );
  return own;
}

function contentOfSealed(primary: readonly SealedTask[]): TaskContent {
  return {
    candidates: new Set(primary.flatMap((task) => task.candidates_sha256 ?? [])),
    shapes: new Set(primary.flatMap((task) => task.map_sha256 ?? [])),
  };
}

const BY = { candidates: 'it has the same eight candidates', map: 'its map is the same, labels aside' } as const;

/**
 * Holds the tasks of a secondary evaluation against those of the primary one: none may be the same task, under whatever id, wording, names or
 * order of labels (compiler e.7). Returns the anchors that both have. Errors: TASKS_REUSED (exit 4) naming the first task.
 */
export function assertOwnTasks(primary: readonly SealedTask[], tasks: readonly Task[]): readonly string[] {
  const content = contentOfSealed(primary);
  const ids = new Set(primary.map(({ task_id }) => task_id));
  const prompts = new Set(primary.map(({ prompt_sha256 }) => prompt_sha256));
  for (const task of tasks) {
    const same = sameContent(content, task);
    const by = ids.has(task.id)
      ? 'it has the same id'
      : prompts.has(sha256(task.prompt))
        ? 'it has the same prompt'
        : same && BY[same];
    if (by === undefined) continue;
    fail(
      'TASKS_REUSED',
      null,
      `secondary task ${shown(task.id)} is a task of the primary evaluation: ${by}`,
      'What the primary stage has seen replicates nothing: freeze a plan whose secondary tasks are others.',
      { exit: 4 },
    );
  }
  const anchors = new Set(primary.map(({ anchor }) => anchor));
  return [...new Set(tasks.map(({ anchor }) => anchor))].filter((anchor) => anchors.has(anchor));
}
