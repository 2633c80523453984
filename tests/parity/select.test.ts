import { describe, expect, it } from 'vitest';
import { philoxDraw, sortedQuantile } from '../../src/engine/index.js';
import { openArena } from '../../src/engine/wasm/arena.js';
import { kernelModule } from '../../src/engine/wasm/module.js';
import { orderScratch, quantileRanks } from '../../src/engine/wasm/order-job.js';
import { bothEngines } from '../support/both-engines.js';
import { buildDesign } from '../support/random-design.js';

const PROBABILITIES = [0.0005, 0.025, 0.05, 0.975, 0.9999];

/** Values from unlike distributions: tails long and short, ties, steps, an order that no sample sees. */
const SHAPES: Record<string, (uniform: number, at: number) => number> = {
  uniform: (u) => u,
  cauchy: (u) => Math.tan(Math.PI * (u - 0.5)),
  'two values': (u) => Math.round(u),
  'one value': () => 3,
  'few values': (u) => Math.floor(u * 10),
  'one far tail': (u) => Math.log(u + 1e-12) ** 3,
  sorted: (_, at) => at,
  'sorted downwards': (_, at) => -at,
};

describe.each([600, 20_000])('order statistics of %i values, found from the tails,', (N) => {
  const { kernels, put, take, get, reset, ...arena } = openArena(kernelModule());

  it.each(Object.keys(SHAPES))('are those of a sort: %s', (name) => {
    reset();
    const words = philoxDraw({ seed: 3n, stream: 0, draw: 0 });
    const values = Float64Array.from({ length: N }, (_, at) => SHAPES[name]!(words.word() / 2 ** 32, at));
    const others = Float64Array.from({ length: N }, () => words.word() / 2 ** 33);
    const quantile = quantileRanks({ kernels, put, take, get, reset, ...arena }, N, PROBABILITIES);
    const { order } = quantile;
    const [left, right] = [put(values), put(others)];
    const mean = values.reduce((sum, value, i) => sum + value - others[i]!, 0) / N;
    const [scratch, out] = [take(orderScratch(N)), take(order.count * 8)];
    kernels.orderStatistics({ ...order, left, right, n: N, mean, scratch, out });
    const found = new Float64Array(PROBABILITIES.length);
    quantile.write(get(out, new Float64Array(order.count)), 0, found, 0);
    const sorted = values.map((value, i) => value - others[i]!).sort();
    expect([...found]).toEqual(PROBABILITIES.map((q) => sortedQuantile(sorted, q)));
  });
});

describe('summaries on the kernels', () => {
  const engines = bothEngines();

  it.each([
    ['tails', [0.0005, 0.025, 0.975, 0.9999]],
    ['the middle', [0.25, 0.5, 0.75]],
    ['the ends', [0, 1]],
  ] as const)('give the quantiles of the reference: %s', async (_, probabilities) => {
    const shape = { rows: 4, tasks: 30, clusters: 30, strata: 2, chance: true, largest: 9 };
    const design = buildDesign({ ...shape, degenerate: true, negative: false, seed: 2 });
    const random = { kind: 'philox', seed: 1n, stream: 0 } as const;
    const request = { draws: 5000, random, scheme: 'joint', probabilities, pairs: true } as const;
    expect(await engines.wasm.bootstrap(design, request)).toEqual(await engines.reference.bootstrap(design, request));
  });
});
