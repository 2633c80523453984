import { fail } from '../../util/error.js';
import { replicationOf } from '../taskset.js';
import { verifyTaskFile } from '../verify.js';
import type { FirstPanel } from './document.js';

/** What panel 2 needs to know of panel 1: its anchors and digests, proved first. Errors: SCHEMA_INVALID, VERIFY_FAILED. */
export function readFirstPanel(path: string): FirstPanel {
  const { document, tasks, physicalSha256, semanticSha256 } = verifyTaskFile(path);
  if (document === undefined) {
    fail('SCHEMA_INVALID', { file: path }, 'holds plain task rows', 'Give the task-set document of panel 1.');
  }
  const replication = replicationOf(document);
  if (replication !== 1) {
    fail(
      'SCHEMA_INVALID',
      { file: path },
      `is panel ${replication}; panel 1 is expected`,
      'Give the task set that panel 2 is to follow.',
    );
  }
  return {
    anchors: tasks.map(({ anchor }) => anchor),
    physicalSha256,
    artifactSha256: semanticSha256,
    taskSetSha256: document.task_set_sha256 as string,
  };
}
