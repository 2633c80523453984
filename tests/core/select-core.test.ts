import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { selectCore } from '../../src/core/select-core.js';
import { type ValidityMatrix, validityDigest } from '../../src/core/validity.js';
import { canonicalDigest } from '../../src/io/canonical.js';
import { orderKey } from '../../src/io/digest.js';

function matrixOf(cells: readonly (readonly boolean[])[], panel = 'panel_1'): ValidityMatrix {
  const width = cells[0]?.length ?? 0;
  const bits = Uint8Array.from(cells.flat().map(Number));
  return {
    panel,
    models: cells.map((_, m) => `model-${m}`),
    tasks: Array.from({ length: width }, (_, t) => ({
      id: `${panel}-t${t}`,
      family: t % 2 === 0 ? 'pairing' : 'constraint',
    })),
    completed: bits,
    parseable: bits.slice(),
  };
}

const grid = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 4, max: 30 })).chain(([models, tasks]) =>
  fc.array(fc.array(fc.boolean(), { minLength: tasks, maxLength: tasks }), {
    minLength: models,
    maxLength: models,
  }),
);

describe('the selection of a core', () => {
  it('takes valid tasks only, in hash order, and no valid one before them is left out', () => {
    fc.assert(
      fc.property(grid, fc.string(), (cells, seed) => {
        const matrix = matrixOf(cells);
        const valid = (t: number) => cells.every((row) => row[t]);
        const pools = ['pairing', 'constraint'].map((family) =>
          matrix.tasks
            .filter((task, t) => task.family === family && valid(t))
            .map((task) => task.id)
            .sort((a, b) => (orderKey(seed, 'panel_1', family, a) < orderKey(seed, 'panel_1', family, b) ? -1 : 1)),
        );
        const size = Math.min(...pools.map((pool) => pool.length));
        const options = { matrices: [matrix], families: ['pairing', 'constraint'], seed } as const;
        if (size === 0) {
          expect(() => selectCore({ ...options, perStratum: 'auto' })).toThrow(/0 of \d+ tasks/);
          return;
        }
        const { strata, perStratum } = selectCore({ ...options, perStratum: 'auto' });
        expect(perStratum).toBe(size);
        expect(strata.map((s) => s.selected)).toEqual(pools.map((pool) => pool.slice(0, size)));
      }),
      { numRuns: 200 },
    );
  });

  it('does not depend on the order of models or tasks', () => {
    const cells = [
      [true, true, true, true, false, true, true, true],
      [true, false, true, true, true, true, true, true],
    ];
    const straight = matrixOf(cells);
    const width = straight.tasks.length;
    const turned: ValidityMatrix = {
      ...straight,
      models: [...straight.models].reverse(),
      tasks: [...straight.tasks].reverse(),
      completed: Uint8Array.from(straight.completed).reverse(),
      parseable: Uint8Array.from(straight.parseable).reverse(),
    };
    expect(width).toBe(8);
    const options = { families: ['pairing', 'constraint'], seed: 's', perStratum: 3 } as const;
    const ids = (matrix: ValidityMatrix) =>
      selectCore({ matrices: [matrix], ...options }).strata.map((s) => s.selected);
    expect(ids(turned)).toEqual(ids(straight));
  });

  it('names the stratum that is too small, who costs it most, and what would do', () => {
    const cells = [
      [true, true, true, true, true, true],
      [false, true, false, true, true, true],
      [false, true, true, true, true, true],
    ];
    let error: { code?: string; exit?: number; message?: string; hint?: string } = {};
    try {
      selectCore({
        matrices: [matrixOf(cells)],
        families: ['pairing', 'constraint'],
        seed: 's',
        perStratum: 3,
      });
    } catch (caught) {
      error = caught as typeof error;
    }
    expect(error).toMatchObject({ code: 'CORE_SHORT', exit: 3 });
    expect(error.message).toBe(
      'panel_1 pairing: 1 of 3 tasks are complete, 3 wanted (model-1 spoils 2, 1 alone; model-2 spoils 1, 0 alone)',
    );
    expect(error.hint).toMatch(/--per-stratum auto takes 1/);
  });

  it('takes only tasks that are completed and parseable, and names a family that a panel lacks', () => {
    const matrix = matrixOf([[true, true, true, true]]);
    matrix.parseable[0] = 0;
    const options = { matrices: [matrix], seed: 's', perStratum: 1 } as const;
    const { strata } = selectCore({ ...options, families: ['pairing'] });
    expect(strata[0]?.selected).toEqual(['panel_1-t2']);
    expect(() => selectCore({ ...options, families: ['regional'] })).toThrow(
      /panel_1 has no task of family "regional"; it has "pairing", "constraint"/,
    );
  });
});

describe('the digest of a validity matrix', () => {
  it('is that of its ids and its rows of 0 and 1', () => {
    const matrix = matrixOf([
      [true, false, true],
      [true, true, true],
    ]);
    expect(validityDigest(matrix)).toBe(
      canonicalDigest({
        completed: [
          [1, 0, 1],
          [1, 1, 1],
        ],
        model_ids: ['model-0', 'model-1'],
        parseable: [
          [1, 0, 1],
          [1, 1, 1],
        ],
        task_ids: ['panel_1-t0', 'panel_1-t1', 'panel_1-t2'],
      }),
    );
  });
});
