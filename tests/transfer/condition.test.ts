import { describe, expect, it } from 'vitest';
import { transferStudy } from '../../src/analyses/contrast/study.js';
import { createEngine } from '../../src/engine/index.js';
import { taskFromRow } from '../../src/tasks/task-row.js';
import { completionGrid } from '../../src/transfer/completion.js';
import { CONTROL, TREATMENT } from '../../src/transfer/condition.js';
import { taskRow } from '../tasks/support.js';

const tasks = ['a', 'b'].map((id) => taskFromRow(taskRow(id), { file: 'test' }));

async function study(names: readonly string[]) {
  const rows = names.flatMap((condition) =>
    tasks.map(({ id }) => ({ condition, seed: 1, taskId: id, text: 'FINAL_SELECTION: A, B, C' })),
  );
  const grid = completionGrid(rows, new Map(tasks.map((task) => [task.id, task])));
  const engine = await createEngine({ backend: 'wasm' });
  const plan = { stage: 'primary', draws: 20, flips: 20, alpha: 0.05, threshold: 3 } as const;
  const random = { kind: 'philox', seed: 1n } as const;
  return transferStudy(grid, { ...plan, random }, engine).finally(() => engine.close());
}

describe('the conditions of a study', () => {
  it('are all found among its generations', async () => {
    const { conditions } = await study([TREATMENT, CONTROL]);
    expect(conditions.map(({ condition }) => condition)).toEqual([CONTROL, TREATMENT]);
  });

  it('have no others among the generations: each is named and counted, with the nearest name', async () => {
    await expect(study([TREATMENT, CONTROL, 'pretraind_base'])).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message: 'condition "pretraind_base" is none of the study: 1 of 3 runs, 2 generations, have it',
      hint: expect.stringContaining('nearest is "pretrained_base"'),
    });
    await expect(study([TREATMENT, CONTROL, 'zz', 'grpo_epicure_map'])).rejects.toThrow(
      'condition "zz" is none of the study: 2 of 4 runs, 4 generations, have it or one of 1 others',
    );
  });
});
