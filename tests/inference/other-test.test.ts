import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matrixFromRows } from '../../src/core/matrix-rows.js';
import { createEngine } from '../../src/engine/node.js';
import { runInference } from '../../src/inference/infer.js';
import type { InferencePlan } from '../../src/inference/plan.js';

const FAMILIES = [...Array<string>(9).fill('x'), ...Array<string>(9).fill('y')];
const TASKS = FAMILIES.map((family, t) => `${family}${t}`);
/** B is above A by about 6 in one family and below by about 4 in the other, every task nearly alike. */
const NOISE = [0, 1, -1, 1, 0, -1, 0, 1, -1];
const A = [...NOISE.map((e) => 20 + e), ...NOISE.map((e) => 20 - e)];
const B = [...NOISE.map((_, i) => 26 + (i % 2)), ...NOISE.map((_, i) => 16 + (i % 3 === 0 ? 1 : 0))];

async function inference(values: readonly (readonly number[])[], plan: Partial<InferencePlan>, otherTest = true) {
  const models = values.map((_, m) => `m${m}`);
  const matrix = matrixFromRows({ models, tasks: TASKS, families: FAMILIES, values });
  const own = { strata: 'family', draws: 400, flips: 1500, seed: 5n, ...plan } as const;
  return runInference({ matrix, plan: own, otherTest, engine: await createEngine({ backend: 'wasm' }) });
}

const note = (warnings: readonly string[]) => warnings.filter((text) => text.includes('otherwise'));

describe('a note on the test that is not in force', () => {
  it('says that the centred test tells apart what families that differ in opposite directions hide from plain flips', async () => {
    const plain = await inference([A, B], { test: 'sign-flip' });
    expect(plain.resolvedPairs).toBe(0);
    expect(note(plain.warnings)).toEqual([
      'the centred test (--test centred) would decide 1 pair otherwise: 1 not told apart here would be',
    ]);
    const centred = await inference([A, B], { test: 'centred' });
    expect(centred.resolvedPairs).toBe(1);
    expect(note(centred.warnings)).toEqual([
      'the plain sign-flip test (--test sign-flip) would decide 1 pair otherwise: 1 told apart here would not be',
    ]);
  });

  it('is absent where both decide alike, where it was not asked for and where there is one stratum', async () => {
    expect(note((await inference([A, A.map((v) => v + 9)], { test: 'centred' })).warnings)).toEqual([]);
    expect(note((await inference([A, B], { test: 'centred' }, false)).warnings)).toEqual([]);
    const one = matrixFromRows({ models: ['a', 'b'], tasks: TASKS, values: [A, B] });
    const alone = await runInference({
      matrix: one,
      plan: { draws: 400, flips: 1500 },
      otherTest: true,
      engine: await createEngine({ backend: 'wasm' }),
    });
    expect(note(alone.warnings)).toEqual([]);
  });

  it('counts what two runs, one with each test, decide differently', async () => {
    let noted = 0;
    const row = fc.tuple(
      fc.integer({ min: -8, max: 8 }),
      fc.integer({ min: 0, max: 8 }),
      fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 18, maxLength: 18 }),
    );
    const rows = fc.array(row, { minLength: 3, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(rows, fc.constantFrom('holm', 'max-t'), async (drawn, multiplicity) => {
        const values = drawn.map(([shift, lift, noise]) =>
          noise.map((e, t) => 20 + e + (t < 9 ? shift : lift - shift)),
        );
        const here = await inference(values, { test: 'sign-flip', multiplicity });
        const there = await inference(values, { test: 'centred', multiplicity }, false);
        const differ = here.pairs.filter((pair, k) => pair.significant !== there.pairs[k]!.significant).length;
        noted += differ;
        expect(note(here.warnings).map((text) => Number(/decide (\d+) pair/.exec(text)![1]))).toEqual(
          differ > 0 ? [differ] : [],
        );
      }),
      { numRuns: 12, seed: 3 },
    );
    expect(noted).toBeGreaterThan(3);
  });
});
