import { utf8Text } from '#platform';
import { joinedTaskSets, openTasks, type TaskFiles, taskSetOf } from '../../tasks/taskset.js';
import { provedTasks } from '../../tasks/verify-tasks.js';
import { once } from '../../util/once.js';
import { below, type Inventory, RELEASE_FILES, type ReleaseFile } from '../release-files.js';
import { missing } from './file-proof.js';
import { Findings } from './findings.js';
import type { ThreadProofs } from './line-proof.js';
import { isUnsealed } from './sealed-tasks.js';

/** The tasks of a release as they were read, not proved yet. */
export interface ReadTasks {
  readonly taskFiles: readonly ReleaseFile[];
  /** Undefined where they cannot be used. */
  readonly files: TaskFiles | undefined;
  /** Proves each file by itself, but for those that a thread proved. */
  prove(thread: ThreadProofs['tasks']): Promise<Findings>;
}

/** Reads the tasks of a release; what cannot be read is a difference. */
export function readTasks(files: Inventory, findings: Findings): ReadTasks {
  const taskFiles = below(files, RELEASE_FILES.tasks);
  if (taskFiles.length === 0) missing(findings, RELEASE_FILES.tasks);
  const opened = taskFiles.map(({ name, bytes }) => once(() => openTasks(name, bytes)));
  const paths = taskFiles.map(({ name }) => name);
  const read =
    taskFiles.length === 0
      ? undefined
      : findings.attempt(RELEASE_FILES.tasks, () =>
          joinedTaskSets(
            paths,
            taskFiles.map(({ name, bytes }, i) => taskSetOf(name, bytes, opened[i]!())),
          ),
        );
  return {
    taskFiles,
    files: read,
    async prove(thread) {
      const elsewhere = await thread;
      const found = new Findings();
      let proved = 0;
      let unsealed = 0;
      taskFiles.forEach(({ name, bytes }, i) => {
        const sound = elsewhere.get(name);
        if (sound !== undefined) proved += sound;
        else if (isUnsealed(read ? opened[i]!().text : utf8Text(bytes))) {
          found.note(`${name} states no digests of its own: its rows were checked, and its bytes`);
          unsealed += read?.sets[i]?.tasks.length ?? 0;
        } else proved += found.attempt(name, () => provedTasks(name, bytes, opened[i]!()))?.tasks.length ?? 0;
      });
      if (proved > 0) found.done('tasks: prompt, choices, map, optimum, digests', proved);
      if (unsealed > 0) {
        found.done('tasks without digests: choices, map, optimum', unsealed);
        found.left('where tasks without digests come from', unsealed, 'nothing but this release states their content');
      }
      return found;
    },
  };
}
