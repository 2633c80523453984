import { canonicalDigest } from '../io/canonical.js';

/**
 * Which cells of one panel were answered and could be read: all that the selection of a core may know (compiler d.1). Nothing in this
 * file or in what it imports can tell a selection or a score.
 */
export interface ValidityMatrix {
  readonly panel: string;
  readonly models: readonly string[];
  /** Every candidate task of the panel, in task-file order. */
  readonly tasks: readonly { readonly id: string; readonly family: string }[];
  /** models x tasks, row-major, 0 or 1. */
  readonly completed: Uint8Array;
  /** models x tasks, row-major, 0 or 1. */
  readonly parseable: Uint8Array;
}

function rows(bits: Uint8Array, width: number, height: number): number[][] {
  return Array.from({ length: height }, (_, m) => Array.from(bits.subarray(m * width, (m + 1) * width)));
}

/** `validity_matrix_sha256`: digest over model ids, task ids and both matrices as 0/1 rows (compiler d.2). */
export function validityDigest(matrix: ValidityMatrix): string {
  const { models, tasks, completed, parseable } = matrix;
  return canonicalDigest({
    model_ids: models,
    task_ids: tasks.map((task) => task.id),
    completed: rows(completed, tasks.length, models.length),
    parseable: rows(parseable, tasks.length, models.length),
  });
}

/** True where a model's answer to a task is completed and parseable. */
export function isValidCell(matrix: ValidityMatrix, model: number, task: number): boolean {
  const at = model * matrix.tasks.length + task;
  return matrix.completed[at] === 1 && matrix.parseable[at] === 1;
}

/** Models, by number, whose answer to a task cannot enter a core. */
export function spoilers(matrix: ValidityMatrix, task: number): number[] {
  const found: number[] = [];
  for (let m = 0; m < matrix.models.length; m += 1) if (!isValidCell(matrix, m, task)) found.push(m);
  return found;
}
