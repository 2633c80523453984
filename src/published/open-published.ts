import { lstatSync } from 'node:fs';
import { readObject } from '../io/read-file.js';
import { openRelease, readAnalyses } from '../release/open/open-release.js';
import type { ReleaseView } from '../release/view.js';
import { coreTasks } from '../tasks/coreplan.js';
import { readCorePlan, readTaskFiles } from '../tasks/task-files.js';
import { publishedView } from './published-view.js';

/** Files that the published document leaves out. */
export interface Companions {
  /** The published core plan. */
  readonly core?: string;
  readonly tasks?: readonly string[];
  /** Folders with documents of analyses; all are used. */
  readonly analyses?: readonly string[];
}

/**
 * Opens the published release document (collection 3.1) with what its companions add. Nothing is proved here. Errors: those of
 * `publishedView`, and those of the readers of the companions.
 */
export function openPublished(path: string, companions: Companions = {}): ReleaseView {
  const { core, tasks: taskPaths, analyses } = companions;
  const files = taskPaths && taskPaths.length > 0 ? readTaskFiles(taskPaths) : null;
  return publishedView(readObject(path), path, {
    corePlan: core === undefined ? null : readObject(core),
    tasks: core === undefined || files === null ? null : coreTasks(readCorePlan(core), files),
    analyses: readAnalyses(analyses ?? []),
  });
}

/** Opens a release folder of ours, or the published release document. Errors: those of `openRelease` and `openPublished`. */
export async function openAny(path: string, companions: Companions = {}): Promise<ReleaseView> {
  const isFolder = lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? openRelease(path) : openPublished(path, companions);
}
