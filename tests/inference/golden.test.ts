import { afterAll, beforeAll, describe, it } from 'vitest';
import { createEngine, type Engine } from '../../src/engine/index.js';
import { runInference } from '../../src/inference/index.js';
import { goldenMatrix } from '../support/golden-matrix.js';
import { expectGolden } from '../support/golden-result.js';
import { noShared } from '../support/shared.js';

/** The published procedure, stream for stream, against what the reference wrote. */
describe.skipIf(noShared)('replayed inference', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await createEngine({ backend: 'wasm' });
  });
  afterAll(() => engine.close());

  for (const strata of ['family', 'panel-family'] as const) {
    it(`golden/c, strata ${strata}`, async () => {
      const plan = { rng: 'numpy', strata, seed: 1n, draws: 1000, flips: 2000 } as const;
      expectGolden(await runInference({ matrix: goldenMatrix('c'), plan, engine }), 'c', strata);
    });

    it(`golden/a, strata ${strata}`, async () => {
      const plan = { rng: 'numpy', strata } as const;
      expectGolden(await runInference({ matrix: goldenMatrix('a'), plan, engine }), 'a', strata);
    });
  }
});
