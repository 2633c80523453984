import { type ArrowColumn, arrowFile } from '../io/arrow.js';
import type { ValidityMatrix } from './validity.js';

/** The validity matrices in long form: one row a model and candidate task; `source` is the ledger's number, -1 for none. */
export function validityArrow(options: ValidityTable): Promise<Uint8Array> {
  return arrowFile({
    columns: validityColumns(options),
    metadata: { schema: 'flavourbench-validity/1' },
  });
}

export interface ValidityTable {
  readonly matrices: readonly ValidityMatrix[];
  readonly chosen: ReadonlyMap<string, ReadonlyMap<string, { readonly source: number }>>;
  readonly phase: string;
}

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
