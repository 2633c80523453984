import { beforeAll, describe, expect, it } from 'vitest';
import { openWasmMapKernels } from '../../src/engine/wasm/maps.js';
import { openPantry } from '../../src/environment/pantry/pantry.js';
import type { Compiled } from '../../src/tasks/compile/compile.js';
import { type CompileDesign, RELEASED_DESIGN } from '../../src/tasks/compile/compile-design.js';
import { compileTaskSet } from '../../src/tasks/compile/released-source.js';

/** The released rules with 23 tasks a stratum: 92 a family, the first count of four equal strata that reaches 89. */
const design: CompileDesign = { ...RELEASED_DESIGN, perStratum: 23, scoreability: 'before' };
const panels: Compiled[] = [];

beforeAll(() => {
  const shared = { environment: openPantry(), kernels: openWasmMapKernels(), design };
  const one = compileTaskSet({ ...shared, seed: 'pantry-test-1', first: null });
  const { tasks, artifact_sha256, task_set_sha256 } = one.document;
  const first = {
    anchors: tasks.map((task) => task.anchor_ingredient),
    physicalSha256: '0'.repeat(64),
    artifactSha256: artifact_sha256,
    taskSetSha256: task_set_sha256,
  };
  panels.push(one, compileTaskSet({ ...shared, seed: 'pantry-test-2', first }));
});

const RANKED = ['substitution', 'pairing', 'constraint'];

describe('two panels from the pantry', () => {
  it('have 92 tasks in each of the four families, 23 a stratum, over eight categories or more', () => {
    for (const { document } of panels)
      for (const family of RELEASED_DESIGN.families) {
        const tasks = document.tasks.filter((task) => task.family === family);
        expect(tasks).toHaveLength(92);
        for (const stratum of [1, 2, 3, 4])
          expect(tasks.filter((task) => task.validation_stratum === stratum)).toHaveLength(23);
        expect(new Set(tasks.map((task) => task.primary_category)).size).toBeGreaterThanOrEqual(8);
      }
  });

  it('share no anchor among the ranked families of both panels', () => {
    const anchors = panels.flatMap(({ document }) =>
      document.tasks.filter(({ family }) => RANKED.includes(family)).map((task) => task.anchor_ingredient),
    );
    expect(anchors).toHaveLength(552);
    expect(new Set(anchors).size).toBe(552);
  });

  it('have maps of the shape of the released ones', () => {
    const ranked = panels.flatMap(({ document }) => document.tasks);
    const mean = (family: string) => {
      const tasks = ranked.filter((task) => task.family === family);
      return tasks.reduce((sum, task) => sum + task.chance_score_bps, 0) / tasks.length / 100;
    };
    expect(mean('substitution')).toBeGreaterThan(35);
    expect(mean('substitution')).toBeLessThan(50);
    expect(mean('pairing')).toBeGreaterThan(35);
    expect(mean('pairing')).toBeLessThan(50);
    expect(mean('constraint')).toBeGreaterThan(2.5);
    expect(mean('constraint')).toBeLessThan(4.5);
    for (const task of ranked.filter(({ family }) => family === 'constraint'))
      expect(new Set(Object.values(task.selection_scores_bps)).size, task.task_id).toBeLessThanOrEqual(4);
  });

  it('turn few anchors down because too few candidates are left', () => {
    const [{ families, source }] = panels as [Compiled, Compiled];
    const accepted = Object.fromEntries(families.map(({ family, candidates }) => [family.id, candidates.length]));
    const eligible = source.ranked.length;
    expect(eligible).toBeGreaterThanOrEqual(1200);
    expect(accepted.substitution).toBeGreaterThanOrEqual(1100);
    expect(accepted.pairing).toBeGreaterThanOrEqual(1200);
    expect(accepted.constraint).toBe(4 * eligible);
    expect(accepted.cultural_composition).toBeGreaterThanOrEqual(600);
  });
});
