import { readInput, readText } from '../io/file.js';
import { fail } from '../util/error.js';
import { type CorePlan, corePlanOf, provedCorePlan } from './coreplan.js';
import type { TaskSet } from './task.js';
import { joinedTaskSets, type PyRow, type TaskFiles, taskSetOf, writtenRows } from './taskset.js';
import { assertTogether, provedTasks, type VerifiedTasks } from './verify-tasks.js';

/** Reads a common-core plan. Errors: SCHEMA_INVALID, TASK_DUPLICATE, and those of reading files. */
export function readCorePlan(path: string): CorePlan {
  return corePlanOf(path, readInput(path));
}

/** Reads a common-core plan and proves what it says of itself. Errors: VERIFY_FAILED (exit 4), and those of `readCorePlan`. */
export function verifyCorePlan(path: string): CorePlan {
  return provedCorePlan(path, readInput(path));
}

/** Reads one task file, unproved (`verifyTaskFile`). Errors: SCHEMA_INVALID, TASK_DUPLICATE, and those of reading files. */
export function readTaskSet(path: string): TaskSet {
  return taskSetOf(path, readInput(path));
}

/** Reads task files; an id may occur once in all of them. Errors: USAGE for no file; those of `readTaskSet`. */
export function readTaskFiles(paths: readonly string[]): TaskFiles {
  if (paths.length === 0) {
    fail('USAGE', null, 'no task file was given', 'Give --tasks FILE...');
  }
  return joinedTaskSets(paths, paths.map(readTaskSet));
}

/** Reads rows of task files as they are written, floats kept apart from integers, by task id. */
export function readTaskRows(paths: readonly string[]): ReadonlyMap<string, PyRow> {
  return new Map(paths.flatMap((path) => writtenRows(readText(path), path)));
}

/** Proves every digest and invariant of a task file. Errors: VERIFY_FAILED (exit 4), and those of reading files. */
export function verifyTaskFile(path: string): VerifiedTasks {
  return provedTasks(path, readInput(path));
}

/** Proves several task files, each on its own and against each other. Errors: those of `verifyTaskFile`; USAGE for one given twice. */
export function verifyTaskFiles(paths: readonly string[]): readonly VerifiedTasks[] {
  const verified = paths.map(verifyTaskFile);
  assertTogether(verified);
  return verified;
}
