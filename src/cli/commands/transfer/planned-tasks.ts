import { sha256 } from '../../../io/digest.js';
import { readInput } from '../../../io/file.js';
import { inputFileAt } from '../../../io/read-file.js';
import type { Task } from '../../../tasks/task.js';
import { readTaskSet } from '../../../tasks/task-files.js';
import type { Stage } from '../../../transfer/condition.js';
import { plannedTaskFile } from '../../../transfer/study-plan.js';
import type { StudyPlan } from '../../../transfer/study-plan-schema.js';

/** Reads the tasks that a plan fixed for a stage, from whichever of the files is the planned one. Errors: those of `plannedTaskFile`. */
export function plannedTasks(plan: StudyPlan, stage: Stage, files: readonly string[]): readonly Task[] {
  const digests = files.map((path) => [path, inputFileAt('tasks', path).sha256] as const);
  return readTaskSet(plannedTaskFile(plan, stage, new Map(digests))).tasks;
}

/** Reads a task file with the digest of its bytes; undefined where none is given. */
export function taskFileAt(
  path: string | undefined,
): { readonly bytesSha256: string; readonly tasks: readonly Task[] } | undefined {
  return path === undefined ? undefined : { bytesSha256: sha256(readInput(path)), tasks: readTaskSet(path).tasks };
}
