import { describe, expect, it } from 'vitest';
import { referenceMapKernels } from '../../../src/engine/reference/maps.js';
import { RELEASED_DESIGN } from '../../../src/tasks/compile/compile-design.js';
import { compileTaskSet, explainAnchor } from '../../../src/tasks/compile/released-source.js';
import { fan, flatWorld } from './world.js';

const environment = flatWorld([
  ...fan(30, 'x', 0, 3),
  { name: 'lonely', angle: 5, category: 'Fish' },
  { name: 'flour', angle: 5, category: 'Pantry' },
]);
const design = {
  ...RELEASED_DESIGN,
  families: ['substitution'] as const,
  perStratum: 2,
  leastCategories: 1,
};
const compiled = compileTaskSet({
  environment,
  kernels: referenceMapKernels,
  design,
  seed: 's',
  first: null,
});
const explain = (anchor: string, run: typeof compiled | null = compiled) =>
  explainAnchor({ environment, kernels: referenceMapKernels, design, anchor, compiled: run });

describe('explaining an anchor', () => {
  it('finds every task as selected, with its place', () => {
    for (const task of compiled.document.tasks) {
      expect(explain(task.anchor_ingredient)[0]).toMatchObject({
        outcome: 'selected',
        stratum: task.validation_stratum,
        detail: `task ${Number(task.task_id.slice(-3))} of its family`,
      });
    }
  });

  it('says why another candidate was passed over', () => {
    const used = new Set(compiled.document.tasks.map((task) => task.anchor_ingredient));
    const other = environment.names.find((name) => !used.has(name) && name !== 'lonely' && name !== 'flour')!;
    expect(explain(other)[0]).toMatchObject({ outcome: 'stratum_full' });
    expect(explain(other, null)[0]).toMatchObject({ outcome: 'candidate', stratum: null });
  });

  it('says which rule turned an anchor down', () => {
    expect(explain('lonely')[0]).toMatchObject({ outcome: 'pool', choices: [] });
  });

  it('says why a name is no anchor at all', () => {
    expect(() => explain('flour')).toThrow(/category Pantry is not of the design/);
    expect(() => explain('nowhere')).toThrow(/no ingredient "nowhere"/);
    expect(() => explain('lonly')).toThrow(expect.objectContaining({ hint: 'Nearest spellings: lonely.' }));
  });
});
