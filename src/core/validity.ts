import { arrowFile } from '../io/arrow/write-arrow.js';
import type { ArrowColumn } from '../io/arrow.js';
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

/** Makes the validity matrix of a panel: of every chosen record only its status and its parse outcome. An absent cell is 0, 0. */
export function validityOf(options: {
  readonly panel: string;
  readonly models: readonly string[];
  readonly tasks: readonly { readonly id: string; readonly family: string }[];
  readonly chosen: ReadonlyMap<
    string,
    ReadonlyMap<string, { readonly completed: boolean; readonly parse: string | null }>
  >;
}): ValidityMatrix {
  const { panel, models, tasks, chosen } = options;
  const completed = new Uint8Array(models.length * tasks.length);
  const parseable = new Uint8Array(models.length * tasks.length);
  models.forEach((model, m) => {
    const row = chosen.get(model);
    tasks.forEach((task, t) => {
      const record = row?.get(task.id);
      completed[m * tasks.length + t] = Number(record?.completed === true);
      parseable[m * tasks.length + t] = Number(record?.parse === 'ok');
    });
  });
  return {
    panel,
    models,
    tasks: tasks.map(({ id, family }) => ({ id, family })),
    completed,
    parseable,
  };
}

function rows(bits: Uint8Array, width: number, height: number): number[][] {
  return Array.from({ length: height }, (_, m) => Array.from(bits.subarray(m * width, (m + 1) * width)));
}

/** Makes `validity_matrix_sha256`, the digest over model ids, task ids and both matrices as 0/1 rows (compiler d.2). */
export function validityDigest(matrix: ValidityMatrix): string {
  const { models, tasks, completed, parseable } = matrix;
  return canonicalDigest({
    model_ids: models,
    task_ids: tasks.map((task) => task.id),
    completed: rows(completed, tasks.length, models.length),
    parseable: rows(parseable, tasks.length, models.length),
  });
}

/** Tells whether a model's answer to a task is completed and parseable. */
export function isValidCell(matrix: ValidityMatrix, model: number, task: number): boolean {
  const at = model * matrix.tasks.length + task;
  return matrix.completed[at] === 1 && matrix.parseable[at] === 1;
}

/** Lists the models, by number, whose answer to a task cannot enter a core. */
export function modelsWithoutAnswer(matrix: ValidityMatrix, task: number): number[] {
  const found: number[] = [];
  for (let m = 0; m < matrix.models.length; m += 1) if (!isValidCell(matrix, m, task)) found.push(m);
  return found;
}

/** Writes the validity matrices in long form as an Arrow IPC file: one row a model and candidate task; `source` is the ledger's number, -1 for none. */
export function validityArrow(options: ValidityTable): Uint8Array {
  return arrowFile({
    columns: validityColumns(options),
    metadata: { schema: 'flavourbench-validity/1' },
  });
}

interface ValidityTable {
  readonly matrices: readonly ValidityMatrix[];
  readonly chosen: ReadonlyMap<string, ReadonlyMap<string, { readonly source: number }>>;
  readonly phase: string;
}

/** Makes the columns of validity matrices in long form, one row a model and candidate task. */
export function validityColumns(options: ValidityTable): ArrowColumn[] {
  const { matrices, chosen, phase } = options;
  const text: Record<'model' | 'task' | 'panel' | 'family' | 'phase', string[]> = {
    model: [],
    task: [],
    panel: [],
    family: [],
    phase: [],
  };
  const completed: boolean[] = [];
  const parseable: boolean[] = [];
  const source: number[] = [];
  for (const matrix of matrices) {
    matrix.models.forEach((model, m) => {
      matrix.tasks.forEach(({ id, family }, t) => {
        const at = m * matrix.tasks.length + t;
        text.model.push(model);
        text.task.push(id);
        text.panel.push(matrix.panel);
        text.family.push(family);
        text.phase.push(phase);
        completed.push(matrix.completed[at] === 1);
        parseable.push(matrix.parseable[at] === 1);
        source.push(chosen.get(model)?.get(id)?.source ?? -1);
      });
    });
  }
  return [
    ...Object.entries(text).map(([name, values]) => ({ name, kind: 'text' as const, values })),
    { name: 'completed', kind: 'bool', values: completed },
    { name: 'parseable', kind: 'bool', values: parseable },
    { name: 'source', kind: 'int32', values: source },
  ];
}
