import { beforeAll, describe, expect, it } from 'vitest';
import { subsets } from '../../../src/engine/maps.js';
import { openWasmMapKernels } from '../../../src/engine/wasm/maps.js';
import { openPantry } from '../../../src/environment/pantry/pantry.js';
import { RELEASED_DESIGN } from '../../../src/tasks/compile/compile-design.js';
import { compileTaskSet } from '../../../src/tasks/compile/released-source.js';
import type { TaskObject } from '../../../src/tasks/compile/taskset-document.js';
import { pairFit } from '../../support/flat.js';

const KEYS = subsets(8, 3);

describe('the score maps of a compiled panel', () => {
  let tasks: readonly TaskObject[];
  const of = (...families: string[]) => tasks.filter((task) => families.includes(task.family));
  const scores = (task: TaskObject) => Object.values(task.selection_scores_bps);

  beforeAll(() => {
    ({ tasks } = compileTaskSet({
      environment: openPantry(),
      kernels: openWasmMapKernels(),
      design: RELEASED_DESIGN,
      seed: 'structure',
      first: null,
    }).document);
  });

  it('are sums over singles and pairs up to rounding, where all portfolios are feasible', () => {
    let squares = 0;
    let freedom = 0;
    const free = of('substitution', 'pairing');
    for (const task of free) {
      const { rank, residuals } = pairFit(KEYS, scores(task));
      expect(rank).toBe(28);
      for (const residual of residuals) {
        expect(Math.abs(residual)).toBeLessThan(1);
        squares += residual * residual;
      }
      freedom += KEYS.length - rank;
    }
    expect(free).toHaveLength(320);
    expect(Math.sqrt(squares / freedom)).toBeGreaterThan(0.26);
    expect(Math.sqrt(squares / freedom)).toBeLessThan(0.3);
  });

  it('are sums over pairs on the feasible portfolios of regional tasks', () => {
    for (const task of of('cultural_composition')) {
      const all = scores(task);
      const feasible = [...KEYS.keys()].filter((i) => all[i]! > 0);
      const { residuals } = pairFit(
        feasible.map((i) => KEYS[i]!),
        feasible.map((i) => all[i]!),
      );
      expect(Math.max(...residuals.map(Math.abs))).toBeLessThan(1);
    }
  });

  it('have at most four distinct scores in constraint tasks, zero on the 52 infeasible keys', () => {
    for (const task of of('constraint')) {
      const all = scores(task);
      expect(new Set(all).size).toBeLessThanOrEqual(4);
      expect(all.filter((score) => score === 0).length).toBeGreaterThanOrEqual(53);
    }
  });

  it('have one optimum, the stated mean and the stated margin', () => {
    for (const task of tasks) {
      const sorted = scores(task).sort((a, b) => b - a);
      const mean = sorted.reduce((a, b) => a + b, 0) / 56;
      expect(sorted[0]).toBe(10_000);
      expect(task.selection_scores_bps[task.optimal_selection]).toBe(10_000);
      expect(task.optimal_margin_bps).toBe(10_000 - sorted[1]!);
      expect(task.optimal_margin_bps).toBeGreaterThan(0);
      expect(Math.abs(task.chance_score_bps - mean)).toBeLessThanOrEqual(0.5);
    }
  });
});
