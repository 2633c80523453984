import { sha256 } from '../../src/io/digest.js';
import { type PyValue, pyDigest, pySealed } from '../../src/io/pyjson.js';
import { taskRow } from '../tasks/support.js';

type Row = Record<string, PyValue>;
export type SealedTaskSet = { tasks: Row[] } & Row;

/** A task set of two tasks with every digest that one states. */
export function sealedTaskSet(): SealedTaskSet {
  const tasks = ['a', 'b'].map((id) => {
    const row = taskRow(id) as Row;
    const reference = { anchor: row.anchor_ingredient as string, method: 'none' };
    return {
      ...row,
      selection_size: 3,
      validation_stratum: 1,
      optimal_margin_bps: 4600,
      prompt_sha256: sha256(row.prompt as string),
      oracle_reference: reference,
      oracle_reference_sha256: pyDigest(reference),
    } as Row;
  });
  const digest = () =>
    pyDigest(
      tasks.map((row) => ({
        task_id: row.task_id as string,
        prompt_sha256: row.prompt_sha256 as string,
        oracle_reference_sha256: row.oracle_reference_sha256 as string,
        score_map_sha256: pyDigest(row.selection_scores_bps as PyValue),
      })),
    );
  const document = {
    schema_version: 'own',
    counts: { tasks: 2, tasks_per_family: 2 },
    tasks,
    task_set_sha256: '',
  };
  document.task_set_sha256 = digest();
  return pySealed(document) as unknown as SealedTaskSet;
}
