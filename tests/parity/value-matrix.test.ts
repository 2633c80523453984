import { describe, expect, it } from 'vitest';
import { createEngine } from '../../src/engine/index.js';
import { layoutOf } from '../../src/engine/layout.js';
import { openArena } from '../../src/engine/wasm/arena.js';
import { putBootstrapTables } from '../../src/engine/wasm/bootstrap-tables.js';
import { kernelModule } from '../../src/engine/wasm/module.js';
import { formedValues } from '../../src/engine/wasm/value-matrix.js';
import { buildDesign } from '../support/random-design.js';

const of = (rows: number, tasks: number, clusters: number, strata: number) =>
  buildDesign({
    ...{ rows, tasks, clusters, strata },
    ...{ chance: false, largest: 10_000, degenerate: false, negative: true, seed: rows },
  });

const formedOf = (design: ReturnType<typeof of>) => {
  const rows = Array.from({ length: design.rows }, (_, m) => m);
  return formedValues(design, putBootstrapTables(openArena(kernelModule()), design, layoutOf(design), rows));
};

describe('values that stand as the sums they are formed from', () => {
  it('are those of one stratum whose parts are of one size', () => {
    const { scale } = of(5, 40, 40, 1);
    expect(formedOf(of(5, 40, 40, 1))).toEqual({ tasks: 40, scale });
    expect(formedOf(of(5, 40, 40, 2))).toBeNull();
    expect(formedOf(of(5, 40, 7, 1))).toBeNull();
  });

  it.each([
    [5, 700, 'joint'],
    [9, 1021, 'joint'],
    [42, 2051, 'joint'],
    [8, 1500, 'stratified'],
  ] as const)('give the digits of the reference: %i rows, %i draws, %s', async (rows, draws, scheme) => {
    const design = of(rows, 40, 40, 1);
    const request = {
      draws,
      scheme,
      ranks: 'shared',
      bandProbability: 0.95,
      probabilities: [0.025, 0.975],
      random: { kind: 'philox', seed: 5n, stream: 0 },
      rankSets: { alpha: 0.05, excluded: new Uint8Array((rows * (rows - 1)) / 2) },
    } as const;
    const wasm = await createEngine({ backend: 'wasm' });
    const reference = await createEngine({ backend: 'reference' });
    expect(await wasm.bootstrap(design, request)).toEqual(await reference.bootstrap(design, request));
    await Promise.all([wasm.close(), reference.close()]);
  });
});
