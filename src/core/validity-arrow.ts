import { arrowFile } from '../util/arrow.js';
import type { ChosenCells } from './sources.js';
import type { ValidityMatrix } from './validity.js';

/** The validity matrices in long form (contracts 5): one row a model and candidate task; `source` is the ledger's number, -1 for none. */
export function validityArrow(options: {
  readonly matrices: readonly ValidityMatrix[];
  readonly chosen: ChosenCells;
  readonly phase: string;
}): Promise<Uint8Array> {
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
  return arrowFile({
    columns: [
      ...Object.entries(text).map(([name, values]) => ({ name, kind: 'text' as const, values })),
      { name: 'completed', kind: 'bool', values: completed },
      { name: 'parseable', kind: 'bool', values: parseable },
      { name: 'source', kind: 'int32', values: source },
    ],
    metadata: { schema: 'flavourbench-validity/1' },
  });
}
