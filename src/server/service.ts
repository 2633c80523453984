import type { Engine } from '../engine/engine.js';
import { createEngine } from '../engine/node.js';
import { type TaskRewards, taskRewards } from '../responses/task-rewards.js';
import { coreTasks } from '../tasks/coreplan.js';
import { type CoreGuard, coreGuard } from '../tasks/leaderboard.js';
import { rankedTasks, type Task } from '../tasks/task.js';
import { readCorePlan, readTaskFiles } from '../tasks/task-files.js';
import { type ErrorPlace, fail, shown } from '../util/error.js';
import { nearestOrAll } from '../util/spelling.js';

/** What operations work on: tasks that are at hand, the rewards that they give, and an engine. */
export interface Service {
  readonly tasks: ReadonlyMap<string, Task>;
  /** The tasks of the core, in its order; without a core those of the ranked families. */
  readonly ranked: readonly Task[];
  /** What may not supervise beside the published leaderboard. */
  readonly core: CoreGuard | undefined;
  readonly rewards: TaskRewards;
  /** Errors: TASK_UNKNOWN at the place. */
  task(id: string, place: ErrorPlace): Task;
  /** Opened when it is first asked for. */
  engine(): Promise<Engine>;
  close(): Promise<void>;
}

/** The files that a service is opened with; it may have none. */
export interface ServiceFiles {
  readonly tasks?: readonly string[];
  /** Core plan: its tasks may not supervise, and are the columns of answers. */
  readonly core?: string;
}

/** Opens a service over task files. Errors: USAGE for a core without tasks; those of reading task files. */
export function openService({ tasks: paths = [], core: corePath }: ServiceFiles): Service {
  if (corePath !== undefined && paths.length === 0)
    fail('USAGE', null, '--core without --tasks', 'Name the task files of the core with --tasks.');
  const files = paths.length === 0 ? undefined : readTaskFiles(paths);
  const plan = corePath === undefined ? undefined : readCorePlan(corePath);
  const tasks: ReadonlyMap<string, Task> = files?.byId ?? new Map<string, Task>();
  const core = plan === undefined ? undefined : coreGuard(plan.ids, files!.tasks);
  let opened: Promise<Engine> | undefined;
  return {
    tasks,
    ranked: plan === undefined ? rankedTasks(files?.tasks ?? []) : coreTasks(plan, files!),
    core,
    rewards: taskRewards({ tasks, core }),
    task(id, place) {
      const task = tasks.get(id);
      if (task !== undefined) return task;
      return fail(
        'TASK_UNKNOWN',
        place,
        `task ${shown(id)} is in no task file`,
        nearestOrAll(id, [...tasks.keys()]) ?? 'Start the service with --tasks FILE...',
      );
    },
    engine: () => (opened ??= createEngine({ backend: 'wasm' })),
    close: async () => (await opened)?.close(),
  };
}
