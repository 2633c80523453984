import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openWeightedSums } from '../../src/analyses/precision/weighted-sums.js';

const MODELS = 3;
const TASKS = 8;

describe('weighted sums of subsets', () => {
  it('are the plain sums, by kernels and by floats, for whole, broken and large weights', () => {
    const weight = fc.oneof(fc.integer({ min: 1, max: 90 }), fc.constantFrom(1 / 3, 2 ** 19, 0.1));
    const cells = fc.array(fc.integer({ min: -10_000, max: 10_000 }), {
      minLength: MODELS * TASKS,
      maxLength: MODELS * TASKS,
    });
    fc.assert(
      fc.property(cells, weight, weight, fc.integer({ min: 1, max: 1500 }), (values, one, other, draws) => {
        const columns = Int32Array.from(values);
        const stratumOf = Int32Array.from({ length: TASKS }, (_, t) => t & 1);
        const weights = [one, other];
        const listed = (draw: number) => [2 * (draw % 4), 2 * ((draw + 1) % 4), 1 + 2 * (draw % 3)];
        const sums = openWeightedSums({ columns, models: MODELS }, { takes: [2, 1], weights, stratumOf });
        const made = sums(5, draws, (draw, out) => out.set(listed(draw)));
        const expected = Float64Array.from({ length: draws * MODELS }, (_, i) => {
          const model = i % MODELS;
          const draw = 5 + Math.floor(i / MODELS);
          return listed(draw).reduce((sum, t) => sum + weights[stratumOf[t]!]! * columns[t * MODELS + model]!, 0);
        });
        expect(made).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });
});
