import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Engine } from '../../src/engine/index.js';
import { runInference } from '../../src/inference/index.js';
import { goldenMatrix } from '../support/golden-matrix.js';
import { expectGolden } from '../support/golden-result.js';
import { noShared } from '../support/shared.js';

/** The published procedure, stream for stream, against what the reference wrote. */
let engine: Engine;
beforeAll(async () => {
  engine = await createEngine({ backend: 'wasm' });
});
afterAll(() => engine.close());

describe.skipIf(noShared)('replayed inference', () => {
  for (const strata of ['family', 'panel-family'] as const) {
    it(`reproduces golden/c, strata ${strata}`, async () => {
      const plan = { rng: 'numpy', strata, seed: 1n, draws: 1000, flips: 2000 } as const;
      expectGolden(await runInference({ matrix: goldenMatrix('c'), plan, engine }), 'c', strata);
    });

    it(`reproduces golden/a, strata ${strata}`, async () => {
      const plan = { rng: 'numpy', strata } as const;
      expectGolden(await runInference({ matrix: goldenMatrix('a'), plan, engine }), 'a', strata);
    });
  }
});

/** Our own generator on the same data: another sample of the same thing (statistics 13.1, rule N). */
describe.skipIf(noShared)('counter-based inference of golden/a', () => {
  it('agrees with the replayed one up to Monte Carlo error', async () => {
    const matrix = goldenMatrix('a');
    const ours = await runInference({ matrix, plan: { strata: 'family' }, engine });
    const theirs = await runInference({ matrix, plan: { strata: 'family', rng: 'numpy' }, engine });
    expect(ours.streams).toEqual({ bootstrap: 0, flips: 1 });
    expect(Math.abs(ours.bandCritical - theirs.bandCritical)).toBeLessThan(0.03);
    ours.models.forEach((model, m) => {
      const other = theirs.models[m]!;
      expect(model.score).toBe(other.score);
      expect(model.rank).toBe(other.rank);
      expect(model.group).toBe(other.group);
      expect(Math.abs(model.standardError / other.standardError - 1)).toBeLessThan(0.02);
      expect(Math.abs(model.pointwise[0] - other.pointwise[0])).toBeLessThan(0.15);
      expect(Math.abs(model.chance!.interval[1] - other.chance!.interval[1])).toBeLessThan(0.15);
      expect(model.chance!.score).toBe(other.chance!.score);
    });
    ours.pairs.forEach((pair, k) => {
      const other = theirs.pairs[k]!;
      const slack = 5 * Math.sqrt((other.p * (1 - other.p)) / 50_000) + 3e-5;
      expect(Math.abs(pair.p - other.p)).toBeLessThan(slack);
      if (!other.holmCouldFlip) expect(pair.significant).toBe(other.significant);
      expect(pair.maxTP).toBeLessThanOrEqual(Math.min(1, 351 * pair.pInterval99![1]));
      expect(pair.dz).toBe(other.dz);
    });
  });
});
