import { FlavourError } from '../../util/error.js';
import { readTaskSet } from '../taskset.js';
import type { FirstPanel } from './document.js';

/** What panel 2 needs to know of panel 1: its anchors and digests. Errors: SCHEMA_INVALID and those of reading tasks. */
export function readFirstPanel(path: string): FirstPanel {
  const set = readTaskSet(path);
  if (set.artifactSha256 === undefined || set.taskSetSha256 === undefined) {
    throw new FlavourError('SCHEMA_INVALID', `${path} has no artifact_sha256 and task_set_sha256`, {
      hint: 'Give the task-set document of panel 1, not plain task rows.',
      where: { file: path },
    });
  }
  if (set.panel !== 'panel_1') {
    throw new FlavourError('SCHEMA_INVALID', `${path} is ${set.panel}; panel_1 is expected`, {
      where: { file: path },
    });
  }
  return {
    anchors: set.tasks.map(({ anchor }) => anchor),
    physicalSha256: set.physicalSha256,
    artifactSha256: set.artifactSha256,
    taskSetSha256: set.taskSetSha256,
  };
}
