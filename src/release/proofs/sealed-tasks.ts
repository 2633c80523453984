import { openTasks } from '../../tasks/taskset.js';
import { provedTasks } from '../../tasks/verify-tasks.js';
import { below, RELEASE_FILES } from '../release-files.js';
import { type Files, succeeds } from './line-proof.js';

/** A document with tasks and without a seal: a task set of somebody's own making. */
export function isUnsealed(text: string): boolean {
  return !/"(?:task_set_sha256|artifact_sha256)"/.test(text) && /"tasks"\s*:/.test(text);
}

/** Proves the task files among the files that state digests of their own; one that is not sound is left out. */
export function proveSealedTasks(files: Files): Map<string, number> {
  const sound = new Map<string, number>();
  for (const { name, bytes } of below(files, RELEASE_FILES.tasks))
    succeeds(() => {
      const opened = openTasks(name, bytes);
      if (!isUnsealed(opened.text)) sound.set(name, provedTasks(name, bytes, opened).tasks.length);
    });
  return sound;
}
