import { sha256 } from '../io/digest.js';
import type { TaskFiles } from '../tasks/taskset.js';

/** A task without its map: what the freezing of a core may know of it. */
export interface TaskOutline {
  readonly id: string;
  readonly panel: string;
  readonly family: string;
  /** Names of the eight candidates, for reading answers. */
  readonly choices: readonly string[];
  /** Null where the task file has no prompt. */
  readonly promptSha256: string | null;
}

/** Takes from task files the candidate tasks without their maps, panels in order of name, tasks in file order; scores, optimum and chance stay behind. */
export function outlines(files: TaskFiles): ReadonlyMap<string, readonly TaskOutline[]> {
  const panels = new Map<string, TaskOutline[]>();
  for (const { id, panel, family, choices, prompt } of files.tasks) {
    const list = panels.get(panel);
    const promptSha256 = prompt === '' ? null : sha256(prompt);
    const outline = { id, panel, family, choices, promptSha256 };
    if (list) list.push(outline);
    else panels.set(panel, [outline]);
  }
  return new Map([...panels].sort(([a], [b]) => (a < b ? -1 : 1)));
}
