import { resolve } from 'node:path';
import { canonicalDigest, sealed } from '../io/canonical.js';
import { sha256 } from '../io/digest.js';
import { inputStat } from '../io/file.js';
import type { Phase } from '../ledger/cell-key.js';
import { DEFAULT_PARSER } from '../responses/parser.js';
import { parserFields } from '../responses/parser-contract.js';
import { readTaskFiles } from '../tasks/task-files.js';
import type { TaskFiles } from '../tasks/taskset.js';
import { FlavourError, fail } from '../util/error.js';
import type { Shard } from '../util/shard.js';
import type { CollectionPlan } from './collection-plan.js';
import { FROZEN_PLAN_SCHEMA, type FrozenPlan } from './frozen-plan.js';
import { type PhaseTask, phaseTasks } from './phase-tasks.js';
import { protocolOf } from './protocol.js';
import { compileRoute, type Route } from './route.js';

/** A schedule is held in memory whole. */
const MAX_CELLS = 1_000_000;

/** Everything `collect` works from. */
export interface Collection {
  readonly plan: CollectionPlan;
  readonly frozenPlan: FrozenPlan;
  readonly routes: readonly Route[];
  readonly tasks: readonly PhaseTask[];
  /** Digest of the file a task came from, by id of the task as it was read. */
  readonly taskSetOf: (item: PhaseTask) => string | null;
  readonly phases: readonly Phase[];
  /** The share of the cells that is collected here; absent: all of them. */
  readonly shard?: Shard;
}

const NO_TASKS =
  'Paths are relative to the plan. `flavourbench compile --env pantry --seed TEXT --out FILE` makes a task set.';

function loadTasks(plan: CollectionPlan, folder: string, file: string): TaskFiles {
  const paths = plan.task_sets.map((set) => resolve(folder, set.path));
  for (const [i, path] of paths.entries()) {
    atPlace({ file, path: `task_sets[${i}]` }, () => inputStat(path), NO_TASKS);
  }
  const files = readTaskFiles(paths);
  plan.task_sets.forEach((wanted, i) => {
    const got = files.sets[i]?.physicalSha256;
    if (wanted.sha256 !== undefined && wanted.sha256 !== got) {
      fail(
        'DIGEST_MISMATCH',
        { file, path: `task_sets[${i}].sha256` },
        `${wanted.path} has ${got}, the plan says ${wanted.sha256}`,
        'The task file changed since the plan was written.',
      );
    }
  });
  const silent = files.tasks.find((task) => task.prompt === '' || task.choices.length === 0);
  if (silent) {
    fail(
      'TASK_UNREADABLE',
      null,
      `task ${silent.id} has no prompt or no choices; it cannot be asked`,
      'Give the full task set, not rows of scores.',
    );
  }
  const prompts = new Map<string, string>();
  for (const { id, prompt } of files.tasks) {
    const twin = prompts.get(prompt);
    if (twin !== undefined) {
      fail(
        'TASK_DUPLICATE',
        null,
        `tasks ${twin} and ${id} have the same prompt`,
        'A cell is known by its prompt; give every question once.',
      );
    }
    prompts.set(prompt, id);
  }
  return files;
}

/** Runs `make`; its error then begins with the place in the plan. `missing` is the hint where a file is not there. */
function atPlace<T>(where: { readonly file: string; readonly path: string }, make: () => T, missing?: string): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof FlavourError)) throw error;
    const { code, message, exit } = error;
    fail(code, where, message, code === 'INPUT_NOT_FOUND' ? (missing ?? error.hint) : error.hint, { exit });
  }
}

/**
 * Compiles a plan into its frozen form: one document, addressed by its content. Paths in the plan are relative to `folder`. Errors:
 * ROUTE_UNPINNED for a route that could silently change, unless `allowUnpinned`; DIGEST_MISMATCH for a task file that changed;
 * TASK_UNREADABLE, TASK_DUPLICATE, BOUND_EXCEEDED; those of `compileRoute` and `readTaskFiles`.
 */
export function compilePlan(options: {
  readonly plan: CollectionPlan;
  readonly folder: string;
  /** Plan file, for errors. */
  readonly file: string;
  readonly allowUnpinned: boolean;
}): Collection {
  const { plan, folder, file, allowUnpinned } = options;
  const routes = plan.models.map((model, i) => {
    const path = `models[${i}]`;
    return atPlace({ file, path }, () => compileRoute(model, plan));
  });
  const unpinned = routes.find((route) => !route.rank_eligible);
  if (unpinned && !allowUnpinned) {
    const path = `models[${routes.indexOf(unpinned)}]`;
    fail(
      'ROUTE_UNPINNED',
      { file, path },
      `${unpinned.model_id}: ${unpinned.ineligible_reason}`,
      'Pin the route, or pass --allow-unpinned: its answers are then kept but never ranked.',
    );
  }
  const files = loadTasks(plan, folder, file);
  const source = new Map<string, string>();
  const tasks = files.sets.flatMap((set, i) => {
    const panel = plan.task_sets[i]?.panel;
    for (const task of set.tasks) source.set(task.id, set.physicalSha256);
    return set.tasks.map((task) => (panel === undefined ? task : { ...task, panel }));
  });
  const { phases } = plan;
  const asked = phaseTasks({ tasks, phases, seed: plan.seed });
  const cells = routes.length * asked.reduce((sum, { samples }) => sum + samples, 0);
  if (cells > MAX_CELLS) {
    fail(
      'BOUND_EXCEEDED',
      { file },
      `the plan has ${cells} cells; one ledger takes at most ${MAX_CELLS}`,
      'Divide the models among several plans and ledgers.',
    );
  }
  const names = [...new Set(routes.map((route) => route.protocol))].sort();
  const body = {
    schema: FROZEN_PLAN_SCHEMA,
    name: plan.name,
    plan_sha256: canonicalDigest({
      ...plan,
      task_sets: files.sets.map((set) => set.physicalSha256),
    }),
    seed: plan.seed,
    task_sets: files.sets.map((set, i) => ({
      panel: plan.task_sets[i]?.panel ?? set.panel,
      physical_sha256: set.physicalSha256,
      artifact_sha256: set.artifactSha256 ?? null,
      task_set_sha256: set.taskSetSha256 ?? null,
      tasks: set.tasks.length,
      prompts_sha256: canonicalDigest(set.tasks.map((task) => [task.id, sha256(task.prompt)])),
    })),
    protocols: names.map((name) => protocolOf(name)),
    phases,
    budget: plan.budget,
    max_attempts: plan.max_attempts,
    ...parserFields(DEFAULT_PARSER),
    simulated: routes.some((route) => route.transport === 'simulated'),
    rank_eligible: routes.every((route) => route.rank_eligible),
    routes,
  } as const;
  return {
    plan,
    frozenPlan: sealed(body),
    routes,
    tasks: asked,
    taskSetOf: ({ task, original }) => source.get(original ?? task.id) ?? null,
    phases: (['pilot', 'primary', 'repeat'] as const).filter((phase) => phases[phase] !== undefined),
  };
}
