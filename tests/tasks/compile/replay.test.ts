import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { referenceMapKernels } from '../../../src/engine/reference/maps.js';
import { labelOrder } from '../../../src/tasks/compile/assemble-tasks.js';
import { RELEASED_DESIGN } from '../../../src/tasks/compile/compile-design.js';
import { openSpace, type Space } from '../../../src/tasks/compile/eligible.js';
import { constraintDifficulty } from '../../../src/tasks/compile/released-rules.js';
import { selectFamily } from '../../../src/tasks/compile/select-tasks.js';
import { taskSetDigest } from '../../../src/tasks/compile/taskset-document.js';
import { sharedCheckpoint } from '../../support/checkpoint.js';
import { noShared, shared } from '../../support/shared.js';

const PANELS = [
  'data/tasksets/epicure-selection-taskset-a33bf28db372090015118371417b0e8ed1254f416d03d2c2c5816a6a752beb41.json',
  'data/tasksets/epicure-selection-taskset-925ba9d1d4be9c2b7a1e9956ecd6c18d34ffcad22eee28522f16892922c91e3f.json',
];

interface Released {
  selection_seed: string;
  task_set_sha256: string;
  tasks: {
    task_id: string;
    family: string;
    anchor_ingredient: string;
    validation_stratum: number;
    choices: Record<string, string>;
    oracle_reference: { constraint_variant: string | null; maximum_nova: number | null };
    prompt_sha256: string;
    oracle_reference_sha256: string;
    selection_scores_bps: Record<string, number>;
  }[];
}

describe.skipIf(noShared)('replaying the released panels', () => {
  let space: Space;
  let released: Released[];

  beforeAll(async () => {
    space = openSpace(await sharedCheckpoint('cooc'), RELEASED_DESIGN, referenceMapKernels);
    released = PANELS.map((path) => JSON.parse(readFileSync(shared(path), 'utf8')));
  });

  it('finds 1,335 eligible ingredients', () => {
    expect(space.eligible).toHaveLength(1335);
    expect(space.ineligible.get('squid')).toMatch(/calibration/);
    expect(space.ineligible.get('worcestershire_sauce')).toMatch(/Pantry/);
  });

  it.each([0, 1])('selects the constraint family of panel index %i from tags alone', (panel) => {
    const { tasks, selection_seed: seed } = released[panel]!;
    const before = tasks.filter(({ family }) => ['substitution', 'pairing'].includes(family));
    const first = panel === 0 ? [] : released[0]!.tasks;
    const { selected } = selectFamily({
      family: 'constraint',
      candidates: space.eligible.flatMap((anchor) =>
        RELEASED_DESIGN.constraint.variants.map((variant) => ({
          family: 'constraint' as const,
          anchor,
          variant,
          difficulty: constraintDifficulty(variant),
        })),
      ),
      design: RELEASED_DESIGN,
      seed,
      used: new Set([...RELEASED_DESIGN.excludedAnchors, ...before.map((task) => task.anchor_ingredient)]),
      earlier: new Set(first.map((task) => task.anchor_ingredient)),
      designPlace: 'the design',
    });
    const ours = selected.map(({ candidate, stratum }) => [
      candidate.anchor.name,
      candidate.variant.flag,
      candidate.variant.nova,
      stratum,
    ]);
    const theirs = tasks
      .filter(({ family }) => family === 'constraint')
      .map((task) => [
        task.anchor_ingredient,
        task.oracle_reference.constraint_variant,
        task.oracle_reference.maximum_nova,
        task.validation_stratum,
      ]);
    expect(theirs).toHaveLength(160);
    expect(ours).toEqual(theirs);
  });

  it.each([0, 1])('orders the labels of all 640 tasks of panel index %i', (panel) => {
    const { tasks, selection_seed: seed } = released[panel]!;
    for (const { task_id: id, choices } of tasks) {
      const names = Object.values(choices);
      const shuffled = [...names].sort().map((name) => ({ name }));
      expect(labelOrder(seed, id, shuffled).map(({ name }) => name)).toEqual(names);
    }
  });

  it.each([0, 1])('digests the task set of panel index %i', (panel) => {
    expect(taskSetDigest(released[panel]!.tasks)).toBe(released[panel]!.task_set_sha256);
  });
});
