import { sha256, utf8Text } from '#platform';
import { taskSetOf } from '../../tasks/taskset.js';
import { counted } from '../../util/format.js';
import type { HeldFile } from './held-file.js';
import type { Opened } from './opened.js';
import { filesName } from './table-source.js';

/** Task files are no larger than this. */
const MOST_BYTES = 2 ** 28;

/** Tells whether a file holds tasks with their score maps. */
async function holdsTasks(file: HeldFile): Promise<boolean> {
  if (file.size > MOST_BYTES) return false;
  const text = utf8Text(await file.bytes());
  return /^\s*[[{]/.test(text) && text.includes('"selection_scores_bps"') && text.includes('"task_id"');
}

/** Opens task files, to which answers can be scored; null where some file is none. Errors: those of `taskSetOf`. */
export async function openTasks(files: readonly HeldFile[]): Promise<Opened | null> {
  for (const file of files) if (!(await holdsTasks(file))) return null;
  const sets = await Promise.all(files.map(async (file) => taskSetOf(file.name, await file.bytes())));
  const tasks = sets.reduce((sum, set) => sum + set.tasks.length, 0);
  return {
    kind: 'tasks',
    name: filesName(files),
    reading: `${counted(tasks, 'task')} in ${counted(files.length, 'file')}. No scores: answers can be scored here.`,
    warnings: [],
    files,
    matrix: null,
    stated: null,
    release: null,
    analyses: [],
    answers: null,
    ledger: null,
    digests: async () => Promise.all(files.map(async (file) => [file.name, sha256(await file.bytes())] as const)),
    inventory: null,
    scorable: { tasks: files, core: null },
  };
}
